import { writeFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { findShifts } from '../../counts/audit/warnings/usual-profile.ts';
import { hasChanged, readEvidence, writeEvidence } from '../support/evidence.ts';
import { seededSource } from '../support/seeded-source.ts';
import { countSeen, TOWN, townProfiles } from './honest-town.fixture.ts';
import { page, type UsualRow } from './page.ts';

const HONEST_RUNS = 250;
const RUNS = 40;
/** Earlier weeks; no more are compared. */
const HISTORIES = [4, 8];
const LATE = [1, 2, 12];

/** The modes that are named where the clock of the Wednesday of each is wrong: each mode is judged by itself. */
const namedIn = (seed: number, weeks: number, late: number): string[] => {
  const { now, before, unusual } = townProfiles(seededSource(seed), weeks + 1, (_, weekday) =>
    weekday === 2 ? late : 0,
  );
  return findShifts(now, before, unusual).flatMap(({ partition, later }) =>
    later === 0 ? [] : [partition.slice(0, partition.indexOf('/'))],
  );
};

const rows: UsualRow[] = [];
afterAll(async () => {
  if (rows.length !== HISTORIES.length * (LATE.length * Object.keys(TOWN).length + 1)) return;
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

test.each(LATE)('how often a clock that is wrong by %s hours is seen', (hours) => {
  for (const weeks of HISTORIES) {
    const seen = new Map(Object.keys(TOWN).map((part) => [part, 0]));
    countSeen(RUNS, (seed) => {
      for (const part of new Set(namedIn(seed, weeks, hours))) seen.set(part, seen.get(part)! + 1);
      return true;
    });
    for (const [part, times] of seen)
      rows.push({
        what: `${part}: one day ${hours} ${hours === 1 ? 'hour' : 'hours'} late`,
        weeks,
        runs: RUNS,
        seen: times,
      });
  }
  expect(rows.length).toBeGreaterThan(0);
});
