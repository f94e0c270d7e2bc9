import { OpalineError } from '../../../contracts/errors.ts';
import {
  add,
  compare,
  ONE,
  parseRational,
  type Rational,
  rational,
  subtract,
  ZERO,
} from '../../../core/rational/rational.ts';
import { csvFields, csvRow, formatCsvRecord, LINE_END } from '../../../core/text/csv.ts';
import type { ExactTable } from './exact-delta.ts';
import { WEIGHT_BITS, type WeightTable } from './weights.ts';

/** A profile as a file has it: names of the categories, and a row of probabilities for each passenger count from 0. */
export type ProfileFile = { categories: string[]; table: ExactTable };

const PASSENGERS = 'passenger_count';
/** A row of printed probabilities that adds up to something else than this near 1 is no law that was meant. */
const SUM_TOLERANCE = rational(1n, 1_000_000n);

/**
 * The CSV of apc-anonymizer: passenger_count and a column for each category; each probability is weight/2^40, exactly.
 */
export function formatProfile(categories: readonly string[], weights: WeightTable): string {
  const records = weights.map((row, passengers) => [String(passengers), ...row.map(exactDecimal)]);
  return [[PASSENGERS, ...categories], ...records].map((fields) => formatCsvRecord(fields) + LINE_END).join('');
}

/** weight/2^bits has as many decimals as bits at most: weight·5^bits/10^bits. */
function exactDecimal(weight: bigint): string {
  const digits = `${weight * 5n ** BigInt(WEIGHT_BITS)}`.padStart(WEIGHT_BITS + 1, '0');
  const decimals = digits.slice(-WEIGHT_BITS).replace(/0+$/, '');
  return decimals === '' ? digits.slice(0, -WEIGHT_BITS) : `${digits.slice(0, -WEIGHT_BITS)}.${decimals}`;
}

/**
 * Reads anyone's profile; lines may end with LF or CR LF. Throws PROFILE_INVALID with line and column for a file that
 * is not one: a field too many, counts that do not run from 0, a value that is not a probability, a row that is off 1 by
 * more than 1e-6.
 */
export function parseProfile(text: string): ProfileFile {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const [header = '', ...records] = lines;
  const [first, ...categories] = csvFields(header);
  if (first !== PASSENGERS || categories.length < 2 || new Set(categories).size < categories.length)
    throw mistake(1, `the header must be ${PASSENGERS} and the names of two or more categories.`);
  if (records.length === 0) throw mistake(2, 'there is no row of probabilities.');
  const columns = [PASSENGERS, ...categories];
  const table = records.map((record, passengers) => parseRow(record, passengers, columns));
  return { categories, table };
}

function parseRow(record: string, passengers: number, columns: readonly string[]): Rational[] {
  const line = passengers + 2;
  const [count, ...fields] = csvRow(record, columns.length) ?? [];
  if (count === undefined) throw mistake(line, `a row has ${columns.length} fields.`);
  if (count !== String(passengers))
    throw mistake(line, `the ${PASSENGERS} must be ${passengers}: rows run from 0 without a gap.`);
  const row = fields.map((field, column) => parseProbability(field, line, columns[column + 1]!));
  if (compare(sumError(row), SUM_TOLERANCE) > 0)
    throw mistake(line, 'the probabilities must add up to 1, within 1e-6.');
  return row;
}

/** How far the sum of a row is from 1. */
export function sumError(row: readonly Rational[]): Rational {
  const off = subtract(row.reduce(add, ZERO), ONE);
  return compare(off, ZERO) < 0 ? subtract(ZERO, off) : off;
}

function parseProbability(text: string, line: number, column: string): Rational {
  try {
    const probability = parseRational(text);
    if (compare(probability, ZERO) >= 0) return probability;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw mistake(line, `${column} must be a probability such as 0.25 or 1e-6.`);
}

const mistake = (line: number, sentence: string): OpalineError =>
  new OpalineError('PROFILE_INVALID', `line ${line}: ${sentence}`);
