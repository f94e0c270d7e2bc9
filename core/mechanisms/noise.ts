import type { Certificate } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { Tap } from '../../contracts/names.ts';
import { discreteLaplace } from '../random/discrete-laplace.ts';
import type { RandomSource } from '../random/random-source.ts';
import { parseRational } from '../rational/rational.ts';
import { MECHANISMS } from './mechanisms.ts';

/**
 * One integer of noise for each thing that is measured, asked for at most once each. A test can answer with what it
 * likes; in production every answer is an independent draw.
 */
export type Noise = {
  cell(tap: Tap, time: string, location: string): number;
  time(tap: Tap, time: string): number;
  location(tap: Tap, location: string): number;
  leftOut(tap: Tap): number;
};

/**
 * Independent noise of the law of the mechanism and of the scales that the certificate states (C7). Throws
 * CERTIFICATE_IMPOSSIBLE when no computer draws from that law.
 */
export function certifiedNoise(
  { mechanism, scale, marginScales, leftOutScale }: Certificate,
  random: RandomSource,
): Noise {
  switch (MECHANISMS[mechanism].drawnNoise) {
    case 'discrete-laplace':
      return {
        cell: drawsOf(scale, random),
        time: drawsOf(marginScales.time, random),
        location: drawsOf(marginScales.location, random),
        leftOut: drawsOf(leftOutScale, random),
      };
    case 'real-laplace':
      throw drawsNothing();
  }
}

/** The refusal of a mechanism that is certified for ideal real noise. */
export const drawsNothing = (): OpalineError =>
  new OpalineError(
    'CERTIFICATE_IMPOSSIBLE',
    'sbh-2017 reproduces the release of 2017 and draws no release; choose stability-histogram in the series file.',
  );

function drawsOf(scale: string | undefined, random: RandomSource): () => number {
  if (scale !== undefined) return discreteLaplace(parseRational(scale), random).draw;
  return () => {
    throw new TypeError('the certificate has no share of epsilon for this count');
  };
}
