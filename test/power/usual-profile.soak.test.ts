import { writeFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { shiftedDays } from '../../counts/audit/warnings/usual-profile.ts';
import { hasChanged, readEvidence, writeEvidence } from '../support/evidence.ts';
import { seededSource } from '../support/seeded-source.ts';
import { countSeen, TOWN, townProfiles } from './honest-town.fixture.ts';
import { page, type UsualRow } from './page.ts';

const HONEST_RUNS = 500;
const RUNS = 50;
/** Earlier weeks; no more are compared. */
const HISTORIES = [4, 8];
const LATE = [1, 2, 12];
const WRONG = Object.keys(TOWN).flatMap((part) => LATE.map((hours) => [part, hours] as const));

/** The modes that are named where the clock of the Wednesday of one is wrong. */
const namedIn = (seed: number, weeks: number, late: number, wrong?: string): string[] => {
  const isWrong = (part: string, weekday: number) => (part === wrong && weekday === 2 ? late : 0);
  const { now, before, unusual } = townProfiles(seededSource(seed), weeks + 1, isWrong);
  return shiftedDays(now, before, unusual).flatMap(({ partition, later }) =>
    later === 0 ? [] : [partition.slice(0, partition.indexOf('/'))],
  );
};

const rows: UsualRow[] = [];
afterAll(async () => {
  if (rows.length !== HISTORIES.length * (WRONG.length + 1)) return;
  const measures = ['counts/audit/warnings', 'test/power/honest-town.fixture.ts'];
  writeEvidence('power-clock', { command: 'npm run power', measures, rows });
  const evidence = readEvidence('power')!;
  await writeFile(new URL('../../docs/power.md', import.meta.url), page(evidence, hasChanged(evidence)));
});

test.each(HISTORIES)(
  'of honest weeks with %s weeks before them at most 1 in 100 has a clock that seems wrong',
  (weeks) => {
    const seen = countSeen(HONEST_RUNS, (seed) => namedIn(seed, weeks, 0).length > 0);
    rows.push({ what: 'an honest week', weeks, runs: HONEST_RUNS, seen });
    expect(seen).toBeLessThanOrEqual(HONEST_RUNS / 100);
  },
);

test.each(WRONG)('how often a clock of the %s that is wrong by %s hours is seen', (part, hours) => {
  for (const weeks of HISTORIES) {
    const seen = countSeen(RUNS, (seed) => namedIn(seed, weeks, hours, part).includes(part));
    rows.push({ what: `${part}: one day ${hours} ${hours === 1 ? 'hour' : 'hours'} late`, weeks, runs: RUNS, seen });
  }
  expect(rows.length).toBeGreaterThan(0);
});
