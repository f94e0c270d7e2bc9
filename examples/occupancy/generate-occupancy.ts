import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addDays } from '../../core/calendar/civil-day.ts';
import { simulateRun } from '../../kinds/occupancy/mechanism/simulated-run.ts';
import { parseRunTimetable, type RunTimetable, runsOf, type ScheduledRun } from '../../kinds/occupancy/timetable.ts';
import { numbersOf } from '../hashed-numbers.ts';

const FIRST_DAY = '2026-03-02';
const DAYS = 7;
const PARTS = ['line-23', 'line-54'];
/** Largest counts of the two vehicle models, as examples/occupancy.yaml has them. */
const LARGEST: Readonly<Record<string, number>> = { 'volvo-8908rle': 126, 'vdl-cites-lle-120-255': 77 };
const TIMETABLE = new URL('../dictionaries/occupancy-timetable.csv', import.meta.url);

/** Writes `counts/{date}/{mode}.csv` below the folder: what the doors counted on a week of invented runs. */
export async function generateOccupancy(target: string): Promise<void> {
  const timetable = parseRunTimetable(await readFile(TIMETABLE));
  for (let day = FIRST_DAY; day < addDays(FIRST_DAY, DAYS); day = addDays(day, 1)) {
    for (const part of PARTS) {
      const path = join(target, 'counts', day, `${part}.csv`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, eventsOf(timetable, part, day));
    }
  }
}

/** The events of one part and day, the same for everybody. */
export function eventsOf(timetable: RunTimetable, part: string, day: string): string {
  const rows = runsOf(timetable, { part, day }).flatMap((run) => eventsOfRun(run, day));
  return ['trip,stop,scheduled,vehicle,boarded,alighted', ...rows, ''].join('\n');
}

function eventsOfRun({ run, vehicle, departures }: ScheduledRun, day: string): string[] {
  const model = { categories: [], minimumCounts: [], maximumCount: LARGEST[vehicle]! };
  const { boardings, alightings } = simulateRun(model, departures.length, numbersOf(`${run} ${day}`));
  return departures.map(({ stop, departure }, place) =>
    [run, stop, departure, vehicle, boardings[place], alightings[place]].join(','),
  );
}
