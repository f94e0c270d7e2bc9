import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { dayFromNumber, dayNumber } from '../calendar/civil-day.ts';
import { formatRational, parseRational } from '../rational/rational.ts';
import { blockTotal, charges, overCap, overCapOf, yearPeak } from './budget.ts';
import { epsilonIn, head, terms } from './entries.fixture.ts';

type Reserve = Extract<LedgerEntry, { kind: 'reserve' }>;

const caps = (block: string, year: string) => ({
  block: { epsilon: block, delta: '1/1000' },
  year: { epsilon: year, delta: '1/1000' },
});

function reserve(first: string, days: number, epsilon: string, limits = caps('1000', '1000')): Reserve {
  const blocks = Array.from({ length: days }, (_, index) => ({
    part: 'bus',
    day: dayFromNumber(dayNumber(first) + index),
    epsilon,
    delta: '1/1000000',
  }));
  const charge = '00000000-0000-4000-8000-000000000000';
  const release = `taps/${first}/v1`;
  return {
    ...head,
    kind: 'reserve',
    charge,
    release,
    unit: 'trip',
    ...terms,
    blocks,
    caps: limits,
  };
}

describe('C12: the cap of a block', () => {
  test('adds every charge of the block, for ever, and leaves other blocks alone', () => {
    const entries = [reserve('2020-01-01', 7, '1/3'), reserve('2020-01-05', 7, '1/2')];
    expect(formatRational(epsilonIn(blockTotal(charges(entries), 'bus', '2020-01-05')))).toBe('5/6');
    expect(formatRational(epsilonIn(blockTotal(charges(entries), 'bus', '2020-01-01')))).toBe('1/3');
    expect(formatRational(epsilonIn(blockTotal(charges(entries), 'train', '2020-01-05')))).toBe('0');
  });

  test('is reached exactly and not passed by any amount', () => {
    const limits = caps('1', '1000');
    expect(overCap([reserve('2020-01-01', 1, '2/3')], reserve('2020-01-01', 1, '1/3', limits))).toBeNull();
    const more = '1000000000000000001/3000000000000000000';
    expect(overCap([reserve('2020-01-01', 1, '2/3')], reserve('2020-01-01', 1, more, limits))).toContain(
      'bus/2020-01-01',
    );
  });

  test('counts a block twice that a charge names twice', () => {
    const twice = (cap: string): Reserve => {
      const once = reserve('2020-01-01', 1, '1/2', caps(cap, '1000'));
      return { ...once, blocks: [...once.blocks, ...once.blocks] };
    };
    expect(overCap([], twice('1'))).toBeNull();
    expect(overCap([], twice('2/3'))).toContain('Block bus/2020-01-01 would reach ε = 1, over 2/3');
  });

  test('a withheld charge stays spent', () => {
    const withheld: LedgerEntry = { ...reserve('2020-01-01', 1, '1'), kind: 'withhold', reason: 'rejected' } as never;
    expect(
      overCap([reserve('2020-01-01', 1, '1'), withheld], reserve('2020-01-01', 1, '1', caps('1', '1000'))),
    ).not.toBeNull();
  });
});

describe('C12: δ alone', () => {
  const delta = (block: string, year: string) => ({
    block: { epsilon: '1000', delta: block },
    year: { epsilon: '1000', delta: year },
  });
  const spent = [reserve('2020-01-01', 1, '1/3'), reserve('2020-03-01', 1, '1/3')];

  test('is held against the cap of a block', () => {
    const once = (cap: string) => overCap(spent, reserve('2020-01-01', 1, '1/3', delta(cap, '1')));
    expect(once('2/1000000')).toBeNull();
    expect(once('1999999/1000000000000')).toBe(
      'Block bus/2020-01-01 would reach δ = 1/500000, over 1999999/1000000000000, the cap of a block.',
    );
  });

  test('is held against the cap over 365 days of data', () => {
    const third = (cap: string) => overCap(spent, reserve('2020-06-01', 1, '1/3', delta('1', cap)));
    expect(third('3/1000000')).toBeNull();
    expect(third('2999999/1000000000000')).toBe(
      'One unit would reach δ = 3/1000000, over 2999999/1000000000000, the cap over 365 days of data.',
    );
  });
});

describe('C12: the cap over 365 consecutive days of data', () => {
  test('a release counts once, however many of its blocks lie in the span', () => {
    expect(formatRational(epsilonIn(yearPeak([reserve('2020-01-01', 7, '8')], [{ day: '2020-01-03' }])))).toBe('8');
    // Half of the year around these days is no day of the calendar.
    for (const edge of ['0001-01-01', '9999-12-25'])
      expect(formatRational(epsilonIn(yearPeak([reserve(edge, 7, '8')], [{ day: edge }])))).toBe('8');
  });

  test('charges 365 days apart share no span, 364 days apart they do', () => {
    const first = reserve('2020-01-01', 1, '3');
    const day = (after: number) => dayFromNumber(dayNumber('2020-01-01') + after);
    expect(formatRational(epsilonIn(yearPeak([first, reserve(day(365), 1, '3')], [{ day: day(365) }])))).toBe('3');
    expect(formatRational(epsilonIn(yearPeak([first, reserve(day(364), 1, '3')], [{ day: day(364) }])))).toBe('6');
  });

  test('is the largest sum over every span that touches the days', () => {
    const charge = fc.record({
      start: fc.integer({ min: 0, max: 1200 }),
      days: fc.integer({ min: 1, max: 14 }),
      epsilon: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(charge, { minLength: 1, maxLength: 12 }), (charges) => {
        const drafts = charges.map(({ start, days, epsilon }) =>
          reserve(dayFromNumber(18_000 + start), days, String(epsilon)),
        );
        const own = drafts.at(-1)!.blocks;
        const touching = (from: number) => own.some(({ day }) => dayNumber(day) >= from && dayNumber(day) < from + 365);
        let largest = 0;
        for (let from = 17_000; from < 19_400; from++) {
          if (!touching(from)) continue;
          const inSpan = charges.filter(
            ({ start, days }) => 18_000 + start < from + 365 && 18_000 + start + days > from,
          );
          largest = Math.max(
            largest,
            inSpan.reduce((sum, { epsilon }) => sum + epsilon, 0),
          );
        }
        expect(formatRational(epsilonIn(yearPeak(drafts, own)))).toBe(formatRational(parseRational(String(largest))));
      }),
      { numRuns: 60 },
    );
  });
});

describe('C12: blocks of every part', () => {
  const charge = (parts: string[], epsilon: string) => ({
    blocks: parts.map((part) => ({ part, day: '2026-03-02', epsilon, delta: '0' })),
    caps: caps('16', '1000'),
  });

  test('a unit that may be in all parts is charged once a day, and adds to every part of it', () => {
    expect(overCapOf([charge(['bus', 'ferry'], '8')], charge(['all'], '8'))).toBeNull();
    expect(overCapOf([charge(['bus', 'ferry'], '8')], charge(['all'], '9'))).toContain('Block all/2026-03-02');
    expect(overCapOf([charge(['all'], '8')], charge(['ferry'], '9'))).toContain('Block ferry/2026-03-02');
    expect(overCapOf([charge(['all'], '8'), charge(['bus'], '8')], charge(['ferry'], '8'))).toBeNull();
  });

  test('charges of a takeover count as spent, and leave no cap', () => {
    const unexplained = [{ release: 'taps/2026-03-02/v9', blocks: charge(['bus'], '12').blocks }];
    const entry = { kind: 'takeover', unexplained } as unknown as LedgerEntry;
    expect(overCap([entry], charge(['bus'], '8'))).toContain('ε = 20, over 16');
  });
});
