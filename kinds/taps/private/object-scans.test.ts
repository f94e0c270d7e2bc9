import { beforeEach, expect, test, vi } from 'vitest';
import { type Scan, scanObject } from './object-scan.ts';
import { StageBench } from './stages.fixture.ts';

vi.mock('./object-scan.ts', { spy: true });

const DAY = '2026-03-02';
const KEYS = ['bus', 'train'].map((mode) => `${DAY}/${mode}.csv`);
const HEADER = 'on_time,on_location,off_time,off_location';
/** Objects of the same bytes would be one. */
const contentOf = (key: string): string => `${HEADER}\n${DAY} 08:00,2000,,\n${key},,,\n`;
const noMemory = (): Error => new Error('Out of Memory Error: failed to allocate');

let bench: StageBench;
beforeEach(async () => {
  vi.mocked(scanObject).mockReset();
  bench = await StageBench.open({ days: 1 });
  for (const key of KEYS) await bench.deliver(key, contentOf(key));
});

/** Who was scanned, and whether alone. Threads begin in any order. */
const scans = (): string[] =>
  vi
    .mocked(scanObject)
    .mock.calls.map(([{ isAlone }, { object }]) => `${object.pins[0].key}${isAlone ? ' alone' : ''}`)
    .sort();

/** An object finds no memory when it is scanned in this way. */
async function refuseMemory(key: string | undefined, when: (scan: Scan) => boolean): Promise<void> {
  const { scanObject: scan } = await vi.importActual<typeof import('./object-scan.ts')>('./object-scan.ts');
  vi.mocked(scanObject).mockImplementation(async (...given) => {
    if (given[1].object.pins[0].key === key && when(given[0])) throw noMemory();
    await scan(...given);
  });
}

test('objects are scanned beside each other, each once', async () => {
  expect(await bench.count()).toEqual([]);
  expect(scans()).toEqual(KEYS);
  expect(await bench.allCells()).toEqual([`bus ${DAY} on 08:00 2000 = 1`, `train ${DAY} on 08:00 2000 = 1`]);
});

test('@contract C6: an object that finds no memory beside another is scanned again alone, and counted once', async () => {
  await refuseMemory(KEYS[0], ({ isAlone }) => !isAlone);
  expect(await bench.count()).toEqual([]);
  expect(scans()).toEqual([KEYS[0], `${KEYS[0]} alone`, KEYS[1]]);
  expect(await bench.allCells()).toEqual([`bus ${DAY} on 08:00 2000 = 1`, `train ${DAY} on 08:00 2000 = 1`]);
});

test('@contract C6: one that finds none alone either is at fault, and the other is counted', async () => {
  await refuseMemory(KEYS[0], () => true);
  expect(await bench.count()).toEqual([
    { object: KEYS[0], code: 'OBJECT_TOO_LARGE', partitions: [{ part: 'bus', day: DAY }] },
  ]);
  expect(await bench.allCells()).toEqual([`train ${DAY} on 08:00 2000 = 1`]);
});
