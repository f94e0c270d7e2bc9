import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { addDays } from '../calendar/civil-day.ts';
import { overCap } from './budget.ts';
import { charge, epsilonIn, reserveEntry } from './entries.fixture.ts';
import { type IntendedRelease, planReleases, windowsFrom } from './plan-releases.ts';

const MONDAY = '2026-03-02';
const weekly = { window: { days: 7, firstWeekday: 'monday' as const, lagDays: 0 } };

/** Weekly releases of `days` days, each charging ε. */
function weeks(
  count: number,
  epsilon: string,
  caps?: { block: string; year: string },
  days = 7,
): [IntendedRelease, ...IntendedRelease[]] {
  const intend = (index: number): IntendedRelease => {
    const first = addDays(MONDAY, 7 * index);
    return { release: `taps/${first}/v1`, charged: false, ...charge(first, days, epsilon, caps) };
  };
  return [intend(0), ...Array.from({ length: count - 1 }, (_, index) => intend(index + 1))];
}

describe('windows in a row', () => {
  test('follow each other by weeks and never overlap', () => {
    expect(windowsFrom(weekly, MONDAY, 3)).toEqual(['2026-03-02', '2026-03-09', '2026-03-16']);
    const days = (days: number) => ({ window: { ...weekly.window, days } });
    expect(windowsFrom(days(3), MONDAY, 2)).toEqual(['2026-03-02', '2026-03-09']);
    expect(windowsFrom(days(10), MONDAY, 2)).toEqual(['2026-03-02', '2026-03-16']);
  });

  test('start on the weekday of the series', () => {
    expect(() => windowsFrom(weekly, '2026-03-03', 1)).toThrow(expect.objectContaining({ code: 'WINDOW_INVALID' }));
  });
});

describe('C12: a plan', () => {
  test('of a year of weekly releases adds up exactly', () => {
    const plan = planReleases([], weeks(52, '36/5'));
    expect(plan.total).toEqual({ epsilon: '1872/5', delta: '13/250000' });
    expect(plan.releases.at(-1)).toMatchObject({ year: plan.total, refusal: null, lastDay: '2027-02-28' });
    expect(plan.firstRefused).toBeNull();
  });

  test('names the first release that a cap refuses, and why', () => {
    const plan = planReleases([], weeks(6, '8', { block: '16', year: '24' }));
    expect(plan.firstRefused).toBe('taps/2026-03-23/v1');
    expect(plan.releases[3]?.refusal).toBe('One unit would reach ε = 32, over 24, the cap over 365 days of data.');
    expect(epsilonIn(plan.total)).toBe('24');
  });

  test('goes on when the oldest releases leave the 365 days', () => {
    const refused = planReleases([], weeks(60, '8', { block: '16', year: '400' })).releases.map(
      ({ refusal }) => refusal !== null,
    );
    expect(refused.slice(0, 50)).toEqual(Array(50).fill(false));
    expect(refused.slice(50)).toEqual([true, true, true, ...Array(7).fill(false)]);
  });

  test('counts what is charged already, and charges it no second time', () => {
    const [first, ...others] = weeks(3, '8', { block: '8', year: '16' });
    const plan = planReleases([first], [{ ...first, charged: true }, ...others]);
    expect(plan.releases.map(({ refusal }) => refusal !== null)).toEqual([false, false, true]);
    expect(epsilonIn(plan.total)).toBe('8');
  });

  /** What the ledger itself does when the releases are really made, one after the other. */
  function reserved(releases: readonly IntendedRelease[]): boolean[] {
    const entries: LedgerEntry[] = [];
    return releases.map((one, index) => {
      if (overCap(entries, one) !== null) return true;
      entries.push(reserveEntry(index, one.release, one));
      return false;
    });
  }

  const cases = fc.record({
    count: fc.integer({ min: 1, max: 12 }),
    days: fc.integer({ min: 1, max: 14 }),
    epsilon: fc.integer({ min: 1, max: 9 }),
    block: fc.integer({ min: 5, max: 20 }),
    year: fc.integer({ min: 5, max: 60 }),
  });
  type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;
  const releasesOf = ({ count, days, epsilon, block, year }: Case) =>
    weeks(count, String(epsilon), { block: String(block), year: String(year) }, days);
  type Planner = (releases: [IntendedRelease, ...IntendedRelease[]]) => boolean[];
  const foretells = (planner: Planner) =>
    fc.check(
      fc.property(cases, (one) => {
        const releases = releasesOf(one);
        expect(planner(releases)).toEqual(reserved(releases));
      }),
      { numRuns: 100, seed: 1 },
    );
  const planner: Planner = (releases) => planReleases([], releases).releases.map(({ refusal }) => refusal !== null);
  const forgetful: Planner = (releases) => releases.map((one) => planner([one])[0]!);

  test('foretells exactly what the ledger will refuse', () => {
    expect(foretells(planner).failed).toBe(false);
  });

  test('broken twin: a planner that forgets what it planned before is caught', () => {
    expect(foretells(forgetful).failed).toBe(true);
  });
});
