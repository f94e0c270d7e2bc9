import type { Certificate } from '../../../contracts/certificate.ts';
import type { PrivatizedTable } from '../../../contracts/formats/privatized-table.ts';
import type { Partition } from '../../../contracts/names.ts';
import type { CellCount } from '../../mechanisms/cell-counts.ts';
import type { PublicDomain } from '../../mechanisms/public-domain.ts';
import { parseRational, toNumber } from '../../rational/rational.ts';
import { binOf, excessBinOf, type NoiseBins, noiseBinsOf } from './noise-bins.ts';
import {
  countsAboutThreshold,
  farCount,
  HIGH_CELLS,
  isUpper,
  SHADOW_TABLES,
  type ShadowTable,
  shadowTable,
} from './shadow-layout.ts';
import type { EventTally, NoiseTally, PairTally, RunCount, ShadowCounts } from './tallies.ts';

/** A mechanism under test: in production the one that draws every release. */
export type ShadowMechanism = (
  partition: Partition,
  counts: readonly CellCount[],
  domain: PublicDomain,
) => Pick<PrivatizedTable, 'cells' | 'margins'>;

/** What came back of one table, cell by cell in the order of the layout; null where nothing was published. */
type Drawn = ShadowTable & { published: (number | null)[]; margins: { time: Margin; location: Margin } };
type Margin = (number | null)[] | null;

/**
 * Runs a mechanism on synthetic tables and counts what it did (C15). Each cell is one run: its noise is drawn for it
 * alone, which the pairs watch over. `tables` is even; fewer are for tests.
 */
export function countShadow(
  certificate: Certificate,
  mechanism: ShadowMechanism,
  tables: number = SHADOW_TABLES,
): ShadowCounts {
  const drawn = Array.from({ length: tables }, (_, table) => draw(shadowTable(certificate, table), mechanism));
  const cells = allCells(drawn);
  const bins = binsOf(certificate.scale);
  const { time, location } = certificate.marginScales;
  const far = farCount(certificate);
  return {
    appearances: [...countsAboutThreshold(certificate), far].map((count) => ({
      count,
      published: frequency(cells, count, (value) => value !== null),
    })),
    belowThreshold: cells.filter(({ value }) => value !== null && value < lowest(certificate)).length,
    overThreshold: certificate.threshold === null ? null : excesses(cells, certificate.threshold, bins),
    noise: tally(
      bins,
      noiseWhere(cells, (count) => count >= far),
    ),
    zeros:
      certificate.threshold === null
        ? tally(
            bins,
            noiseWhere(cells, (count) => count === 0),
          )
        : null,
    margins: {
      time: time === undefined ? null : tally(binsOf(time), marginNoise(drawn, 'time')),
      location: location === undefined ? null : tally(binsOf(location), marginNoise(drawn, 'location')),
    },
    pairs: pairTallies(drawn, certificate),
    events: eventTallies(drawn, cells, certificate),
  };
}

const binsOf = (scale: string): NoiseBins => noiseBinsOf(toNumber(parseRational(scale)));
const lowest = ({ threshold }: Certificate): number => threshold ?? Number.NEGATIVE_INFINITY;

function draw(table: ShadowTable, mechanism: ShadowMechanism): Drawn {
  const { partition, domain, cells, lone } = table;
  const result = mechanism(
    partition,
    cells.filter(([, , , count]) => count > 0),
    domain,
  );
  const known = new Map(result.cells.map(([tap, time, location, count]) => [`${tap} ${time} ${location}`, count]));
  const published = cells.map(([tap, time, location]) => known.get(`${tap} ${time} ${location}`) ?? null);
  const loneMargin = new Map(result.margins?.[lone].map(([tap, key, count]) => [`${tap} ${key}`, count]));
  const marginOf: Margin = cells.map(
    ([tap, time, location]) => loneMargin.get(`${tap} ${lone === 'time' ? time : location}`) ?? null,
  );
  const margins = { time: null, location: null, [lone]: marginOf };
  return { ...table, published, margins };
}

const minus = (value: number | null, count: number): number | null => (value === null ? null : value - count);

type Cell = { count: number; value: number | null };
const allCells = (drawn: readonly Drawn[]): Cell[] =>
  drawn.flatMap(({ counts, published }) => counts.map((count, cell) => ({ count, value: published[cell]! })));

function frequency(cells: readonly Cell[], count: number, event: (value: number | null) => boolean): RunCount {
  const runs = cells.filter((cell) => cell.count === count);
  return { events: runs.filter(({ value }) => event(value)).length, runs: runs.length };
}

function excesses(cells: readonly Cell[], threshold: number, bins: NoiseBins): number[] {
  const counts = Array<number>(bins.last + 1).fill(0);
  for (const { count, value } of cells)
    if (count === threshold && value !== null && value >= threshold) counts[excessBinOf(bins, value - threshold)]! += 1;
  return counts;
}

const noiseWhere = (cells: readonly Cell[], wanted: (count: number) => boolean): (number | null)[] =>
  cells.filter(({ count }) => wanted(count)).map(({ count, value }) => minus(value, count));

const marginNoise = (drawn: readonly Drawn[], kind: 'time' | 'location'): (number | null)[] =>
  drawn.flatMap(({ counts, margins }) => marginResiduals(counts, margins[kind]));

const marginResiduals = (counts: readonly number[], margin: Margin): (number | null)[] =>
  (margin ?? []).map((value, cell) => minus(value, counts[cell]!));

function tally(bins: NoiseBins, values: readonly (number | null)[]): NoiseTally {
  const result: NoiseTally = { bins: Array<number>(2 * bins.last + 1).fill(0), sumOfSizes: 0, missing: 0 };
  for (const value of values) {
    if (value === null) {
      result.missing += 1;
      continue;
    }
    result.bins[binOf(bins, value)]! += 1;
    result.sumOfSizes += Math.abs(value);
  }
  return result;
}

type Residuals = readonly [first: number | null, second: number | null];

/** Pairs of one list share no noise value, so that they are independent of each other. */
function pairTallies(drawn: readonly Drawn[], { marginScales }: Certificate): PairTally[] {
  const far = drawn.map(({ counts, published }) =>
    published.slice(0, HIGH_CELLS).map((value, cell) => minus(value, counts[cell]!)),
  );
  const half = HIGH_CELLS / 2;
  const even = (_: unknown, index: number): boolean => index % 2 === 0;
  const margins = (['time', 'location'] as const).filter((kind) => marginScales[kind] !== undefined);
  return [
    pairTally(
      'neighbouring cells',
      true,
      far.flatMap((list) => list.filter(even).map((value, j): Residuals => [value, list[2 * j + 1]!])),
    ),
    pairTally(
      'distant cells',
      true,
      far.flatMap((list) => list.slice(0, half).map((value, j): Residuals => [value, list[j + half]!])),
    ),
    pairTally(
      'cells of two partitions',
      true,
      far.filter(even).flatMap((list, t) => list.map((value, j): Residuals => [value, far[2 * t + 1]![j]!])),
    ),
    ...margins.map((kind) =>
      pairTally(
        `cells and ${kind} margins`,
        false,
        drawn.flatMap(({ counts, margins: drawnMargins }, t) => {
          const residuals = marginResiduals(counts, drawnMargins[kind]);
          return far[t]!.flatMap((value, cell): Residuals[] =>
            residuals.length === 0 ? [] : [[value, residuals[cell]!]],
          );
        }),
      ),
    ),
  ];
}

function pairTally(name: string, sameScale: boolean, pairs: readonly Residuals[]): PairTally {
  const signed = pairs.filter(([first, second]) => first && second);
  return {
    name,
    sameScale,
    pairs: pairs.length,
    equal: pairs.filter(([first, second]) => first === second).length,
    signed: signed.length,
    agreeing: signed.filter(([first, second]) => first! > 0 === second! > 0).length,
  };
}

function eventTallies(drawn: readonly Drawn[], cells: readonly Cell[], certificate: Certificate): EventTally[] {
  const about = countsAboutThreshold(certificate);
  const appears = (value: number | null): boolean => value !== null;
  const steps = about.slice(1).flatMap((count): EventTally[] =>
    certificate.threshold === null || !about.includes(count - 1)
      ? []
      : [
          {
            name: `a cell goes from ${count - 1} to ${count} and appears`,
            taps: 1,
            present: frequency(cells, count, appears),
            absent: frequency(cells, count - 1, appears),
          },
        ],
  );
  const far = farCount(certificate);
  const reaches = (value: number | null): boolean => value !== null && value > far;
  const large = {
    name: LARGE_COUNT,
    taps: 1,
    present: frequency(cells, far + 1, reaches),
    absent: frequency(cells, far, reaches),
  };
  const within = drawn.flatMap(({ published }, table) =>
    evenCells.map((cell) => substitution(isUpper(table, cell), published[cell]!, published[cell + 1]!)),
  );
  const across = drawn.flatMap(({ published }, table) =>
    table % 2 === 1
      ? []
      : published
          .slice(0, HIGH_CELLS)
          .map((value, cell) => substitution(isUpper(table, cell), value, drawn[table + 1]!.published[cell]!)),
  );
  return [
    ...steps,
    large,
    substitutionTally('a tap moves to another cell', within),
    substitutionTally('a tap moves to another partition', across),
  ];
}

/** The event that needs no threshold. */
export const LARGE_COUNT = 'a large count goes up by one and shows it';

const evenCells = Array.from({ length: HIGH_CELLS / 2 }, (_, index) => 2 * index);

/** One run of a tap that is in the first of two cells (`upper`) or in the second. */
type Substitution = { upper: boolean; event: boolean };
const substitution = (upper: boolean, first: number | null, second: number | null): Substitution => ({
  upper,
  event: (first ?? 0) > (second ?? 0),
});

function substitutionTally(name: string, runs: readonly Substitution[]): EventTally {
  const tallied = (upper: boolean): RunCount => {
    const own = runs.filter((run) => run.upper === upper);
    return { events: own.filter(({ event }) => event).length, runs: own.length };
  };
  return { name, taps: 2, present: tallied(true), absent: tallied(false) };
}
