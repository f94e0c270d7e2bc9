import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../contracts/certificate.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { isRho } from '../../core/accounting/charged-amount.ts';
import { deltaAt } from '../../core/accounting/loss-curve.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { burnDown } from '../../core/ledger/burn-down.ts';
import { reserveEntry, rulesEntry } from '../../core/ledger/entries.fixture.ts';
import { compare, formatRational, parseRational, rational } from '../../core/rational/rational.ts';
import vectors from '../../test/vectors/discrete-gaussian.json' with { type: 'json' };
import { type CertificateRequest, certify } from '../certificate/certify.ts';
import { TRIP_REQUEST } from '../certificate/trip-request.fixture.ts';
import { type Account, accountOf, epsilonOfSchedule } from './account.ts';
import { releaseLoss } from './release-loss.ts';

const WITH_MARGINS: CertificateRequest = { ...TRIP_REQUEST, split: { cells: '36/5', time: '3/10', location: '1/2' } };
const CARD: CertificateRequest = { ...TRIP_REQUEST, unit: 'card-window', maxTaps: 6, epsilon: '1' };

const certificates = fc
  .record({
    base: fc.constantFrom(
      TRIP_REQUEST,
      WITH_MARGINS,
      CARD,
      { ...CARD, maxTaps: 40 },
      { ...TRIP_REQUEST, publish: 'on' as const },
    ),
    neighbours: fc.constantFrom('replace-one' as const, 'add-remove' as const),
    checks: fc.constantFrom(undefined, '1/20'),
    scale: fc.constantFrom('1/10', '1', '2'),
  })
  .map(({ base, neighbours, checks, scale }): Certificate => {
    const split = checks === undefined || base === WITH_MARGINS ? base.split : { ...base.split, checks };
    const epsilon = base === WITH_MARGINS ? base.epsilon : scale;
    return certify({ ...base, neighbours, epsilon, split });
  });

function expectOrdered({ basic, optimal, numeric }: Account): void {
  expect(compare(optimal.epsilon, basic.epsilon)).toBeLessThanOrEqual(0);
  expect(compare(numeric.epsilon, optimal.epsilon)).toBeLessThanOrEqual(0);
  expect(compare(basic.delta, optimal.delta)).toBeLessThanOrEqual(0);
}

describe('accounts @contract C14', () => {
  test('figures for 1, 10 and 52 releases', () => {
    const accounts = [1, 10, 52].map((releases) => accountOf(certify(TRIP_REQUEST), releases));
    expect(accounts[2]!.basic).toEqual({ epsilon: rational(416n), delta: parseRational('52e-6') });
    expect(accounts[2]!.optimal.delta).toEqual(parseRational('53e-6'));
    accounts.forEach(expectOrdered);
  });

  test('numeric ≤ optimal ≤ basic, and all grow with releases', () => {
    fc.assert(
      fc.property(certificates, fc.integer({ min: 11, max: 60 }), (certificate, year) => {
        const accounts = [1, 10, year].map((releases) => accountOf(certificate, releases));
        accounts.forEach(expectOrdered);
        for (const [i, account] of accounts.slice(1).entries()) {
          for (const part of ['basic', 'optimal', 'numeric'] as const) {
            expect(compare(account[part].epsilon, accounts[i]![part].epsilon)).toBe(1);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  test('on an exact grid a release is (ε, δ) as certified, and no better', () => {
    for (const request of [TRIP_REQUEST, WITH_MARGINS, CARD]) {
      const certificate = certify(request);
      const loss = releaseLoss(certificate, 1);
      const upper = parseRational(certificate.deltaUpper);
      expect(compare(deltaAt(loss, parseRational(certificate.epsilon)), upper)).toBeLessThanOrEqual(0);
      const little = { ...certificate, epsilon: '1' };
      const below = parseRational(little.epsilon);
      const shortOfIt = rational(
        99n * parseRational(certificate.epsilon).numerator,
        100n * parseRational(certificate.epsilon).denominator,
      );
      expect(compare(below, parseRational(certificate.epsilon))).toBeLessThanOrEqual(0);
      expect(compare(deltaAt(loss, shortOfIt), upper)).toBe(1);
    }
  });

  test('margins and checks count: without them the loss is smaller', () => {
    const whole = accountOf(certify(WITH_MARGINS), 52);
    const certificate = certify(WITH_MARGINS);
    const without = accountOf({ ...certificate, marginScales: {} }, 52);
    expect(compare(without.numeric.epsilon, whole.numeric.epsilon)).toBe(-1);
    const checked = accountOf(certify({ ...TRIP_REQUEST, split: { checks: '1/2' } }), 52);
    const unchecked = accountOf(
      { ...certify({ ...TRIP_REQUEST, split: { checks: '1/2' } }), split: { cells: '15/2' } },
      52,
    );
    expect(compare(unchecked.numeric.epsilon, checked.numeric.epsilon)).toBe(-1);
  });

  test('rejects count once: without them the loss is smaller, and it is no larger than by their ε alone', () => {
    const counted = certify({ ...TRIP_REQUEST, rejects: { bus: 9 }, split: { checks: '1/2' } });
    const { leftOutScale: _, ...without } = counted;
    const whole = accountOf(counted, 52).numeric.epsilon;
    expect(compare(accountOf(without, 52).numeric.epsilon, whole)).toBe(-1);
    const byShare = accountOf(certify({ ...TRIP_REQUEST, split: { checks: '1/2' } }), 52).numeric.epsilon;
    expect(compare(whole, byShare)).not.toBe(1);
  });

  test('left-out taps count: without them the loss is smaller, and with a larger clamp it is the same', () => {
    const card = { ...TRIP_REQUEST, unit: 'card-day', maxTaps: 2 } as const;
    const counted = (clamp: number) => certify({ ...card, clamp, split: { bounded: '2' } });
    const { leftOutScale: _, ...without } = counted(2);
    const whole = accountOf(counted(2), 52).numeric.epsilon;
    expect(compare(accountOf(without, 52).numeric.epsilon, whole)).toBe(-1);
    // A basic sum knows shares alone; all of them in one count lose at most the share, whatever the clamp.
    expect(accountOf(counted(9), 52).basic).toEqual(accountOf(counted(2), 52).basic);
  });

  test('an odd split is put on a coarse grid, and stays above the exact figure', () => {
    const odd = certify({ ...WITH_MARGINS, split: { cells: '7.2001', time: '0.2999', location: '1/2' } });
    const exact = accountOf(certify(WITH_MARGINS), 52).numeric.epsilon;
    const coarse = accountOf(odd, 52).numeric.epsilon;
    expect(compare(coarse, rational(99n * exact.numerator, 100n * exact.denominator))).toBe(1);
    expect(compare(coarse, rational(101n * exact.numerator, 100n * exact.denominator))).toBe(-1);
  });

  test('complete-domain has no δ, and then δ′ is a millionth', () => {
    const account = accountOf(certify({ ...TRIP_REQUEST, mechanism: 'complete-domain', delta: '0' }), 52);
    expect(account.numeric.delta).toEqual(parseRational('1e-6'));
    expectOrdered(account);
  });

  test('of the 2017 algorithm only (ε, δ) is used', () => {
    const split = { cells: '2', time: '4', location: '2' };
    expectOrdered(accountOf(certify({ ...TRIP_REQUEST, mechanism: 'sbh-2017', split }), 52));
  });

  test('a δ that says nothing is cut at 1', () => {
    const { numeric } = accountOf(certify({ ...TRIP_REQUEST, delta: '1/10' }), 52);
    expect(numeric).toEqual({ epsilon: rational(0n), delta: rational(1n) });
  });

  test.each([0, 1.5, 367, Number.NaN])('%d releases are refused', (releases) => {
    expect(() => accountOf(certify(TRIP_REQUEST), releases)).toThrow('whole number from 1 to 366');
  });

  test('broken twin: a figure that forgets one tap of the trip is below the true one', () => {
    const certificate = certify(TRIP_REQUEST);
    const twin = accountOf({ ...certificate, publish: 'on' }, 52);
    expect(compare(twin.numeric.epsilon, accountOf(certificate, 52).numeric.epsilon)).toBe(-1);
  });
});

describe('@contract C12 C14 a year of weeks for people, fixed beforehand, and as the ledger adds it up', () => {
  const WEEK = certify({
    mechanism: 'discrete-gaussian',
    unit: 'card-window',
    maxTaps: 28,
    place: 2,
    neighbours: 'add-remove',
    publish: 'on+off',
    epsilon: '1',
    delta: '1e-8',
    split: { cells: '4/5', time: '2/25', location: '3/25' },
  });

  const YEARS = vectors.cases.filter(({ kind }) => kind === 'year');

  type Asked = { k?: number; place?: number; windows?: number; delta?: string } & Record<
    'cells' | 'time' | 'location',
    unknown
  >;

  /** The week of a year, as a certificate. */
  function weekOf({ k, place = 1, windows, delta, ...asked }: Partial<Asked>, rhoOfYear: string) {
    const texts = [asked.cells, asked.time, asked.location].map((one) => (one ? String(one) : null));
    const [cells, time, location] = texts;
    const marginScales = { ...(time && { time }), ...(location && { location }) };
    const [numerator, denominator] = rhoOfYear.split('/');
    const rho = formatRational(parseRational(`${numerator}/${Number(denominator) * windows!}`));
    return { ...WEEK, scale: String(cells), marginScales, maxTaps: k!, place, delta: delta!, rho };
  }

  test.each(YEARS)('$id: the exact ε to a hundredth', ({ in: asked, out }) => {
    expect(compare(epsilonOfSchedule(weekOf(asked, out.rho!), asked.windows!), parseRational(out.eps!))).toBe(0);
  });

  test('53 weeks: 8.63 by the exact curve, 9.07 by the sum of ρ in the ledger, at the same δ', () => {
    const { in: asked, out: year } = YEARS.find(({ in: { windows } }) => windows === 53)!;
    const week = weekOf(asked, year.rho!);
    const most = { block: { rho: '1' }, year: { rho: '8/5' }, delta: '1/100000000' };
    const entries: LedgerEntry[] = [rulesEntry(most)];
    // 53 weeks that 365 days from a Saturday on touch: one day of the first and of each other all seven.
    const first = '2026-03-01';
    for (let at = 0; at < 53; at++) {
      const window = addDays(first, 7 * at);
      const blocks = Array.from({ length: 7 }, (_, day) => ({
        part: 'all',
        day: addDays(window, day),
        rho: week.rho,
      }));
      entries.push(reserveEntry(at + 1, `people/${window}/v1`, { blocks, caps: most }));
    }
    const of = burnDown(entries).charges.at(-1)!.year;
    if (!isRho(of) || of.at === null) throw new Error('no ε beside ρ');
    expect(of.rho).toBe(year.rho);
    expect(Number(of.at.epsilon)).toBeGreaterThanOrEqual(Number(year.eps_of_rho));
    expect(Number(of.at.epsilon) / Number(year.eps_of_rho)).toBeLessThan(1.0005);
    const exact = epsilonOfSchedule(week, 53);
    expect(exact).toEqual(parseRational(year.eps!));
    expect(compare(exact, parseRational(of.at.epsilon!))).toBe(-1);
    expect(epsilonOfSchedule(WEEK, 53)).toEqual(exact);
    expect(compare(epsilonOfSchedule(week, 52), exact)).toBe(-1);
  });
});
