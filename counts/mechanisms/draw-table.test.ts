import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Certificate } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { drawTable, drawTableWith, type Noise } from '../../test/support/draw-rows.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import type { TableRows } from '../../test/support/table-of-rows.ts';
import { certify } from '../certificate/certify.ts';
import { TRIP_REQUEST } from '../certificate/trip-request.fixture.ts';
import type { CellCount } from './cell-counts.ts';
import type { PublicDomain } from './public-domain.ts';

const partition = { part: 'bus', day: '2026-03-02' };
const domain: PublicDomain = {
  taps: ['on', 'off'],
  times: ['08:00', '07:45', '08:15'],
  locations: ['2010', 'UNKNOWN', '2000', 'Ænd'],
};

function certificateOf(change: Partial<Parameters<typeof certify>[0]> = {}): Certificate {
  return certify({
    ...TRIP_REQUEST,
    split: { cells: '36/5', time: '3/10', location: '1/2' },
    ...change,
  });
}
const withMargins = certificateOf();
const withoutMargins = certificateOf({ split: { cells: '8' } });
const complete = certificateOf({ mechanism: 'complete-domain', delta: '0' });

const counts: CellCount[] = [
  ['on', '08:00', '2000', 500],
  ['off', '08:15', 'UNKNOWN', 40],
  ['on', '07:45', '2010', 1],
  ['off', '07:45', '2000', 25],
];

/** Noise by key: what is not named is 0. */
function noiseOf(cells: Record<string, number>, margins: Record<string, number> = {}): Noise {
  return {
    cell: (tap, time, location) => cells[`${tap} ${time} ${location}`] ?? 0,
    time: (tap, time) => margins[`${tap} ${time}`] ?? 0,
    location: (tap, location) => margins[`${tap} ${location}`] ?? 0,
    leftOut: (tap) => margins[tap] ?? 0,
  };
}

const isAscending = (rows: readonly (readonly (string | number)[])[]): boolean =>
  rows.every((row, place) => {
    const before = rows[place - 1];
    if (!before) return true;
    const at = row.findIndex((part, column) => part !== before[column]);
    return at < row.length - 1 && row[at]! > before[at]!;
  });

test('C8: a cell is published iff its noisy count reaches the threshold, and an empty cell never', () => {
  const threshold = withoutMargins.threshold!;
  const cells: CellCount[] = [
    ['on', '07:45', '2000', 3],
    ['on', '07:45', '2010', 3],
  ];
  const noise = noiseOf({ 'on 07:45 2000': threshold - 3, 'on 07:45 2010': threshold - 4, 'on 08:00 2000': 1000 });
  const table = drawTableWith(noise, partition, cells, domain, withoutMargins);
  expect(table).toEqual({
    format: 'opaline-privatized-table/3',
    part: partition.part,
    day: partition.day,
    cells: [['on', '07:45', '2000', threshold]],
    hours: null,
    margins: null,
    remainder: null,
  });
});

test('C8: a complete domain has every cell, the empty ones with noise too, and keeps negative counts', () => {
  const table = drawTableWith(noiseOf({ 'on 08:15 2010': -3 }), partition, counts, domain, complete);
  expect(table.cells.length).toBe(2 * 3 * 4);
  expect(isAscending(table.cells)).toBe(true);
  expect(table.cells).toContainEqual(['on', '08:15', '2010', -3]);
  expect(table.cells).toContainEqual(['off', '08:15', 'UNKNOWN', 40]);
  const drawn = drawTable(partition, [], domain, complete, seededSource(3));
  expect(drawn.cells.some((cell) => cell[3] !== 0)).toBe(true);
});

test('C8: noisy margins cover every time and location of each tap, zeros too, and are the exact sums plus their noise', () => {
  const table = drawTableWith(noiseOf({}, { 'on 07:45': -2, 'off Ænd': 7 }), partition, counts, domain, withMargins);
  expect(table.margins).toEqual({
    time: [
      ['off', '07:45', 25],
      ['off', '08:00', 0],
      ['off', '08:15', 40],
      ['on', '07:45', -1],
      ['on', '08:00', 500],
      ['on', '08:15', 0],
    ],
    location: [
      ['off', '2000', 25],
      ['off', '2010', 0],
      ['off', 'UNKNOWN', 40],
      ['off', 'Ænd', 7],
      ['on', '2000', 500],
      ['on', '2010', 1],
      ['on', 'UNKNOWN', 0],
      ['on', 'Ænd', 0],
    ],
  });
});

test('C9: remainder rows cover the domain whatever was published, and both sides of a tap have one total', () => {
  for (const cells of [counts, []]) {
    for (let seed = 0; seed < 20; seed++) {
      const table = drawTable(partition, cells, domain, withMargins, seededSource(seed));
      const { time, location } = table.remainder!;
      expect([time.length, location.length]).toEqual([6, 8]);
      expect([...time, ...location].every(([, , count]) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
      for (const tap of ['on', 'off'] as const) {
        const total = (rows: typeof time) => rows.reduce((sum, row) => sum + (row[0] === tap ? row[2] : 0), 0);
        expect(total(time)).toBe(total(location));
      }
    }
  }
});

test('C8: an empty partition is drawn like any other', () => {
  const table = drawTable(partition, [], domain, withMargins, seededSource(1));
  expect(table.cells).toEqual([]);
  expect(table.margins!.time.length).toBe(6);
  expect(drawTable(partition, [], domain, withoutMargins, seededSource(1))).toEqual({
    format: 'opaline-privatized-table/3',
    part: partition.part,
    day: partition.day,
    cells: [],
    hours: null,
    margins: null,
    remainder: null,
  });
});

test('C8: with one margin only, that margin has remainders and the other has no rows', () => {
  const certificate = certificateOf({ split: { cells: '7', time: '1' } });
  const table = drawTable(partition, counts, domain, certificate, seededSource(1));
  expect(table.margins!.location).toEqual([]);
  expect(table.remainder!.location).toEqual([]);
  expect(table.remainder!.time.length).toBe(6);
});

test('C18: rows are in lexicographic order and equal counts give equal bytes, in whatever order they come', () => {
  const large = counts.map(([tap, time, location]): CellCount => [tap, time, location, 1000]);
  const tables = [large, large.toReversed()].map((cells) =>
    canonicalJson(drawTable(partition, cells, domain, withMargins, seededSource(9))),
  );
  expect(tables[0]).toBe(tables[1]);
  const table: TableRows = JSON.parse(tables[0]!);
  for (const rows of [
    table.cells,
    table.margins!.time,
    table.margins!.location,
    table.remainder!.time,
    table.remainder!.location,
  ])
    expect(isAscending(rows)).toBe(true);
  expect(isAscending(table.cells.toReversed())).toBe(false);
});

/** Draws for every key of the domain, around 0. */
const noiseArbitrary = fc.record({
  cells: fc.dictionary(keysOf(3), fc.integer({ min: -12, max: 12 })),
  margins: fc.dictionary(keysOf(2), fc.integer({ min: -40, max: 40 })),
});
function keysOf(parts: 2 | 3) {
  const time = fc.constantFrom(...domain.times);
  const location = fc.constantFrom(...domain.locations);
  const tap = fc.constantFrom(...domain.taps);
  const key = parts === 3 ? fc.tuple(tap, time, location) : fc.tuple(tap, fc.oneof(time, location));
  return key.map((members) => members.join(' '));
}
const countsArbitrary = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom(...domain.taps),
    fc.constantFrom(...domain.times),
    fc.constantFrom(...domain.locations),
    fc.integer({ min: 1, max: 30 }),
  ),
  { selector: ([tap, time, location]) => `${tap} ${time} ${location}`, minLength: 1 },
);

/** One more tap in the cell, with the noise of the cell and of both its margins one less. */
function oneMore([tap, time, location]: CellCount, { cells, margins }: { cells: Draws; margins: Draws }): Noise {
  const less = (draws: Draws, key: string) => ({ ...draws, [key]: (draws[key] ?? 0) - 1 });
  return noiseOf(
    less(cells, `${tap} ${time} ${location}`),
    less(less(margins, `${tap} ${time}`), `${tap} ${location}`),
  );
}
type Draws = Record<string, number>;

for (const [name, certificate] of Object.entries({ withMargins, withoutMargins, complete }))
  test(`C20: D with a draw, and D+1 with that draw minus 1, give the same table (${name})`, () => {
    fc.assert(
      fc.property(countsArbitrary, noiseArbitrary, (cells, draws) => {
        const [first, ...rest] = cells as [CellCount, ...CellCount[]];
        const more: CellCount[] = [[first[0], first[1], first[2], first[3] + 1], ...rest];
        const before = drawTableWith(noiseOf(draws.cells, draws.margins), partition, cells, domain, certificate);
        const after = drawTableWith(oneMore(first, draws), partition, more, domain, certificate);
        expect(canonicalJson(after)).toBe(canonicalJson(before));
      }),
      { numRuns: 300, seed: 1 },
    );
  });

test('C20: a new cell that is not published changes nothing else', () => {
  fc.assert(
    fc.property(countsArbitrary, noiseArbitrary, fc.integer({ min: -9, max: 1 }), (cells, draws, draw) => {
      const fresh: CellCount = [cells[0]![0], cells[0]![1], cells[0]![2], 1];
      const others = cells.slice(1);
      const key = fresh.slice(0, 3).join(' ');
      const before = drawTableWith(noiseOf(draws.cells, draws.margins), partition, others, domain, withMargins);
      const hidden = oneMore(fresh, { ...draws, cells: { ...draws.cells, [key]: draw } });
      const after = drawTableWith(hidden, partition, [...others, fresh], domain, withMargins);
      expect(canonicalJson(after)).toBe(canonicalJson(before));
    }),
    { numRuns: 300, seed: 2 },
  );
});

test('C20: a broken twin that writes down how many cells it suppressed is caught', () => {
  const twin = (cells: CellCount[], noise: Noise) => {
    const table = drawTableWith(noise, partition, cells, domain, withMargins);
    return canonicalJson({ ...table, suppressed: cells.length - table.cells.length });
  };
  const fresh: CellCount = ['on', '08:15', 'Ænd', 1];
  const hidden = oneMore(fresh, { cells: {}, margins: {} });
  expect(twin([...counts, fresh], hidden)).not.toBe(twin(counts, noiseOf({})));
});

test('C8: mistakes in the counts are refused, and the message holds no data', () => {
  const secret = 'card 4711';
  const bad: unknown[][] = [
    ['on', '07:45', '2000', 0],
    ['on', '07:45', '2000', -1],
    ['on', '07:45', '2000', 1.5],
    ['on', '07:45', '2000', 2 ** 53],
    ['on', '07:45', secret, 1],
    ['on', '07:50', '2000', 1],
    ['through', '07:45', '2000', 1],
    ['on', '08:00', '2000', 3],
  ];
  for (const row of bad) {
    const attempt = () =>
      drawTable(partition, [...counts, row as unknown as CellCount], domain, withMargins, seededSource(1));
    expect(attempt).toThrow(TypeError);
    expect(attempt).not.toThrow(/4711|07:|2000|\d/);
  }
  const repeated = { ...domain, times: ['07:45', '08:00', '08:15', '07:45'] };
  expect(() => drawTable(partition, [], repeated, withMargins, seededSource(1))).toThrow(TypeError);
});

test('C8: a histogram without a usable threshold is refused, and sbh-2017 draws no release', () => {
  for (const threshold of [null, 1, 0, 8.5])
    expect(() => drawTable(partition, counts, domain, { ...withMargins, threshold }, seededSource(1))).toThrow(
      TypeError,
    );
  const historic = { ...withMargins, mechanism: 'sbh-2017' as const };
  expect(() => drawTable(partition, counts, domain, historic, seededSource(1))).toThrow(OpalineError);
});
