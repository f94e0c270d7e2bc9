import type { Certificate } from '../../../contracts/certificate.ts';
import { divide, parseRational, rational, toNumber } from '../../../core/rational/rational.ts';
import type { NoiseModel } from '../../../core/statistics/noise-law.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';
import { realThreshold } from '../../certificate/sbh-2017.ts';
import { ENDS_PUBLISHED } from '../../certificate/units.ts';
import { MECHANISMS, noiseOfCount } from '../../mechanisms/mechanisms.ts';

/** The noise on published cells that a certificate declares: integers, as readers see them. */
export function noiseOfCells({ mechanism, scale, threshold }: Certificate): DeclaredNoise {
  const { emptyCells } = MECHANISMS[mechanism];
  const noise = { ...noiseOfCount(mechanism, scale), threshold };
  return emptyCells === 'noisy' ? { ...noise, emptyCanShow: true } : noise;
}

/** What decides whether a cell appears: the noisy value, before any rounding, is compared with `threshold`. */
export type AppearanceRule = { readonly model: NoiseModel; readonly scale: number; readonly threshold: number | null };

/** The rule of a certificate; for `sbh-2017` with its real threshold t, which the integer T only shows rounded. */
export function appearanceRule(certificate: Certificate): AppearanceRule {
  const { model, scale, threshold } = noiseOfCells(certificate);
  switch (MECHANISMS[certificate.mechanism].threshold) {
    case 'floor':
    case 'smallest':
      return { model, scale, threshold };
    case 'of-2017':
      return { model: 'real-laplace', scale, threshold: thresholdOf2017(certificate) };
  }
}

/** The noise of a table as well as it can be known: its scale is from `least` to `most`. */
export type TableNoise = DeclaredNoise & {
  least: number;
  most: number;
  /** How somebody outside comes to know the scale. */
  knownBy: 'certificate' | 'declaration' | 'pairs' | 'threshold';
  /** What decides whether a cell appears, with the smallest and the greatest scale. */
  appears: { least: AppearanceRule; most: AppearanceRule };
};

/** The noise on published cells as a certificate gives it away: nothing of it is uncertain. */
export function certainNoise(certificate: Certificate): TableNoise {
  const noise = noiseOfCells(certificate);
  const rule = appearanceRule(certificate);
  const { scale } = noise;
  return { ...noise, least: scale, most: scale, knownBy: 'certificate', appears: { least: rule, most: rule } };
}

/** t of the table of cells. */
function thresholdOf2017({ split: { cells, time, location }, publish, delta, scale }: Certificate): number {
  const shares = [cells, time, location].filter((share) => share !== undefined).length;
  const tableDelta = divide(parseRational(delta), rational(BigInt(shares * ENDS_PUBLISHED[publish])));
  return toNumber(realThreshold(parseRational(scale), tableDelta, 64).lower);
}
