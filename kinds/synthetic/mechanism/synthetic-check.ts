import { choiceStatement } from '../../../contracts/certificate-statements.ts';
import { isDrawable } from '../../../core/random/drawable-scale.ts';
import {
  add,
  compare,
  multiply,
  ONE,
  parseRational,
  type Rational,
  rational,
  ZERO,
} from '../../../core/rational/rational.ts';
import type { SyntheticCertificate } from '../certified-rows.ts';

const equal = (a: Rational, b: Rational): boolean => compare(a, b) === 0;

/** The most rounds of a partition. */
export const MOST_ROUNDS = 200;

/**
 * What is wrong with a certificate of synthetic data by its own numbers, a sentence each. It adds the epsilons of the
 * steps up again, and uses nothing of the code that makes them.
 *
 * @contract C10
 */
export function syntheticProblems(certificate: SyntheticCertificate): string[] {
  const { neighbours, partitions, rounds, rows, selection, measurement, chosenOn, assumptions } = certificate;
  const [epsilon, partition] = [parseRational(certificate.epsilon), parseRational(certificate.partition.epsilon)];
  const [choice, noise] = [parseRational(selection.epsilon), parseRational(measurement.epsilon)];
  const scale = parseRational(measurement.scale);
  const ofRows = rows ? parseRational(rows.epsilon) : ZERO;
  const rowsScale = rows ? parseRational(rows.scale) : null;
  const total = add(ofRows, multiply(rational(BigInt(rounds)), add(choice, noise)));
  const reach = neighbours === 'replace-one' && partitions > 1 ? 2n : 1n;
  const positive = [epsilon, choice, noise, ...(rows ? [ofRows] : [])].every((one) => compare(one, ZERO) > 0);
  const whole = Number.isSafeInteger(partitions) && partitions > 0 && Number.isSafeInteger(rounds);
  const says = assumptions.includes(choiceStatement(chosenOn));
  const denies = chosenOn !== undefined && assumptions.includes(choiceStatement(undefined));
  const problems: [wrong: boolean, sentence: string][] = [
    [!positive, 'Every step needs an epsilon above 0; ask for fewer rounds, or a smaller share for the rows.'],
    [!whole || rounds < 1 || rounds > MOST_ROUNDS, `There are 1 to ${MOST_ROUNDS} rounds, of at least one partition.`],
    [(rows === null) !== (neighbours === 'replace-one'), 'The number of rows is measured when rows come and go.'],
    [!equal(total, partition), 'The steps of a partition do not add up to its epsilon.'],
    [
      !equal(multiply(partition, rational(reach)), epsilon),
      'The epsilon is not that of the partitions which one row may change.',
    ],
    [
      !equal(multiply(scale, noise), ONE) || (rowsScale !== null && !equal(multiply(rowsScale, ofRows), ONE)),
      'A scale is not 1 divided by its epsilon.',
    ],
    [!isDrawable(scale) || (rowsScale !== null && !isDrawable(rowsScale)), 'Noise of this scale cannot be drawn.'],
    [!says || denies, 'The assumptions do not say what parameters were chosen on.'],
  ];
  return problems.filter(([wrong]) => wrong).map(([, sentence]) => sentence);
}
