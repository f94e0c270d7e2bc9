import { binomialTest } from '../../../core/statistics/binomial.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import { goodnessOfFit } from '../../../core/statistics/goodness-of-fit.ts';
import { findScaleShare } from '../../../core/statistics/noticed-scale.ts';
import { PLANNED } from '../../../core/statistics/required-samples.ts';
import { logSumBound } from '../../../core/statistics/sum-test.ts';
import { short } from '../../../core/text/wording.ts';
import { notTried, report } from '../../../core/verdict/finding.ts';
import { noiseOfCells } from '../checks/declared-noise.ts';
import { appearance } from './appearance.ts';
import { binChances, type ShadowNoise, scaleOfMean, shadowNoise, sizeLaw } from './noise-bins.ts';
import { LIKELY, type MechanismCheck, type NoiseTally, numberOfValues } from './shadow-tallies.ts';

/** Honest noise leaves a value out with a chance under 1e-20 (mechanism-noise.proof.md). */
export const NEVER = 1e-18;

/**
 * A valid p-value of "every value was there, with noise of this law and scale" (mechanism-noise.proof.md): its
 * bins by the exact test of fit, and Σ |noise| on both sides, which notices a wrong scale best.
 */
export function noiseTest(tally: NoiseTally, noise: ShadowNoise): number {
  if (tally.missing > 0) return NEVER;
  const law = sizeLaw(noise);
  const total = { n: numberOfValues(tally), sum: tally.sumOfSizes };
  const bySum = (['small', 'large'] as const).map((side) => Math.exp(logSumBound(law, total, side, 0.5 / noise.scale)));
  return bonferroni([goodnessOfFit(tally.bins, binChances(noise)), bonferroni(bySum)]);
}

/** The scale that the mean of |noise| says; 0 when all noise is 0. */
export const meanScale = (tally: NoiseTally, model: ShadowNoise['model']): number =>
  scaleOfMean(model, tally.sumOfSizes / numberOfValues(tally));

/** In how many parts a check divides its level before it looks for too little noise: two tests, one of two sides. */
const PARTS = 4;

/** How much too small noise must be for this number of values to have found it; for Laplace noise alone. */
function powerSentence(samples: number, { model, scale }: ShadowNoise, parts: number): string {
  if (model !== 'discrete-laplace') return '';
  const share = findScaleShare(samples, scale, { ...PLANNED, level: PLANNED.level / parts });
  const less = Math.ceil(100 * (1 - share));
  return less < 100 ? ` Noise that is ${less} % too small, or more, would be found with ${LIKELY}.` : '';
}

/** `parts`: among how many checks of this kind the level is shared. */
type Named = { id: string; attack: string; what: string; parts?: number };

function noiseCheck({ id, attack, what, parts = 1 }: Named, tally: NoiseTally, noise: ShadowNoise, level: number) {
  const scale = noise.scale;
  const pValue = noiseTest(tally, noise);
  const estimate = tally.missing > 0 ? null : meanScale(tally, noise.model);
  const draws = `${numberOfValues(tally)} draws for ${what}`;
  const facts = `show the declared noise, of scale ${short(scale)}; the recovered scale is ${short(estimate ?? 0)}.`;
  return report(id, attack, {
    holds: pValue > level,
    statistic: estimate,
    bound: scale,
    pValue,
    right: `${draws} ${facts}${powerSentence(numberOfValues(tally), noise, PARTS * parts)}`,
    wrong:
      estimate === null
        ? `Of ${draws}, ${tally.missing} more came without any value: the mechanism is not the declared one.`
        : `${draws} do not ${facts}`,
  });
}

/** Noise of large cells. Statistic: the recovered scale; bound: the declared one. Fails at a p-value up to `level`. */
export const checkNoise: MechanismCheck = ({ noise }, certificate, level) =>
  noiseCheck(
    { id: 'mechanism-noise', attack: 'Recover the noise from made-up counts that are known.', what: 'made-up counts' },
    noise,
    shadowNoise(certificate, certificate.scale),
    level,
  );

/**
 * Noise of empty cells; without it a cell that is there shows that it was not empty. As checkNoise where every cell is
 * published. Else a made-up empty cell is published as often as its noise reaches the floor, or never. Statistic: how
 * many were; bound: how many the certificate gives on average. Where that is far below 1 the check notices only cells
 * that show too often; that empty cells have noise at all, the check of interference finds out.
 */
export const checkZeros: MechanismCheck = (shadow, certificate, level) => {
  const labels = { id: 'mechanism-zeros', attack: 'Tell empty cells from others.', what: 'empty cells' };
  if (shadow.zeros) return noiseCheck(labels, shadow.zeros, shadowNoise(certificate, certificate.scale), level);
  const { events, runs } = shadow.appearances.find(({ count }) => count === 0)?.published ?? { events: 0, runs: 0 };
  const chance = appearance(certificate, 0);
  const pValue = runs > 0 ? binomialTest(events, runs, chance, 'either') : 0;
  const underFloor = `Of ${runs} made-up empty cells ${events} were published, which is`;
  const words = noiseOfCells(certificate).emptyCanShow
    ? {
        right: `${underFloor} what the noise of the certificate gives.`,
        wrong: `${underFloor} not what the noise of the certificate gives.`,
      }
    : {
        right: `None of ${runs} made-up empty cells was published.`,
        wrong: `${events} of ${runs} made-up empty cells were published, which the certificate rules out.`,
      };
  const bound = runs * chance.value;
  return report(labels.id, labels.attack, { holds: pValue > level, statistic: events, bound, pValue, ...words });
};

/**
 * Noise of the margins and of left-out taps, each with its own scale. Statistic and bound: those that fit worse. As
 * checkNoise.
 */
export const checkMargins: MechanismCheck = (shadow, certificate, level) => {
  const { marginScales, leftOutScale } = certificate;
  const labels = { id: 'mechanism-margins', attack: 'Recover the noise of the totals from made-up counts.' };
  const lists = [
    { what: 'made-up totals by time', tally: shadow.margins.time, scale: marginScales.time },
    { what: 'made-up totals by location', tally: shadow.margins.location, scale: marginScales.location },
    // Among all places they are few.
    { what: 'made-up totals of unknown places', tally: shadow.margins.unknown, scale: marginScales.location },
    { what: 'made-up numbers of left-out taps', tally: shadow.leftOut, scale: leftOutScale },
  ].flatMap(({ scale, ...list }) => (scale === undefined ? [] : [{ ...list, scale }]));
  const checks = lists.map(({ what, tally, scale }) =>
    noiseCheck({ ...labels, what, parts: lists.length }, tally ?? NOTHING, shadowNoise(certificate, scale), level),
  );
  const [first] = checks;
  if (!first) return notTried(labels.id, labels.attack, 'The release has no noisy totals.');
  const pValue = bonferroni(checks.map((check) => check.pValue!));
  const worse = checks.reduce((worst, check) => (check.pValue! < worst.pValue! ? check : worst), first);
  const holds = pValue > level;
  const sentence = holds ? checks.map((check) => check.sentence).join(' ') : worse.sentence;
  return { ...worse, verdict: holds ? 'pass' : 'fail', pValue, sentence };
};

/** What stands for margins that a certificate declares and nobody drew. */
const NOTHING: NoiseTally = { bins: [], sumOfSizes: 0, missing: 1, beyond: [] };
