import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import { addDays } from '../../../core/calendar/civil-day.ts';
import { readCells, requireLeftOut } from './cells.ts';
import { type SeriesChange, StageBench, sameNames } from './stages.fixture.ts';

let bench: StageBench;
afterEach(() => bench?.close());

const [MONDAY, TUESDAY] = ['2026-03-02', '2026-03-03'] as const;
const NAMES = ['mode', 'on_time', 'on_location', 'off_time', 'off_location'];
const TAPS = ['mode', 'tap', 'time', 'location'];
const PRIVACY = { rejects: { bus: 100 }, split: { checks: '1' } };

async function open(names: readonly string[], change: SeriesChange = {}): Promise<void> {
  const source = { pattern: '{date}.csv', columns: sameNames(names), ...change.source };
  bench = await StageBench.open({ days: 2, privacy: PRIVACY, ...change, source });
}

/** Delivers objects of lines, and counts; the rejects as `bus 2026-03-02 on = 3`, those of a partition in order. */
async function rejects(objects: Record<string, readonly string[]>, names = NAMES): Promise<string[]> {
  for (const [key, lines] of Object.entries(objects))
    await bench.deliver(key, `${[names.join(), ...lines].map((line) => `${line}\n`).join('')}`);
  expect(await bench.count()).toEqual([]);
  const found: string[] = [];
  for (const partition of bench.partitions) {
    const counts = requireLeftOut(
      await readCells(bench.context.privateStore, PRIVATE_KEYS.cells(bench.run(), 0, partition)),
    );
    const shown = counts.filter(([, count]) => count > 0).sort();
    found.push(...shown.map(([tap, count]) => `${partition.part} ${partition.day} ${tap} = ${count}`));
  }
  return found.sort();
}

const good = (day: string, mode = 'bus'): string => `${mode},${day} 08:00,2000,${day} 08:30,2010`;

describe('@contract C5 rejected taps', () => {
  test('of trips count for the day of their object, their mode, and their end', async () => {
    await open(NAMES);
    const lines = [
      good(MONDAY),
      `train,soon,2000,${MONDAY} 08:30,2010`,
      'bus,soon,2000,late,2010',
      'tram,soon,2000,late,2010',
      'bus,,,,',
      `bus,${MONDAY} 08:00,${'x'.repeat(5000)},${MONDAY} 08:30,2010`,
      'one,two',
      good('2026-02-20'),
    ];
    const before = ['bus,soon,2000,late,2010'];
    expect(await rejects({ '2026-03-01.csv': before, [`${MONDAY}.csv`]: lines, [`${TUESDAY}.csv`]: [] })).toEqual([
      // soon, no such mode, no tap, too long, no row, another day; without the line that is no row at the other end
      `bus ${MONDAY} off = 4`,
      `bus ${MONDAY} on = 6`,
      `train ${MONDAY} on = 1`,
    ]);
  });

  test('of single taps without an end count for the first; of an end that is not published they do not count', async () => {
    await open(TAPS, { source: { rows: 'taps' }, publish: 'on' });
    const lines = ['bus,on,soon,2000', 'bus,off,soon,2000', `train,none,${TUESDAY} 08:00,2000`];
    const objects = { [`${MONDAY}.csv`]: [], [`${TUESDAY}.csv`]: lines };
    expect(await rejects(objects, TAPS)).toEqual([`bus ${TUESDAY} on = 1`, `train ${TUESDAY} on = 1`]);
  });

  test('of a file of a month count in the window that holds its first day', async () => {
    const change = { source: { pattern: '{month}.csv', columns: sameNames(NAMES) }, privacy: PRIVACY };
    bench = await StageBench.open({ ...change, firstWeekday: 'sunday' }, '2026-03-01');
    const spoilt = ['bus,soon,2000,,', `bus,${MONDAY} soon,2000,,`];
    expect(await rejects({ '2026-03.csv': spoilt })).toEqual(['bus 2026-03-01 on = 2']);
    await bench.close();
    bench = await StageBench.open(change);
    expect(await rejects({ '2026-03.csv': spoilt })).toEqual([]);
  });

  test('no line makes more than two, and each is counted once', async () => {
    const days = Array.from({ length: 28 }, (_, index) => addDays(MONDAY, index));
    const text = (day: string) => fc.constantFrom('', 'soon', `${day} 08:00`, `${addDays(day, 1)} 00:10`, MONDAY);
    const lineOf = (day: string) =>
      fc.oneof(
        fc.constantFrom('x', '"', good(day), 'tram,soon,a,late,b', good('2026-02-01')),
        fc
          .tuple(fc.constantFrom('bus', 'train', 'tram', ''), text(day), text(day))
          .map(([mode, on, off]) => `${mode},${on},2000,${off},`),
      );
    await open(NAMES, { days: days.length });
    const lines = days.map((day, seed) => fc.sample(lineOf(day), { seed, numRuns: 1 })[0]!);
    const found = await rejects(Object.fromEntries(days.map((day, at) => [`${day}.csv`, [lines[at]!]])));
    const each = days.map((day) => sumOf(found.filter((row) => row.includes(day))));
    expect(Math.max(...each)).toBe(2);
    expect(sumOf(found)).toBe((await bench.rejects()).length);
  });
});

const sumOf = (rows: readonly string[]): number => rows.reduce((sum, row) => sum + Number(row.split(' = ')[1]), 0);
