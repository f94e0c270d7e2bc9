import type { Neighbours } from '../../../contracts/certificate.ts';
import { divide, multiply, ONE, type Rational, rational, subtract } from '../../../core/rational/rational.ts';

/** What a release of synthetic data promises for one row, and how it is spent; amounts are exact. */
export type SyntheticPrivacy = {
  neighbours: Neighbours;
  epsilon: Rational;
  /** Partitions of the release, each drawn by itself. */
  partitions: number;
  rounds: number;
  /** Share of ε for the number of rows; null where that is public. */
  rowsShare: Rational | null;
};

/** How much of a row one partition reveals, and by which steps. */
export type RoundAmounts = {
  /** ε of one partition with a row more or less. */
  partition: Rational;
  /** ε of one choice of a query, and of one measurement. */
  selection: Rational;
  measurement: Rational;
  /** Scale of the noise of a measurement, and of the number of rows. */
  measurementScale: Rational;
  rowsScale: Rational | null;
};

/** How many partitions a change of one unit touches: a row that is replaced may leave one and come into another. */
export const reachOf = (neighbours: Neighbours, partitions: number): bigint =>
  neighbours === 'replace-one' && partitions > 1 ? 2n : 1n;

/**
 * ε of a release, spread over what is drawn: each round gets an equal part of what the number of rows leaves over,
 * half for the choice and half for the measurement, as in Figure 24 of Oppermann (ed.) 2019. Proof:
 * synthetic-privacy.proof.md. Amounts may be 0 or below when the share is too large.
 */
export function roundAmounts({ neighbours, epsilon, partitions, rounds, rowsShare }: SyntheticPrivacy): RoundAmounts {
  const partition = divide(epsilon, rational(reachOf(neighbours, partitions)));
  const rest = rowsShare ? subtract(partition, rowsShare) : partition;
  const each = divide(rest, rational(2n * BigInt(rounds)));
  return {
    partition,
    selection: each,
    measurement: each,
    measurementScale: inverse(each),
    rowsScale: rowsShare && inverse(rowsShare),
  };
}

/** 1/x; 0 of 0, which no certificate takes. */
const inverse = (x: Rational): Rational => (x.numerator === 0n ? x : divide(ONE, x));

/** ε of one release under a relation of neighbours, whichever it was drawn for. */
export const epsilonUnder = (privacy: SyntheticPrivacy, neighbours: Neighbours): Rational =>
  multiply(roundAmounts(privacy).partition, rational(reachOf(neighbours, privacy.partitions)));
