import type { Certificate } from '../../contracts/certificate.ts';
import type { Tap } from '../../contracts/names.ts';
import { discreteLaplace } from '../random/discrete-laplace.ts';
import type { RandomSource } from '../random/random-source.ts';
import { parseRational } from '../rational/rational.ts';

/**
 * One integer of noise for each thing that is measured, asked for at most once each. A test can answer with what it
 * likes; in production every answer is an independent draw.
 */
export type Noise = {
  cell(tap: Tap, time: string, location: string): number;
  time(tap: Tap, time: string): number;
  location(tap: Tap, location: string): number;
};

/** Independent discrete Laplace noise of the scales that the certificate states (C7). */
export function certifiedNoise(certificate: Certificate, random: RandomSource): Noise {
  const { scale, marginScales } = certificate;
  return {
    cell: drawsOf(scale, random),
    time: drawsOf(marginScales.time, random),
    location: drawsOf(marginScales.location, random),
  };
}

function drawsOf(scale: string | undefined, random: RandomSource): () => number {
  if (scale !== undefined) return discreteLaplace(parseRational(scale), random).draw;
  return () => {
    throw new TypeError('the certificate has no share of epsilon for this margin');
  };
}
