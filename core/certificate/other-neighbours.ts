import type { PrivacyParameters } from '../../contracts/certificate.ts';
import { divide, formatRational, multiply, parseRational, rational } from '../rational/rational.ts';
import { l1Change, type UnitRule } from './l1-change.ts';

/**
 * Exact ε and δ of what these parameters draw, its noise scales and threshold, under another neighbour relation of the
 * same unit: ε grows or shrinks as D1 does, and δ stays (other-neighbours.proof.md). ε in nats, above 0.
 *
 * @contract C12
 */
export function costUnder(
  parameters: UnitRule & Pick<PrivacyParameters, 'epsilon' | 'delta'>,
  neighbours: PrivacyParameters['neighbours'],
): { epsilon: string; delta: string } {
  const own = rational(BigInt(l1Change(parameters)));
  const other = rational(BigInt(l1Change({ ...parameters, neighbours })));
  const epsilon = divide(multiply(parseRational(parameters.epsilon), other), own);
  return { epsilon: formatRational(epsilon), delta: parameters.delta };
}
