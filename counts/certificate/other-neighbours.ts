import type { PrivacyParameters } from '../../contracts/certificate.ts';
import type { ReleaseCost } from '../../contracts/kind.ts';
import { formatAmount } from '../../core/accounting/basic-composition.ts';
import { rhoOfPure } from '../../core/accounting/charged-amount.ts';
import { decimalUp } from '../../core/rational/decimal.ts';
import { bitLength, divide, formatRational, multiply, parseRational, rational } from '../../core/rational/rational.ts';
import { MECHANISMS } from '../mechanisms/mechanisms.ts';
import { readDelta, readEpsilon } from './amounts.ts';
import { type CertificateRequest, sharesOf } from './certify.ts';
import { gaussianDelta, rhoOf } from './gaussian-curve.ts';
import { type CardRule, gaussianDesign, worstMoves } from './gaussian-design.ts';
import { l1Change, patternsOfUnit } from './l1-change.ts';

/** Bits of δ beyond those of the δ of the own relation: it may be many times as small. */
const SPARE_BITS = 40;

/**
 * Exact ε and δ of what these parameters draw, its noise scales and threshold, under another neighbour relation of the
 * same unit: ε grows or shrinks as D1 does, and δ grows with the cells that can appear
 * together (other-neighbours.proof.md). Under discrete-gaussian the same σ² are certified again: ρ, and δ at the same ε.
 * ε in nats, above 0.
 *
 * @contract C12
 */
export function costUnder(
  parameters: CardRule & Pick<CertificateRequest, 'mechanism' | 'epsilon' | 'delta' | 'split'>,
  neighbours: PrivacyParameters['neighbours'],
): ReleaseCost {
  if (MECHANISMS[parameters.mechanism].shares === 'of ρ') return gaussianCost(parameters, neighbours);
  const own = rational(BigInt(l1Change(parameters)));
  const other = rational(BigInt(l1Change({ ...parameters, neighbours })));
  const epsilon = divide(multiply(parseRational(parameters.epsilon), other), own);
  const cellsUnder = (relation: PrivacyParameters['neighbours']) =>
    patternsOfUnit({ ...parameters, neighbours: relation })[0]!.cells;
  const times = Math.max(1, cellsUnder(neighbours) / cellsUnder(parameters.neighbours));
  const delta = multiply(parseRational(parameters.delta), rational(BigInt(times)));
  const cost = formatAmount({ epsilon, delta });
  return { ...cost, rho: MECHANISMS[parameters.mechanism].delta === 'zero' ? rhoOfPure(cost.epsilon) : null };
}

/** ρ with the B of the other relation, and the δ of its curve at the same ε, rounded up. */
function gaussianCost(
  parameters: CardRule & Pick<CertificateRequest, 'mechanism' | 'epsilon' | 'delta' | 'split'>,
  neighbours: PrivacyParameters['neighbours'],
): ReleaseCost {
  const [epsilon, delta] = [readEpsilon(parameters.epsilon), readDelta(parameters.delta)];
  const { variances, rho } = gaussianDesign(parameters, epsilon, delta, sharesOf(parameters));
  if (neighbours === parameters.neighbours)
    return { epsilon: formatRational(epsilon), delta: formatRational(delta), rho: formatRational(rho) };
  const moves = worstMoves({ ...parameters, neighbours }, variances);
  const { upper } = gaussianDelta(moves, epsilon, bitLength(delta.denominator) + SPARE_BITS);
  return {
    epsilon: formatRational(epsilon),
    delta: formatRational(parseRational(decimalUp(upper))),
    rho: formatRational(rhoOf(moves)),
  };
}
