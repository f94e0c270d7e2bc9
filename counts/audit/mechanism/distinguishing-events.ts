import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import { epsilonLowerBound, epsilonTest } from '../../../core/statistics/epsilon-lower-bound.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import { epsilonSuffices, PLANNED } from '../../../core/statistics/required-samples.ts';
import { short } from '../../../core/text/wording.ts';
import { report } from '../../../core/verdict/finding.ts';
import { noiseOfCells } from '../checks/declared-noise.ts';
import { LARGE_COUNT } from './shadow-events.ts';
import { type EventTally, LIKELY, type ShadowCounts } from './shadow-tallies.ts';

/**
 * What cells whose counts move by this number of taps in all are certified for: an ε of taps/b at the δ of the
 * certificate; or of taps/σ at a δ of its own, the exact one of a count that moves by all these taps, which dominates
 * several that move by them together.
 */
function claimOf({ taps }: Pick<EventTally, 'taps'>, certificate: Certificate) {
  const { model, scale } = noiseOfCells(certificate);
  const claimed = taps / scale;
  switch (model) {
    case 'rounded-laplace':
    case 'discrete-laplace':
      return { claimed, delta: Number(certificate.deltaUpper), words: short(claimed) };
    case 'discrete-gaussian': {
      // The loss (2·taps·x + taps²)/2σ² is above ε from here on.
      const from = Math.floor((claimed * scale * scale) / taps - taps / 2) + 1;
      const delta = noiseTail(model, scale, from) - Math.exp(claimed) * noiseTail(model, scale, from + taps);
      return { claimed, delta, words: `${short(claimed)} at a δ of ${short(delta)}` };
    }
  }
}

/** A valid p-value of "no event distinguishes neighbours better than is certified" (distinguishing-events.proof.md). */
export const eventsTest = (events: readonly EventTally[], certificate: Certificate): number =>
  bonferroni(
    events.map((event) => {
      const { claimed, delta } = claimOf(event, certificate);
      return epsilonTest(event, delta, claimed);
    }),
  );

/** Are the runs of large counts enough to find noise of half the scale, which is twice the ε? */
function findsTwice(events: readonly EventTally[], certificate: Certificate): boolean {
  const large = events.find(({ name }) => name === LARGE_COUNT);
  if (!large) return false;
  const runs = Math.min(large.present.runs, large.absent.runs);
  const { model, scale } = noiseOfCells(certificate);
  const chances = { present: noiseTail(model, scale / 2, 0), absent: noiseTail(model, scale / 2, 1) };
  return epsilonSuffices(runs, chances, claimOf(large, certificate), {
    ...PLANNED,
    level: PLANNED.level / events.length,
  });
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
  const bounds = events.map((event) => {
    const { delta } = claimOf(event, certificate);
    const { event: one, complement } = epsilonLowerBound(event, delta, TEST_LEVEL / events.length);
    return { event, epsilon: Math.max(0, one, complement) / event.taps };
  });
  const most = bounds.reduce((best, one) => (one.epsilon > best.epsilon ? one : best));
  const pValue = eventsTest(events, certificate);
  const { claimed: bound, words: allowed } = claimOf({ taps: 1 }, certificate);
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
