import { describe, expect, test } from 'vitest';
import { type Partition, PRIVATE_KEYS } from '../../contracts/names.ts';
import * as occupancy from '../../kinds/occupancy/small-occupancy.fixture.ts';
import * as synthetic from '../../kinds/synthetic/small-synthetic.fixture.ts';
import { type SeriesChange, StageBench, sameNames } from '../../kinds/taps/private/stages.fixture.ts';
import { certificateOf } from '../../kinds/taps/taps-certificate.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import type { Binned } from '../support/day-release.ts';
import { oddLines } from './odd-lines.fixture.ts';

/**
 * C20, C6: an object with 100 odd lines, each between good ones, and the same with a good line instead of each. No code
 * distinguishes them, each odd line moves the counts as far as one unit may, and all lines around it are counted.
 */
type Counts = Map<string, number>;

const change = (one: Counts, other: Counts): number =>
  [...new Set([...one.keys(), ...other.keys()])].reduce(
    (sum, cell) => sum + Math.abs((one.get(cell) ?? 0) - (other.get(cell) ?? 0)),
    0,
  );

const lines = (parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.flatMap((part) => [Buffer.from(part), Buffer.from('\n')]));

const DAY = '2026-03-02';
const clock = (minutes: number): string =>
  `${DAY} ${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;
/** The trip that replaces the nth odd line has a time bin of its own. */
const trip = (n: number): string[] => [clock(5 * n), '2000', clock(5 * n), '2010'];
/** The trips around it are at places of their own. */
const AROUND = [clock(0), 'Central', clock(0), 'Town Hall'];
const TRIP_NAMES = ['on_time', 'on_location', 'off_time', 'off_location'];
const csv = (values: readonly string[]): string => values.join(',');
const json = (names: readonly string[]) => (values: readonly string[]) =>
  JSON.stringify(Object.fromEntries(values.map((value, n) => [names[n] ?? 'more', value])));

/** One document on a line: nothing but commas and brackets is between its rows. */
const document = (parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('{"rows":['),
    ...parts.flatMap((part, n) => [Buffer.from(n > 0 ? ',' : ''), Buffer.from(part)]),
    Buffer.from(']}'),
  ]);

/** Series of taps: what differs, the names of columns, and how a line is written. */
const TAPS: Record<string, { series: SeriesChange; names: string[]; isJson?: true; isTabbed?: true }> = {
  'trips of ragged lines with tabs': {
    series: { source: { csv: { delimiter: '\t', header: [...TRIP_NAMES, 'more'], ragged: true } } },
    names: TRIP_NAMES,
    isTabbed: true,
  },
  'trips of a JSON document': {
    series: { source: { format: 'json', json: { list: 'rows', first: 'on_time' } } },
    names: TRIP_NAMES,
    isJson: true,
  },
  'cards that are text, of a JSON document': {
    series: {
      unit: 'card-day',
      maxTaps: 2,
      source: { card: 'text', format: 'json', json: { list: 'rows', first: 'card' } },
    },
    names: ['card', ...TRIP_NAMES],
    isJson: true,
  },
  'trips of CSV': { series: {}, names: TRIP_NAMES },
  'trips of JSON': { series: { source: { format: 'jsonl' } }, names: TRIP_NAMES, isJson: true },
  'cards that are numbers, of CSV': {
    series: { unit: 'card-day', maxTaps: 2, source: { card: 'number' } },
    names: ['card', ...TRIP_NAMES],
  },
  'cards that are text, of JSON': {
    series: { unit: 'card-day', maxTaps: 2, source: { card: 'text', format: 'jsonl' } },
    names: ['card', ...TRIP_NAMES],
    isJson: true,
  },
  'cards through a select over JSON': {
    series: {
      unit: 'card-day',
      maxTaps: 2,
      source: {
        card: 'text',
        format: 'jsonl',
        columns: undefined,
        select: `SELECT json->>'$.card' AS card, ${TRIP_NAMES.map((name) => `json->>'$.${name}' AS ${name}`).join(', ')} FROM source`,
      },
    },
    names: ['card', ...TRIP_NAMES],
    isJson: true,
  },
};

describe('@contract C20 @contract C6 each of 100 odd lines costs what one unit costs', () => {
  test.each(Object.entries(TAPS))('taps: %s', async (_, { series, names, isJson, isTabbed }) => {
    const encoded = isJson ? json(names) : isTabbed ? (values: readonly string[]) => values.join('\t') : csv;
    const carded = (card: number, values: readonly string[]): string[] =>
      names.includes('card') ? [`${card}`, ...values] : [...values];
    const count = oddLines(trip(0), encoded).length;
    expect(count).toBeGreaterThanOrEqual(100);
    const good = (n: number): string[] => carded(1000 + n, trip(n));
    const counted = async (lineOf: (n: number) => string | Buffer): Promise<{ counts: Counts; d1: number }> => {
      const source = { pattern: '{date}/{mode}.txt', columns: sameNames(names), ...series.source };
      const bench = await StageBench.open({ ...series, days: 1, modes: ['bus'], minutes: 5, source });
      const all = Array.from({ length: count }, (_line, n) => [lineOf(n), encoded(carded(n, AROUND))]).flat();
      const rows = [...(isJson || isTabbed ? [] : [csv(names)]), encoded(carded(9999, AROUND)), ...all];
      await bench.deliver(`${DAY}/bus.txt`, bench.series.source.format === 'json' ? document(rows) : lines(rows));
      expect(await bench.count()).toEqual([]);
      const cells = await bench.cells('bus', DAY);
      const { d1 } = certificateOf(bench.series);
      await bench.close();
      return { counts: new Map(cells.map(([tap, time, place, taps]) => [`${tap} ${time} ${place}`, taps])), d1 };
    };
    const usual = await counted((n) => encoded(good(n)));
    const odd = Array.from({ length: count }, (_line, n) => oddLines(good(n), encoded)[n]!);
    const other = await counted((n) => odd[n]!);
    for (const end of ['on 00:00 Central Station', 'off 00:00 Town Hall Station'])
      expect([usual.counts.get(end), other.counts.get(end)]).toEqual([count + 1, count + 1]);
    const timesOf = (counts: Counts, time: string): Counts =>
      new Map([...counts].filter(([cell]) => cell.includes(` ${time} `)));
    for (const [n, line] of odd.entries()) {
      const time = clock(5 * n).slice(11, 16);
      const moved = change(timesOf(usual.counts, time), timesOf(other.counts, time));
      expect(moved, line.toString().slice(0, 100)).toBeLessThanOrEqual(usual.d1);
    }
  });

  const stored = async ({ context, run }: Binned, partition: Partition): Promise<unknown> =>
    JSON.parse((await readBytes(context.privateStore, PRIVATE_KEYS.cells(run, 0, partition))).toString('utf8'));

  test('rows of synthetic data', async () => {
    const good = ['c', clock(600), 'B1', 'child'];
    const around = csv(['c', clock(490), 'A1', 'adult']);
    const odd = oddLines(good, csv);
    const counted = async (some: readonly (string | Buffer)[]): Promise<number[]> => {
      const rows = [synthetic.HEADER, around, ...some.flatMap((line) => [line, around])];
      const binned = await synthetic.binSmall({ ...synthetic.TRIPS, 'bus.csv': lines(rows) });
      expect(binned.faults).toEqual([]);
      const { cells } = (await stored(binned, synthetic.PARTITIONS[0]!)) as { cells: [number, number][] };
      return cells.map(([, rowsOfCell]) => rowsOfCell).sort((a, b) => b - a);
    };
    expect(await counted(odd.map(() => csv(good)))).toEqual([odd.length + 1, odd.length]);
    const [first, ...others] = await counted(odd);
    // No odd line is in the cell of those around, and each makes one row at most.
    expect(first).toBe(odd.length + 1);
    expect(others.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(odd.length);
    expect(others.length).toBeGreaterThan(1);
  });

  test('events of occupancy', async () => {
    const good = ['n2', 'A', '09:00', 'bus', '2', '1'];
    const counted = async (some: readonly (string | Buffer)[]): Promise<Counts> => {
      const around = ['n1,A,08:00,mini,1,0', 'n1,B,08:10:30,mini,0,1'];
      const rows = [occupancy.HEADER_DOORS, ...some.flatMap((line) => [around[0]!, line, around[1]!])];
      const binned = await occupancy.binSmall({ ...occupancy.NO_EVENTS, 'north.csv': lines(rows) });
      expect(binned.faults).toEqual([]);
      const { runs } = (await stored(binned, occupancy.PARTITIONS[0]!)) as { runs: [string, number[][]][] };
      return new Map(
        runs.flatMap(([run, numbers]) =>
          numbers.flatMap((ofOne, n) => ofOne.map((sum, at): [string, number] => [`${run} ${n} ${at}`, sum])),
        ),
      );
    };
    const odd = oddLines(good, csv);
    const [usual, without, other] = [
      await counted(odd.map(() => csv(good))),
      await counted(odd.map(() => '')),
      await counted(odd),
    ];
    // An event is of one departure of one run: those of other runs have the counts that they have without it.
    const elsewhere = (counts: Counts) => [...counts].filter(([name]) => !name.startsWith('n2 '));
    expect(elsewhere(other)).toEqual(elsewhere(without));
    expect(elsewhere(usual)).toEqual(elsewhere(without));
    expect(change(usual, without)).toBeGreaterThan(0);
  });
});
