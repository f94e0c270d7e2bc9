import { beforeEach, expect, test, vi } from 'vitest';
import { scanObject } from './object-scan.ts';
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

/** Who was scanned, in turn, and whether alone. */
const scans = (): string[] =>
  vi.mocked(scanObject).mock.calls.map(([{ isAlone }, { pins }]) => `${pins[0].key}${isAlone ? ' alone' : ''}`);

test('objects are scanned beside each other, each once', async () => {
  expect(await bench.count()).toEqual([]);
  expect(scans()).toEqual(KEYS);
  expect(await bench.allCells()).toEqual([`bus ${DAY} on 08:00 2000 = 1`, `train ${DAY} on 08:00 2000 = 1`]);
});

test('@contract C6: an object that finds no memory beside another is scanned again alone, and counted once', async () => {
  vi.mocked(scanObject).mockRejectedValueOnce(noMemory());
  expect(await bench.count()).toEqual([]);
  expect(scans()).toEqual([...KEYS, `${KEYS[0]} alone`]);
  expect(await bench.allCells()).toEqual([`bus ${DAY} on 08:00 2000 = 1`, `train ${DAY} on 08:00 2000 = 1`]);
});

test('@contract C6: one that finds none alone either is at fault, and the other is counted', async () => {
  const { scanObject: scan } = await vi.importActual<typeof import('./object-scan.ts')>('./object-scan.ts');
  vi.mocked(scanObject).mockImplementation(async (...given) => {
    if (given[1].pins[0].key === KEYS[0]) throw noMemory();
    await scan(...given);
  });
  expect(await bench.count()).toEqual([
    { object: KEYS[0], code: 'OBJECT_TOO_LARGE', partitions: [{ part: 'bus', day: DAY }] },
  ]);
  expect(await bench.allCells()).toEqual([`train ${DAY} on 08:00 2000 = 1`]);
});
