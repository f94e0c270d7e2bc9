import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import { epsilonLowerBound, epsilonTest } from '../../../core/statistics/epsilon-lower-bound.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import { epsilonSuffices, PLANNED } from '../../../core/statistics/required-samples.ts';
import { short } from '../../../core/text/wording.ts';
import { report } from '../../../core/verdict/finding.ts';
import { declaredNoise } from '../checks/declared-noise.ts';
import { LARGE_COUNT } from './shadow-events.ts';
import { type EventTally, LIKELY, type ShadowCounts } from './shadow-tallies.ts';

/** The ε that cells whose counts move by so many taps in all are certified for, taps/b, or taps/σ at a δ of its own. */
const claimed = ({ taps }: EventTally, certificate: Certificate): number => taps / declaredNoise(certificate).scale;

/**
 * The δ that goes with it. Of Gaussian noise it is the exact one of a count that moves by all these taps, which dominates
 * several that move by them together.
 */
function deltaOf(event: EventTally, certificate: Certificate): number {
  const { model, scale } = declaredNoise(certificate);
  switch (model) {
    case 'rounded-laplace':
    case 'discrete-laplace':
      return Number(certificate.deltaUpper);
    case 'discrete-gaussian': {
      const [epsilon, { taps }] = [claimed(event, certificate), event];
      // The loss (2·taps·x + taps²)/2σ² is above ε from here on.
      const from = Math.floor((epsilon * scale * scale) / taps - taps / 2) + 1;
      return noiseTail(model, scale, from) - Math.exp(epsilon) * noiseTail(model, scale, from + taps);
    }
  }
}

/** A valid p-value of "no event tells neighbours apart better than is certified" (distinguishing-events.proof.md). */
export const distinguishingTest = (events: readonly EventTally[], certificate: Certificate): number =>
  bonferroni(events.map((event) => epsilonTest(event, deltaOf(event, certificate), claimed(event, certificate))));

/** Are the runs of large counts enough to find noise of half the scale, which is twice the ε? */
function findsTwice(events: readonly EventTally[], certificate: Certificate): boolean {
  const large = events.find(({ name }) => name === LARGE_COUNT);
  if (!large) return false;
  const runs = Math.min(large.present.runs, large.absent.runs);
  const { model, scale } = declaredNoise(certificate);
  const chances = { present: noiseTail(model, scale / 2, 0), absent: noiseTail(model, scale / 2, 1) };
  const claim = { claimed: claimed(large, certificate), delta: deltaOf(large, certificate) };
  return epsilonSuffices(runs, chances, claim, { ...PLANNED, level: PLANNED.level / events.length });
}

/** The ε that an event is certified for, with its δ where that is not the one of the certificate. */
function allowedInWords(event: EventTally, certificate: Certificate): string {
  const epsilon = short(claimed(event, certificate));
  switch (declaredNoise(certificate).model) {
    case 'rounded-laplace':
    case 'discrete-laplace':
      return epsilon;
    case 'discrete-gaussian':
      return `${epsilon} at a δ of ${short(deltaOf(event, certificate))}`;
  }
}

/**
 * Distinguishing events: one tap more, or one moved, must not change the chance of anything by more than e^ε (and δ).
 * Statistic: the greatest ε of one tap that the runs prove (Clopper and Pearson); bound: 1/b, or 1/σ at the δ that goes
 * with it, what one tap is certified for.
 */
export function checkDistinguishingEvents(
  { events }: ShadowCounts,
  certificate: Certificate,
  level: number,
): AuditCheck {
  const proved = events.map((event) => {
    const delta = deltaOf(event, certificate);
    const { event: one, complement } = epsilonLowerBound(event, delta, TEST_LEVEL / events.length);
    return { event, epsilon: Math.max(0, one, complement) / event.taps };
  });
  const most = proved.reduce((best, one) => (one.epsilon > best.epsilon ? one : best));
  const pValue = distinguishingTest(events, certificate);
  const one = { ...most.event, taps: 1 };
  const bound = claimed(one, certificate);
  const allowed = allowedInWords(one, certificate);
  const runs = events.reduce((sum, { present, absent }) => sum + present.runs + absent.runs, 0);
  const facts = `${runs} runs on made-up neighbouring tables prove an epsilon of at least ${short(most.epsilon)} for one tap (${most.event.name})`;
  return report('mechanism-epsilon', 'Tell from the output which of two neighbouring made-up tables went in.', {
    holds: pValue > level,
    statistic: most.epsilon,
    bound,
    pValue,
    right: `${facts}; the certificate allows ${allowed}.${findsTwice(events, certificate) ? ` Twice the epsilon would be found with ${LIKELY}.` : ''}`,
    wrong: `${facts}; this is not the ${allowed} of the certificate.`,
  });
}
