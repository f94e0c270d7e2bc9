import type { Certificate, Mechanism } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { discreteGaussian } from '../../core/random/discrete-gaussian.ts';
import { discreteLaplace } from '../../core/random/discrete-laplace.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import type { NoiseSampler } from '../../core/random/table-sampler.ts';
import { parseRational, type Rational } from '../../core/rational/rational.ts';
import type { Tap } from '../tables/tap-tables.ts';
import { MECHANISMS } from './mechanisms.ts';
import type { PublicDomain } from './public-domain.ts';

/**
 * One integer of noise for each thing that is measured, in arrays, asked for at most once each. In production every
 * number is an independent draw, whatever it is for.
 */
export type Noise = {
  /** For the cells at these places of the domain, which ascend. */
  cells(places: Uint32Array, target: Int32Array): void;
  /** For every time of every tap, in the order of the domain. */
  time(target: Int32Array): void;
  /** For every location of every tap. */
  location(target: Int32Array): void;
  /** For the left-out taps of each tap. */
  leftOut(target: Int32Array): void;
};

/** The same by the names of what is measured: a test, or the audit, can answer with what it likes. */
export type NamedNoise = {
  cell(tap: Tap, time: string, location: string): number;
  time(tap: Tap, time: string): number;
  location(tap: Tap, location: string): number;
  leftOut(tap: Tap): number;
};

/**
 * Independent noise of the law of the mechanism and of the scales that the certificate states (C7). Throws
 * CERTIFICATE_IMPOSSIBLE when no computer draws from that law.
 */
export function makeNoise({ mechanism, scale, marginScales, leftOutScale }: Certificate, random: RandomSource): Noise {
  const fill = (number: string | undefined) => fillOf(mechanism, number, random);
  const ofCells = fill(scale);
  return {
    cells: (_places, target) => ofCells(target),
    time: fill(marginScales.time),
    location: fill(marginScales.location),
    leftOut: fill(leftOutScale),
  };
}

/** What draws the noise of a mechanism, by its scale or σ². */
function samplerOf(mechanism: Mechanism): (number: Rational, random: RandomSource) => NoiseSampler {
  switch (MECHANISMS[mechanism].drawnNoise) {
    case 'discrete-laplace':
      return discreteLaplace;
    case 'discrete-gaussian':
      return discreteGaussian;
    case 'real-laplace':
      throw drawsNothing();
  }
}

function fillOf(mechanism: Mechanism, scale: string | undefined, random: RandomSource): (target: Int32Array) => void {
  if (scale !== undefined) return samplerOf(mechanism)(parseRational(scale), random).fill;
  return () => {
    throw new TypeError('the certificate has no share of epsilon for this count');
  };
}

/** The refusal of a mechanism that is certified for ideal real noise. */
export const drawsNothing = (): OpalineError =>
  new OpalineError(
    'CERTIFICATE_IMPOSSIBLE',
    'sbh-2017 reproduces the release of 2017 and draws no release; choose stability-histogram in the series file.',
  );

/** Noise by name as arrays over an ordered domain. */
export function noiseInPlace(noise: NamedNoise, { taps, times, locations }: PublicDomain): Noise {
  const fillTotals = (target: Int32Array, keys: readonly string[], noiseOf: (tap: Tap, key: string) => number) => {
    let at = 0;
    for (const tap of taps) for (const key of keys) target[at++] = noiseOf(tap, key);
  };
  return {
    cells(places, target) {
      for (const [at, place] of places.entries()) {
        const line = Math.floor(place / locations.length);
        const [tap, time] = [taps[Math.floor(line / times.length)]!, times[line % times.length]!];
        target[at] = noise.cell(tap, time, locations[place % locations.length]!);
      }
    },
    time: (target) => fillTotals(target, times, noise.time),
    location: (target) => fillTotals(target, locations, noise.location),
    leftOut: (target) => {
      for (const [at, tap] of taps.entries()) target[at] = noise.leftOut(tap);
    },
  };
}

/** Production's noise by name, one number at a time: what is asked for twice is drawn twice. */
export function noiseByName(noise: Noise): NamedNoise {
  const [one, nowhere] = [new Int32Array(1), new Uint32Array(1)];
  const draw = (fill: (target: Int32Array) => void): number => {
    fill(one);
    return one[0]!;
  };
  return {
    cell: () => draw((target) => noise.cells(nowhere, target)),
    time: () => draw(noise.time),
    location: () => draw(noise.location),
    leftOut: () => draw(noise.leftOut),
  };
}
