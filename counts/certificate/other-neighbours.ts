import type { PrivacyParameters } from '../../contracts/certificate.ts';
import { type AmountText, formatAmount } from '../../core/accounting/basic-composition.ts';
import { divide, multiply, parseRational, rational } from '../../core/rational/rational.ts';
import { l1Change, type UnitRule, vanishingPatterns } from './l1-change.ts';

/**
 * Exact ε and δ of what these parameters draw, its noise scales and threshold, under another neighbour relation of the
 * same unit: ε grows or shrinks as D1 does, and δ grows with the cells that can appear
 * together (other-neighbours.proof.md). ε in nats, above 0.
 *
 * @contract C12
 */
export function costUnder(
  parameters: UnitRule & Pick<PrivacyParameters, 'epsilon' | 'delta'>,
  neighbours: PrivacyParameters['neighbours'],
): AmountText {
  const own = rational(BigInt(l1Change(parameters)));
  const other = rational(BigInt(l1Change({ ...parameters, neighbours })));
  const epsilon = divide(multiply(parseRational(parameters.epsilon), other), own);
  const cellsUnder = (relation: PrivacyParameters['neighbours']) =>
    vanishingPatterns({ ...parameters, neighbours: relation })[0]!.cells;
  const times = Math.max(1, cellsUnder(neighbours) / cellsUnder(parameters.neighbours));
  const delta = multiply(parseRational(parameters.delta), rational(BigInt(times)));
  return formatAmount({ epsilon, delta });
}
