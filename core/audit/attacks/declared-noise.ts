import type { Certificate } from '../../../contracts/certificate.ts';
import { realThreshold, tablesOfShare } from '../../certificate/sbh-2017.ts';
import { divide, parseRational, rational, toNumber } from '../../rational/rational.ts';
import type { NoiseModel } from '../../statistics/noise-law.ts';
import type { DeclaredNoise } from '../../statistics/pair-laws.ts';

/** The noise on published cells that a certificate declares: integers, as readers see them. */
export function declaredNoise({ mechanism, scale, threshold }: Certificate): DeclaredNoise {
  const model = mechanism === 'sbh-2017' ? 'rounded-laplace' : 'discrete-laplace';
  return { model, scale: toNumber(parseRational(scale)), threshold };
}

/** What decides whether a cell appears: the noisy value, before any rounding, is compared with `threshold`. */
export type AppearanceRule = { readonly model: NoiseModel; readonly scale: number; readonly threshold: number | null };

/** The rule of a certificate; for `sbh-2017` with its real threshold t, which the integer T only shows rounded. */
export function appearanceRule(certificate: Certificate): AppearanceRule {
  const noise = declaredNoise(certificate);
  if (certificate.mechanism !== 'sbh-2017') return noise;
  const { cells, time, location } = certificate.split;
  const shares = [cells, time, location].filter((share) => share !== undefined).length;
  const tables = shares * tablesOfShare(certificate.publish);
  const tableDelta = divide(parseRational(certificate.delta), rational(BigInt(tables)));
  const { lower } = realThreshold(parseRational(certificate.scale), tableDelta, 64);
  return { model: 'real-laplace', scale: noise.scale, threshold: toNumber(lower) };
}
