import type { Certificate } from '../../../contracts/certificate.ts';
import { type Partition, TAPS } from '../../../contracts/names.ts';
import type { CellCount } from '../../mechanisms/cell-counts.ts';
import type { PublicDomain } from '../../mechanisms/public-domain.ts';
import { parseRational, toNumber } from '../../rational/rational.ts';

/**
 * How many synthetic tables are drawn, and how many cells each has. Together they give 16,000 noise values and at least
 * 6,400 cells of each count at the threshold. At level 2.5e-6 with a power of 99.9 % that is enough to notice a scale of
 * 0.9 of the declared one, which takes most, and all that the checks look for: shadow-layout.test.ts holds it against
 * required-samples.ts. The report says what the samples at hand would have shown.
 */
export const TABLES = 40;
export const CELLS = 1200;
/** So many cells of each table have counts far above the threshold; the others have counts about it, and 0. */
export const HIGH_CELLS = 400;

/** A count so many scales above the threshold is suppressed with a chance of e^(−60). */
const FAR = 60;

/** What is asked of the mechanism: public parameters, and counts that are made up. */
export type ShadowTable = {
  partition: Partition;
  domain: PublicDomain;
  /** Which kind of line holds one cell alone, so that its margin is that cell's count. */
  lone: 'time' | 'location';
  /** True count of every cell, in the order of `cells`; a 0 is not handed over. */
  counts: number[];
  cells: CellCount[];
};

/** Counts about the threshold: empty, one, two, just under T, and T. */
export function countsAboutThreshold({ threshold }: Pick<Certificate, 'threshold'>): number[] {
  const counts = threshold === null ? [0, 1, 2] : [0, 1, 2, threshold - 1, threshold];
  return [...new Set(counts)].sort((a, b) => a - b);
}

/** The lower of the two counts far above the threshold. */
export const farCount = ({ threshold, scale }: Certificate): number =>
  (threshold ?? 0) + Math.ceil(FAR * toNumber(parseRational(scale))) + 1;

/**
 * Does a far cell have the upper of the two counts? Neighbours in a table differ (2j from 2j+1), and so does each cell
 * from itself in the next table.
 */
export const isUpper = (table: number, cell: number): boolean => ((cell + (cell >> 1) + table) & 1) === 1;

function trueCounts(certificate: Certificate, table: number): number[] {
  const far = farCount(certificate);
  const about = countsAboutThreshold(certificate);
  return Array.from({ length: CELLS }, (_, cell) =>
    cell < HIGH_CELLS ? far + (isUpper(table, cell) ? 1 : 0) : about[(cell + table) % about.length]!,
  );
}

const label = (place: number): string => String(place).padStart(4, '0');

/** One table of the run: a line of places at one time, or of times at one place; each cell twice with taps on and off. */
export function shadowTable(certificate: Certificate, table: number): ShadowTable {
  const taps = TAPS.filter((tap) => certificate.publish === 'on+off' || certificate.publish === tap);
  const line = Array.from({ length: CELLS / taps.length }, (_, place) => label(place));
  const lone = (table >> 1) % 2 === 0 ? 'time' : 'location';
  const counts = trueCounts(certificate, table);
  const cells = counts.map((count, cell): CellCount => {
    const key = line[Math.floor(cell / taps.length)]!;
    const [time, location] = lone === 'time' ? [key, ALONE] : [ALONE, key];
    return [taps[cell % taps.length]!, time, location, count];
  });
  return {
    partition: { part: 'shadow', day: table % 2 === 0 ? '2000-01-01' : '2000-01-02' },
    domain: { taps, times: lone === 'time' ? line : [ALONE], locations: lone === 'time' ? [ALONE] : line },
    lone,
    counts,
    cells,
  };
}

const ALONE = 'alone';
