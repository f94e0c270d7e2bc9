import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays } from '../../core/calendar/civil-day.ts';
import { parseDictionary } from '../../kinds/taps/location-dictionary.ts';
import { numbersOf } from '../hashed-numbers.ts';

const FIRST_DAY = '2026-03-02';
const DAYS = 7;
const ZONES = new URL('../dictionaries/synthetic-zones.csv', import.meta.url);
const TRIPS = 20_000;
/** Trips of a hundred that begin in each hour from 05:00 on, on a working day and at the weekend. */
const WORKING_DAY = [1, 4, 10, 15, 8, 4, 4, 4, 4, 4, 5, 8, 12, 8, 4, 2, 1, 1, 1, 0];
const WEEKEND = [0, 1, 2, 3, 5, 8, 10, 10, 9, 9, 8, 8, 7, 6, 5, 3, 2, 2, 1, 1];
/** Shares of the modes, and of the zones in their order, in hundredths. */
const MODES = { bus: 55, train: 38, ferry: 7 };
const ATTRACTION = [6, 8, 34, 9, 7, 11, 10, 15];

/** Writes `trips/{date}.csv` below the folder: a week of invented trips between zones, the same for everybody. */
export async function generateSynthetic(target: string): Promise<void> {
  const zones = [...new Set(parseDictionary(await readFile(ZONES)).values())];
  await mkdir(join(target, 'trips'), { recursive: true });
  for (let day = FIRST_DAY; day < addDays(FIRST_DAY, DAYS); day = addDays(day, 1))
    await writeFile(join(target, 'trips', `${day}.csv`), tripsOf(day, zones));
}

/** The trips of one day: in the morning to where people are drawn to, in the afternoon back. */
export function tripsOf(day: string, zones: readonly string[], trips = TRIPS): string {
  const { uint32 } = numbersOf(`trips ${day}`);
  const isWeekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  const hours = isWeekend ? WEEKEND : WORKING_DAY;
  const among = (shares: readonly number[]): number => {
    let rest = uint32() % shares.reduce((sum, share) => sum + share, 0);
    return shares.findIndex((share) => {
      rest -= share;
      return rest < 0;
    });
  };
  const rows = Array.from({ length: trips }, () => {
    const hour = 5 + among(hours);
    const mode = Object.keys(MODES)[among(Object.values(MODES))]!;
    const [home, away] = [zones[uint32() % zones.length]!, zones[among(ATTRACTION)]!];
    const [from, to] = hour < 13 ? [home, away] : [away, home];
    const minute = String(uint32() % 60).padStart(2, '0');
    const at = `${hour < 24 ? day : addDays(day, 1)} ${String(hour % 24).padStart(2, '0')}:${minute}`;
    return [at, mode, from, to].join(',');
  });
  return ['started,mode,from,to', ...rows, ''].join('\n');
}
