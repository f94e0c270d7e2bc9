import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { binomialTest, type Proportion } from '../../../core/statistics/binomial.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import { goodnessOfFit } from '../../../core/statistics/goodness-of-fit.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import { eventSuffices, PLANNED } from '../../../core/statistics/required-samples.ts';
import { report } from '../../../core/verdict/finding.ts';
import { noiseOfCells } from '../checks/declared-noise.ts';
import { suppressionProbability } from '../checks/suppressed-cell.ts';
import { excessChances, shadowNoise } from './noise-bins.ts';
import { LIKELY, type RunCount, type ShadowCounts } from './shadow-tallies.ts';

/** The chance that a cell with this count appears, with its complement, each computed as a tail. */
export function appearance(certificate: Certificate, count: number): Proportion {
  const noise = noiseOfCells(certificate);
  if (noise.threshold === null) return { value: 1, complement: 0 };
  if (count === 0 && !noise.emptyCanShow) return { value: 0, complement: 1 };
  return {
    value: noiseTail(noise.model, noise.scale, noise.threshold - count),
    complement: suppressionProbability(noise, count),
  };
}

const appearanceTest = (certificate: Certificate, count: number, { events, runs }: RunCount): number =>
  binomialTest(events, runs, appearance(certificate, count), 'either');

/**
 * A valid p-value of "cells appear exactly as the certificate says" (appearance.proof.md): how often each count
 * appears, and what the cells show whose count is T. 0 when something under the threshold was published.
 */
export function appearanceTestOfAll(shadow: ShadowCounts, certificate: Certificate): number {
  if (shadow.belowThreshold > 0) return 0;
  const noise = shadowNoise(certificate, certificate.scale);
  return bonferroni([
    ...shadow.appearances.map(({ count, published }) => appearanceTest(certificate, count, published)),
    ...(shadow.overThreshold ? [goodnessOfFit(shadow.overThreshold, excessChances(noise))] : []),
  ]);
}

/** Are the cells next to the threshold enough to find one that is one too low, or too high? */
function findsOneOff({ appearances }: ShadowCounts, certificate: Certificate): boolean {
  const { threshold } = certificate;
  if (threshold === null) return false;
  const runs = appearances
    .filter(({ count }) => count === threshold - 1 || count === threshold)
    .map(({ published }) => published.runs);
  const goal = { ...PLANNED, level: PLANNED.level / (appearances.length + 1) };
  const [under, at] = [appearance(certificate, threshold - 1).value, appearance(certificate, threshold).value];
  return runs.length === 2 && eventSuffices(Math.min(...runs), under, at, goal);
}

/**
 * The threshold of the mechanism: off by one, truncated, left out, or compared after rounding. Statistic: the share of
 * cells with one tap that appear; bound: the chance that the certificate gives them.
 */
export function checkAppearance(shadow: ShadowCounts, certificate: Certificate, level: number): AuditCheck {
  const attack = 'Find the counts at which made-up cells begin to appear.';
  const pValue = appearanceTestOfAll(shadow, certificate);
  const runs = shadow.appearances.reduce((sum, { published }) => sum + published.runs, 0);
  const lone = shadow.appearances.find(({ count }) => count === 1)?.published;
  const rule = certificate.threshold === null ? 'whatever they hold' : `from the threshold ${certificate.threshold} on`;
  return report('mechanism-threshold', attack, {
    holds: pValue > level,
    statistic: lone && lone.runs > 0 ? lone.events / lone.runs : null,
    bound: appearance(certificate, 1).value,
    pValue,
    right: `${runs} made-up cells, small and large, appear ${rule}, as often as the certificate says.${findsOneOff(shadow, certificate) ? ` A threshold that is one off would be found with ${LIKELY}.` : ''}`,
    wrong: `${runs} made-up cells do not appear as the certificate says, ${rule}.`,
  });
}
