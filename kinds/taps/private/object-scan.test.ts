import { expect, test, vi } from 'vitest';
import { StageBench } from './stages.fixture.ts';
import { writeRejects } from './tally.ts';

vi.mock('./tally.ts', { spy: true });

const CANARY = 'CANARY7f3a';
const DAY = '2026-03-02';
const contentOf = (mode: string): string =>
  `on_time,on_location,off_time,off_location\n${CANARY}${mode},,,\n${DAY} 08:00,2000,,\n`;

let bench: StageBench;

test('@contract C5: a list of rejects that cannot be made is a private diagnostic, and the taps count', async () => {
  bench = await StageBench.open({ days: 1 });
  for (const mode of ['bus', 'train']) await bench.deliver(`${DAY}/${mode}.csv`, contentOf(mode));
  vi.mocked(writeRejects).mockRejectedValueOnce(new Error(`Out of Memory Error: ${CANARY}`));
  // Whichever of the two is listed first.
  expect(await bench.count()).toEqual([]);
  expect(await bench.allCells()).toEqual([`bus ${DAY} on 08:00 2000 = 1`, `train ${DAY} on 08:00 2000 = 1`]);
  expect(await bench.diagnostics()).toMatch(new RegExp(`rejects ${DAY}/(bus|train).csv`));
  // The other object has its list.
  expect(await bench.reasons()).toEqual(['time-unreadable']);
});
