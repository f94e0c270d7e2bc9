import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { epsilonOfRho } from '../accounting/epsilon-of-rho.ts';
import { addDays, dayNumber } from '../calendar/civil-day.ts';
import {
  add,
  compare,
  divide,
  formatRational,
  multiply,
  parseRational,
  type Rational,
  rational,
  ZERO,
} from '../rational/rational.ts';
import { type Charge, charges, ledgerAccounting, overCap, type Reserve } from './budget.ts';
import { amountLeft, budgetLeft } from './budget-left.ts';
import { burnDown } from './burn-down.ts';
import { charge, reserveEntry, rulesEntry } from './entries.fixture.ts';
import { planReleases } from './plan-releases.ts';

const MONDAY = '2026-03-02';
const DELTA = '1/1000000';

type RhoCaps = { block: { rho: string }; year: { rho: string }; delta: string };
const caps = (block: string, year: string): RhoCaps => ({ block: { rho: block }, year: { rho: year }, delta: DELTA });

const inRho = (first: string, days: number, rho: string, most: RhoCaps, part = 'all'): Charge => ({
  blocks: Array.from({ length: days }, (_, at) => ({ part, day: addDays(first, at), rho })),
  caps: most,
});

const pure = (epsilon: string): Charge => {
  const { blocks, caps: limits } = charge(MONDAY, 7, epsilon);
  return { blocks: blocks.map(({ part, day }) => ({ part, day, epsilon, delta: '0' })), caps: limits };
};

const switched = (most: RhoCaps): LedgerEntry => ({ ...rulesEntry(most), order: 'ab'.repeat(32) }) as LedgerEntry;
const refused = expect.objectContaining({ code: 'POLICY_REFUSED' });

describe('@contract C12 caps in ρ', () => {
  test('are reached exactly and passed by nothing', () => {
    const most = caps('1', '1');
    const entries = [rulesEntry(most), reserveEntry(1, 'a/2026-03-02/v1', inRho(MONDAY, 7, '2/3', most))];
    expect(overCap(entries, inRho(MONDAY, 7, '1/3', most))).toBeNull();
    expect(overCap(entries, inRho(MONDAY, 7, '334/1000', most))).toContain('would reach ρ =');
    expect(overCap(entries, inRho('2027-03-01', 7, '334/1000', most))).toContain('One unit would reach ρ =');
    expect(overCap(entries, inRho('2027-03-09', 7, '1', most))).toBeNull();
  });

  test('compare ρ with ρ: neither half of it, nor the ε beside it, is held against the cap', () => {
    // ε of 1/10 at this δ is above 2: a cap compared with it would refuse, and one with half of ρ would let four through.
    const most = caps('1/4', '100');
    const one = inRho(MONDAY, 1, '1/10', most);
    expect(Number(epsilonOfRho(parseRational('1/10'), parseRational(DELTA)))).toBeGreaterThan(2);
    const entries: LedgerEntry[] = [rulesEntry(most)];
    for (const version of [1, 2]) {
      expect(overCap(entries, one)).toBeNull();
      entries.push(reserveEntry(version, `a/${MONDAY}/v${version}`, one));
    }
    expect(overCap(entries, one)).toContain('ρ = 3/10, over 1/4');
  });

  test('are never exceeded, whatever is asked for, by whom, in which order, and chosen by what was refused', () => {
    const asked = fc.record({
      first: fc.integer({ min: 0, max: 800 }),
      days: fc.integer({ min: 1, max: 9 }),
      rho: fc.constantFrom('1/72', '1/2', '7/9', '3', '1/1000000007'),
      part: fc.constantFrom('all', 'bus', 'ferry'),
    });
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 25 }), fc.boolean(), (all, tight) => {
        const most = tight ? caps('1', '3/2') : caps('4', '5');
        const entries: LedgerEntry[] = [rulesEntry(most)];
        let last = '1';
        for (const [at, { first, days, part, rho }] of all.entries()) {
          const draft = inRho(addDays(MONDAY, first), days, last === rho ? '1/2' : rho, most, part);
          if (overCap(entries, draft) !== null) continue;
          last = rho;
          entries.push(reserveEntry(at + 1, `a/${MONDAY}/v${at + 1}`, draft));
        }
        const made = entries.filter((entry): entry is Reserve => entry.kind === 'reserve');
        const total = (some: readonly Reserve[]): Rational =>
          some.map(({ blocks }) => ('rho' in blocks[0]! ? parseRational(blocks[0].rho) : ZERO)).reduce(add, ZERO);
        for (const day of Array.from({ length: 810 }, (_, one) => one)) {
          const start = dayNumber(MONDAY) + day;
          const within = (length: number, part: string | null) =>
            total(
              made.filter(({ blocks }) =>
                blocks.some(
                  (block) =>
                    (part === null || block.part === part || block.part === 'all') &&
                    dayNumber(block.day) >= start &&
                    dayNumber(block.day) < start + length,
                ),
              ),
            );
          for (const part of ['bus', 'ferry'])
            expect(compare(within(1, part), parseRational(most.block.rho))).toBeLessThanOrEqual(0);
          expect(compare(within(365, null), parseRational(most.year.rho))).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('@contract C12 a population that counted ε and δ, and counts ρ', () => {
  const most = caps('100', '200');
  const first = reserveEntry(1, `taps/${MONDAY}/v1`, pure('8'));
  const ledger = [rulesEntry(pure('8').caps), first, switched(most)];

  test('has ε²/2 of each charge of complete-domain with δ = 0, no less and no more', () => {
    expect(ledgerAccounting(ledger)).toBe('rho');
    expect(new Set(charges(ledger)[0]!.blocks.map((block) => 'rho' in block && block.rho))).toEqual(new Set(['32']));
    expect(overCap(ledger, inRho(MONDAY, 7, '68', most))).toBeNull();
    expect(overCap(ledger, inRho(MONDAY, 7, '6801/100', most))).toContain('ρ = 10001/100, over 100');
  });

  test.each<[string, LedgerEntry]>([
    ['a δ above 0', reserveEntry(2, 'taps/2026-03-09/v1', charge(MONDAY, 7, '8'))],
    ['another mechanism', { ...first, mechanism: 'stability-histogram' }],
    ['a mechanism with δ = 0 that is not complete-domain', { ...first, mechanism: 'mwem' }],
    ['an unexplained charge with a δ', takeover('complete-domain', '8', '1/10')],
    ['an unexplained charge of which nobody knows the mechanism', takeover(null, '8', '0')],
    ['an unexplained charge of another mechanism', takeover('stability-histogram', '8', '0')],
  ])('is refused with %s anywhere in its ledger', (_, entry) => {
    for (const entries of [[entry], [first, entry], [entry, first]]) {
      expect(() => charges(entries, 'rho')).toThrow(refused);
      expect(() => overCap(entries, inRho(MONDAY, 1, '1', most))).toThrow(refused);
    }
  });

  test('takes unexplained charges of complete-domain with δ = 0, too', () => {
    expect(charges([takeover('complete-domain', '2', '0')], 'rho')[0]!.blocks).toEqual([
      { part: 'bus', day: MONDAY, rho: '2' },
    ]);
  });

  test('never counts ε and δ again', () => {
    const entries = [...ledger, reserveEntry(2, 'taps/2026-03-09/v1', inRho('2026-03-09', 7, '1', most))];
    expect(() => charges(entries, 'pure')).toThrow(refused);
    expect(() => overCap(entries, pure('8'))).toThrow(refused);
  });

  function takeover(mechanism: string | null, epsilon: string, delta: string): LedgerEntry {
    const numbered = { number: 1, digest: 'ab'.repeat(32) };
    const blocks = [{ part: 'bus', day: MONDAY, epsilon, delta }];
    return {
      format: 'opaline-ledger/7',
      population: 'riders',
      sequence: 1,
      previous: null,
      kind: 'takeover',
      policy: numbered,
      trust: numbered,
      order: 'ab'.repeat(32),
      tip: null,
      mark: null,
      unexplained: [{ release: 'taps/2026-02-23/v1', mechanism, blocks }],
    };
  }
});

describe('@contract C12 wherever a cap or a sum in ρ is shown', () => {
  const most = caps('1', '3');
  const entries = [rulesEntry(most), reserveEntry(1, `taps/${MONDAY}/v1`, inRho(MONDAY, 7, '1/2', most))];
  const at = (rho: string) => ({
    rho,
    at: { epsilon: epsilonOfRho(parseRational(rho), parseRational(DELTA)), delta: DELTA },
  });

  test('ε at the δ of the policy stands beside it: burn-down, plan and what is left', () => {
    const seen = burnDown(entries);
    expect(seen).toMatchObject({ accounting: 'rho', caps: { block: at('1'), year: at('3') } });
    expect(seen.charges[0]).toMatchObject({ ...at('1/2'), year: at('1/2') });
    expect(seen.blocks[0]).toMatchObject(at('1/2'));
    const next = { ...inRho(MONDAY, 7, '1/4', most), release: `taps/${MONDAY}/v2`, charged: false };
    const plan = planReleases(charges(entries), [next]);
    expect(plan).toMatchObject({
      total: at('1/4'),
      caps: { block: at('1') },
      releases: [{ cost: at('1/4'), year: at('3/4') }],
    });
    expect(amountLeft(entries, inRho(MONDAY, 7, '1/4', most))).toEqual({
      block: at('1/2'),
      year: at('5/2'),
      caps: { block: at('1'), year: at('3') },
    });
  });

  test('the gauge is of ρ alone: ε of half of a cap is not half of its ε', () => {
    expect(budgetLeft(entries)).toEqual({ block: { rho: 0.5 }, year: { rho: expect.closeTo(5 / 6, 12) } });
  });

  test('ρ of n equal charges is n times ρ, exactly', () => {
    const wide = caps('100', '100');
    const many: LedgerEntry[] = [rulesEntry(wide)];
    for (let n = 1; n <= 53; n += 1)
      many.push(
        reserveEntry(n, `taps/${addDays(MONDAY, 7 * n)}/v1`, inRho(addDays(MONDAY, 7 * n), 7, '35/1822', wide)),
      );
    const { year } = burnDown(many).charges.at(-1)!;
    expect('rho' in year && year.rho).toBe(
      formatRational(divide(multiply(rational(53n), rational(35n)), rational(1822n))),
    );
  });
});
