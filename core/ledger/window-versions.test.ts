import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import type { Reserve } from './budget.ts';
import { capsInWords, windowVersions } from './window-versions.ts';

const caps = { block: { epsilon: '16', delta: '1/500' }, year: { epsilon: '400', delta: '1/10' } };
const UNDER_CAPS =
  'It was charged under caps that hold for everything charged to the same people: ε = 16 and δ = 1/500 for one block, for ever.';

const block = (part: string, day: string, epsilon = '8') => ({ part, day, epsilon, delta: '1/1000' });

/** Entries with these charges; windowVersions reads nothing else of them. */
const entries = (...charged: [release: string, blocks: ReturnType<typeof block>[]][]): LedgerEntry[] =>
  charged.map(([release, blocks]) => ({ kind: 'reserve', release, blocks, caps }) as unknown as LedgerEntry);

const release = { series: 'gates', window: '2026-03-02', version: 1 };
const whole = [block('bus', '2026-03-02'), block('bus', '2026-03-03'), block('ferry', '2026-03-02')];

test('C12: a first version says that it is the first, and what each block cost', () => {
  expect(windowVersions(entries(['gates/2026-03-02/v1', whole]), release)).toEqual([
    'No other version of this window was charged before this one.',
    'All versions up to this one cost each of the 3 blocks: ε = 8 and δ = 1/1000 together.',
    UNDER_CAPS,
  ]);
});

test('C13: a correction adds up block by block; other windows, series and later versions are no part of it', () => {
  const ledger = entries(
    ['gates/2026-03-02/v1', whole],
    ['gates/2026-03-09/v1', whole],
    ['others/2026-03-02/v1', whole],
    ['gates/2026-03-02/v2', [block('bus', '2026-03-03')]],
    ['gates/2026-03-02/v3', whole],
  );
  expect(windowVersions(ledger, { ...release, version: 2 })).toEqual([
    'Charged before, for the same window: version 1. Losses of versions add up, whether they were published or not.',
    'All versions up to this one cost block bus/2026-03-03: ε = 16 and δ = 1/500 together.',
    'All versions up to this one cost each of the other 2 blocks: ε = 8 and δ = 1/1000 together.',
    UNDER_CAPS,
  ]);
});

test('a takeover that charges for unexplained draws of the window counts too', () => {
  const takeover = { kind: 'takeover', unexplained: [{ release: 'gates/2026-03-02/v1', blocks: whole }] };
  const ledger = [takeover as unknown as LedgerEntry, ...entries(['gates/2026-03-02/v2', whole])];
  expect(windowVersions(ledger, { ...release, version: 2 })).toContain(
    'All versions up to this one cost each of the 3 blocks: ε = 16 and δ = 1/500 together.',
  );
});

test('C14: no yearly figure is named where a unit is one trip, whose block is of one part', () => {
  expect(capsInWords({ caps, blocks: whole } as Reserve)).toBe(UNDER_CAPS);
  const blocks = [block('all', '2026-03-02')];
  expect(capsInWords({ caps, blocks } as Reserve)).toContain(
    'and ε = 400 and δ = 1/10 for one unit over any 365 consecutive days of data.',
  );
});

test('where ρ is counted, ε stands beside it in four digits, and another ε than that of the release is explained', () => {
  const caps = { block: { rho: '3/50' }, year: { rho: '8/5' }, delta: '1/1000000' };
  const blocks = [{ part: 'all', day: '2026-03-02', rho: '8750/312341' }];
  const ledger = [
    { kind: 'policy', caps },
    { kind: 'reserve', release: 'gates/2026-03-02/v1', blocks, caps },
  ] as unknown as LedgerEntry[];
  expect(windowVersions(ledger, release)).toEqual([
    'No other version of this window was charged before this one.',
    'All versions up to this one cost block all/2026-03-02: ρ = 8750/312341, at most ε = 1.078 at δ = 1/1000000, together.',
    expect.stringContaining('It is another one than the ε of a single release'),
    capsInWords({ caps, blocks } as Reserve),
  ]);
  expect(capsInWords({ caps, blocks } as Reserve)).toBe(
    'It was charged under caps that hold for everything charged to the same people: ρ = 3/50, at most ε = 1.624 at δ = 1/1000000, for one block, for ever, and ρ = 8/5, at most ε = 10.24 at δ = 1/1000000, for one unit over any 365 consecutive days of data.',
  );
});
