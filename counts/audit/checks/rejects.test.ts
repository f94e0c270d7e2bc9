import { expect, test } from 'vitest';
import { inColumns, type RowSubject } from '../../../test/support/row-subject.ts';
import { certify } from '../../certificate/certify.ts';
import { TRIP_REQUEST } from '../../certificate/trip-request.fixture.ts';
import { ALL, type CountRow } from '../../derive/count-row.ts';
import { type AuditSubject, NO_KNOWLEDGE } from '../subject.ts';
import { checkRejects } from './rejects.ts';

const MONDAY = '2026-03-02';
const numbers = (mode: string, tap: CountRow['tap'], count: number): CountRow => ({
  mode,
  day: MONDAY,
  tap,
  time: ALL,
  location: ALL,
  count,
});

/** What the check looks at, of a release of one day with limits of 100 for buses and 5 for ferries. */
function subject(leftOut: CountRow[] | null): AuditSubject {
  const domain = { taps: new Set<string>(), times: new Set<string>(), locations: null };
  const certificate = certify({
    ...TRIP_REQUEST,
    rejects: { bus: 100, ferry: 5 },
    split: { checks: '1' },
  });
  const modes = ['bus', 'bus-rapid', 'ferry'];
  const released: Partial<RowSubject> = {
    certificate,
    cells: [],
    hours: [],
    remainder: [],
    drawn: null,
    parquet: [],
    knowledge: { ...NO_KNOWLEDGE, earlier: [], siblings: [] },
    domains: new Map(modes.map((mode) => [`${mode}/${MONDAY}`, domain])),
    tables: { cells: null, time: null, location: null, hours: null, remainder: null, margins: null, leftOut },
  };
  return inColumns(released as RowSubject);
}

const BELOW = [
  numbers('bus', 'off', -3),
  numbers('bus', 'on', 103),
  numbers('bus-rapid', 'on', 900),
  numbers('ferry', 'off', 2),
  numbers('ferry', 'on', 3),
];

test('@contract C5 rejects up to the limit of their mode and day pass', () => {
  expect(checkRejects(subject(BELOW))).toMatchObject({ verdict: 'pass', statistic: 0 });
});

test('@contract C5 one more, of both ends together, fails by name', () => {
  const [first, ...others] = BELOW;
  const found = checkRejects(subject([{ ...first!, count: -2 }, ...others]));
  expect(found).toMatchObject({ verdict: 'fail', statistic: 1 });
  expect(found.sentence).toContain(`bus/${MONDAY} (about 101 of at most 100)`);
});

test('@contract C5 a number that is not there fails: nobody can take it out of a publication', () => {
  expect(checkRejects(subject(BELOW.slice(0, 3))).sentence).toContain(`ferry/${MONDAY} (no number)`);
  expect(checkRejects(subject(null))).toMatchObject({ verdict: 'fail', statistic: 2 });
});
