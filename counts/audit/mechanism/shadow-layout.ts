import type { Certificate } from '../../../contracts/certificate.ts';
import type { Partition } from '../../../contracts/names.ts';
import { addDays } from '../../../core/calendar/civil-day.ts';
import { clockLabel } from '../../../core/calendar/time-bins.ts';
import type { CellCount } from '../../mechanisms/cell-counts.ts';
import type { LeftOutCount } from '../../mechanisms/left-out.ts';
import { noiseOfCount } from '../../mechanisms/mechanisms.ts';
import type { PublicDomain } from '../../mechanisms/public-domain.ts';
import { listEnds } from '../../tables/tap-tables.ts';

/**
 * How many synthetic tables are drawn, and how many cells each has: many small ones, since a mechanism that chooses
 * among whole tables has one choice a table. Together they give 15,360 noise values of large counts and at least 2,880
 * cells of each count at the threshold. At level 2.5e-6 with a power of 99.9 % that is enough to notice a scale of 0.9 of
 * the declared one, which takes most, and all that the checks look for: shadow-layout.test.ts holds it against
 * required-samples.ts. The report says what the samples at hand would have shown.
 */
export const SHADOW_TABLES = 480;
export const CELLS = 64;
/** Cells of each table that have counts far above the threshold; the others have counts about it, and 0. */
export const HIGH_CELLS = 32;

/** A count this many scales above the threshold is suppressed with a chance of e^(−60). */
const FAR = 60;
/** Large counts, where they are further from the threshold than that. */
const LARGE = [1e3, 1e4, 1e5, 1e6];

/** The member of every location domain that stands for all other places (C4). */
export const UNKNOWN = 'UNKNOWN';
/** Length of the time bins of a table in minutes; they begin at midnight. */
export const BIN_MINUTES = 5;

/** A line of times at one place, a line of places at one time, or both. */
export const SHADOW_SHAPES = ['times', 'places', 'grid'] as const;
type Shape = (typeof SHADOW_SHAPES)[number];
/** Places of a grid. */
const WIDTH = 8;

/** Where a table is among the others. Neighbours differ in one of these, by one or by two. */
export type ShadowPlace = { window: number; version: number; part: number; day: number };

/** What is asked of the mechanism: public parameters, and counts that are made up. */
export type ShadowTable = {
  shape: Shape;
  place: ShadowPlace;
  /** First day of the window and version of the release that it is drawn for. */
  window: string;
  version: number;
  partition: Partition;
  domain: PublicDomain;
  /** True count of every cell, in the order of `cells`; a 0 is not handed over. */
  counts: number[];
  cells: CellCount[];
  /** What a bound left out of each end; empty where the certificate counts none of it. */
  leftOut: LeftOutCount[];
};

/** Counts about the threshold: empty, one, two, just under T, and T. */
export function countsAboutThreshold({ threshold }: Pick<Certificate, 'threshold'>): number[] {
  const counts = threshold === null ? [0, 1, 2] : [0, 1, 2, threshold - 1, threshold];
  return [...new Set(counts)].sort((a, b) => a - b);
}

/** The lowest of the counts far above the threshold. */
export const farCount = ({ mechanism, threshold, scale }: Certificate): number =>
  (threshold ?? 0) + Math.ceil(FAR * noiseOfCount(mechanism, scale).scale) + 1;

/**
 * Has a high cell one tap more than its base? Neighbours in a table differ (2j from 2j+1), and so does each cell from
 * itself in the next table.
 */
export const isUpper = (table: number, cell: number): boolean => ((cell + (cell >> 1) + table) & 1) === 1;

/** What a high cell holds, except for the tap of isUpper; the same for 2j and 2j+1. */
export function highBase(certificate: Certificate, cell: number): number {
  const far = farCount(certificate);
  const bases = [far, ...LARGE.map((count) => Math.max(far, count))];
  return bases[(cell >> 1) % bases.length]!;
}

function trueCounts(certificate: Certificate, table: number): number[] {
  const about = countsAboutThreshold(certificate);
  return Array.from({ length: CELLS }, (_, cell) =>
    cell < HIGH_CELLS
      ? highBase(certificate, cell) + (isUpper(table, cell) ? 1 : 0)
      : about[(cell + (cell >> 1)) % about.length]!,
  );
}

/** Left-out taps: none in half of the ends, and some in the others. */
const leftOutAt = (place: number): number => (place % 2 === 0 ? 0 : 1000);

/** The clock `bins` bins after midnight. */
export const clockAt = (bins: number): string => clockLabel(bins * BIN_MINUTES);

const FIRST_WINDOW = '2000-01-03';

/** UNKNOWN, and places with a number. */
const placeAt = (index: number): string => (index === 0 ? UNKNOWN : `place ${String(index).padStart(2, '0')}`);

/** Length and width of a shape with this number of cells for each tap. */
const SIZES = {
  times: (keys: number) => [keys, 1],
  places: (keys: number) => [1, keys],
  grid: (keys: number) => [keys / WIDTH, WIDTH],
} satisfies Record<Shape, (keys: number) => [times: number, places: number]>;

/** Digits of the number of a table, the first ones changing first: a shorter run still holds neighbours. */
function placeOf(table: number): { shape: Shape; place: ShadowPlace } {
  let rest = table;
  const digit = (base: number): number => {
    const value = rest % base;
    rest = Math.floor(rest / base);
    return value;
  };
  const [day, shape, version, laterDay, laterVersion, part, window] = [2, 3, 2, 2, 2, 2, Infinity].map(digit);
  return {
    shape: SHADOW_SHAPES[shape!]!,
    place: { window: window!, version: version! + 2 * laterVersion!, part: part!, day: day! + 2 * laterDay! },
  };
}

/** One table of the run. Each key has its taps beside each other; the high cells are those of the first keys. */
export function shadowTable(certificate: Certificate, table: number): ShadowTable {
  const { shape, place } = placeOf(table);
  const taps = listEnds(certificate.publish);
  const [length, width] = SIZES[shape](CELLS / taps.length);
  const counts = trueCounts(certificate, table);
  const cells = counts.map((count, cell): CellCount => {
    const key = Math.floor(cell / taps.length);
    return [taps[cell % taps.length]!, clockAt(Math.floor(key / width!)), placeAt(key % width!), count];
  });
  const window = addDays(FIRST_WINDOW, 7 * place.window);
  return {
    shape,
    place,
    window,
    version: 1 + place.version,
    partition: { part: `shadow-${place.part}`, day: addDays(window, place.day) },
    domain: {
      taps,
      times: Array.from({ length: length! }, (_, index) => clockAt(index)),
      locations: Array.from({ length: width! }, (_, index) => placeAt(index)),
    },
    counts,
    cells,
    leftOut: certificate.leftOutScale === undefined ? [] : taps.map((tap, end) => [tap, leftOutAt(table + end)]),
  };
}

/** The first tables of the run, an even number of them; fewer than all are for tests. */
export const shadowTables = (certificate: Certificate, tables: number = SHADOW_TABLES): ShadowTable[] =>
  Array.from({ length: tables }, (_, table) => shadowTable(certificate, table));
