import type { Certificate } from '../../contracts/certificate.ts';
import { domainLoss, shiftLoss, type TapsOfUnit } from '../../core/accounting/discrete-laplace-loss.ts';
import { commonStep, regrid } from '../../core/accounting/grid.ts';
import { compose, type LossDistribution, withFailure } from '../../core/accounting/loss-distribution.ts';
import { divide, ONE, parseRational, type Rational } from '../../core/rational/rational.ts';
import { bringsOtherTap, leftOutOfUnit, tapsOfUnit } from '../certificate/l1-change.ts';
import { UNITS } from '../certificate/units.ts';
import { MECHANISMS } from '../mechanisms/mechanisms.ts';
import { stabilityHistogramLoss } from './stability-histogram-loss.ts';

/** Steps of the grid up to ε at most, and up to the sum of ε of all releases: a year of weekly ones has the finest. */
const MOST_STEPS = 400;
const MOST_STEPS_TOGETHER = 53 * MOST_STEPS;

/** The taps that the neighbour lacks, and those that it has instead. */
type Change = { removed: TapsOfUnit; added: TapsOfUnit };

const changeOf = ({ neighbours }: Certificate, taps: number, mayMeet: boolean): Change => ({
  removed: { taps, mayMeet },
  added: { taps: neighbours === 'replace-one' ? taps : 0, mayMeet },
});

/** The loss of noisy counts of a scale that exist anyway. */
const noiseLoss = (scale: string, { removed, added }: Change): LossDistribution =>
  domainLoss(divide(ONE, parseRational(scale)), removed, added);

/** The loss of the cells of a release. */
function cellsLoss({ mechanism, threshold, scale }: Certificate, change: Change): LossDistribution {
  // A floor is a function of noisy counts, and adds no loss.
  if (MECHANISMS[mechanism].emptyCells === 'noisy' || threshold === null) return noiseLoss(scale, change);
  return stabilityHistogramLoss({ rate: divide(ONE, parseRational(scale)), threshold, ...change });
}

/** Losses of the independent parts of a release. */
function lossesOfParts(certificate: Certificate): LossDistribution[] {
  if (bringsOtherTap(certificate)) return [worstLoss(certificate)];
  switch (certificate.mechanism) {
    case 'stability-histogram':
    case 'complete-domain':
      return lossesOfTable(certificate);
    case 'discrete-gaussian':
    case 'sbh-2017':
      // The tables of 2017 have thresholds of their own: of them, and of noise that is not Laplace, only (ε, δ) is used.
      return [worstLoss(certificate)];
  }
}

/** The worst loss that (ε, δ) of a certificate allows. */
const worstLoss = ({ epsilon, deltaUpper }: Certificate): LossDistribution =>
  withFailure(shiftLoss(parseRational(epsilon), 1), parseRational(deltaUpper));

/** Of the taps in no cell, beyond the bound or rejected: all that are counted of a unit can be in one count. */
function leftOutLoss(certificate: Certificate): LossDistribution[] {
  const [scale, taps] = [certificate.leftOutScale, leftOutOfUnit(certificate)];
  return scale === undefined || taps === null ? [] : [noiseLoss(scale, changeOf(certificate, taps, true))];
}

/** Of a table with discrete Laplace noise: cells, margins, and taps in no cell. */
function lossesOfTable(certificate: Certificate): LossDistribution[] {
  const change = changeOf(certificate, tapsOfUnit(certificate), UNITS[certificate.unit].mayMeet);
  const { time, location } = certificate.marginScales;
  const margins = [time, location].filter((scale) => scale !== undefined);
  // Without limits of rejects nothing is drawn for this share.
  const checks = certificate.rejects ? undefined : certificate.split.checks;
  return [
    cellsLoss(certificate, change),
    ...margins.map((scale) => noiseLoss(scale, change)),
    ...leftOutLoss(certificate),
    ...(checks === undefined ? [] : [shiftLoss(parseRational(checks), 1)]),
  ];
}

/**
 * A bound on the privacy loss of one release with this certificate, for whichever unit changes: its δ at every ε is at
 * least the true one. The parts are put on one grid, exactly if it needs at most 400 steps up to ε; if more than 53
 * releases are to be composed, proportionally fewer. Cost: O(taps), and composing all releases takes a second or two.
 */
export function releaseLoss(certificate: Certificate, releases: number): LossDistribution {
  const parts = lossesOfParts(certificate);
  const steps = parts.map(({ step }): Rational => step);
  const most = Math.min(MOST_STEPS, Math.floor(MOST_STEPS_TOGETHER / releases));
  const step = commonStep(steps, parseRational(certificate.epsilon), most);
  return parts.map((part) => regrid(part, step)).reduce(compose);
}
