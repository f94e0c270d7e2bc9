import { writeFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { judgeTotals, sideOfUsual } from '../../counts/audit/warnings/usual-taps.ts';
import { hasChanged, readEvidence, writeEvidence } from '../support/evidence.ts';
import { seededSource } from '../support/seeded-source.ts';
import { countSeen, type Fate, townWeek } from './honest-town.fixture.ts';
import { page, type UsualRow } from './page.ts';

const HONEST_RUNS = 10_000;
const RUNS = 500;
/** Earlier weeks. */
const HISTORIES = [4, 6, 8, 12];

/** What is lost on Wednesday, or in the whole week. */
const LOSSES: [name: string, fate: Fate, parts: readonly string[]][] = [
  ['a lost day of the trains', (part, day) => (part === 'train' && day === 2 ? 0 : 1), ['train']],
  ['a lost day of the trams', (part, day) => (part === 'tram' && day === 2 ? 0 : 1), ['tram']],
  [
    'a lost day of the ferry, which hardly has more taps than noise',
    (part, day) => (part === 'ferry' && day === 2 ? 0 : 1),
    ['ferry'],
  ],
  ['half a day of the buses', (part, day) => (part === 'bus' && day === 2 ? 0.5 : 1), ['bus']],
  ['all trams of a week', (part) => (part === 'tram' ? 0 : 1), ['tram']],
  ['a bus line with a quarter of the taps, all week', (part) => (part === 'bus' ? 0.75 : 1), ['bus']],
  ['a bus line with a tenth of the taps, all week', (part) => (part === 'bus' ? 0.9 : 1), ['bus']],
  ['a file of the buses twice, on one day', (part, day) => (part === 'bus' && day === 2 ? 2 : 1), ['bus']],
];

const namedIn = (seed: number, weeks: number, fate?: Fate): string[] => {
  const { totals, history } = townWeek(seededSource(seed), weeks + 1, fate);
  return judgeTotals(totals, history).flatMap((one) => (sideOfUsual(one) ? [one.now.part] : []));
};

const rows: UsualRow[] = [];
afterAll(async () => {
  if (rows.length !== HISTORIES.length * (LOSSES.length + 1)) return;
  const measures = ['counts/audit/warnings', 'test/power/honest-town.fixture.ts'];
  writeEvidence('power-usual', { command: 'npm run power', measures, rows });
  const evidence = readEvidence('power')!;
  await writeFile(new URL('../../docs/power.md', import.meta.url), page(evidence, hasChanged(evidence)));
});

test.each(HISTORIES)('of honest weeks with %s weeks before them at most 1 in 100 is named', (weeks) => {
  const seen = countSeen(HONEST_RUNS, (seed) => namedIn(seed, weeks).length > 0);
  rows.push({ what: 'an honest week', weeks, runs: HONEST_RUNS, seen });
  expect(seen).toBeLessThanOrEqual(HONEST_RUNS / 100);
});

test.each(LOSSES)('how often %s is seen', (what, fate, parts) => {
  for (const weeks of HISTORIES) {
    const seen = countSeen(RUNS, (seed) => namedIn(seed, weeks, fate).some((part) => parts.includes(part)));
    rows.push({ what, weeks, runs: RUNS, seen });
  }
  expect(rows.length).toBeGreaterThan(0);
});
