import type { Certificate } from '../../../contracts/certificate.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { certify } from '../../../counts/certificate/certify.ts';
import { drawTable } from '../../support/draw-rows.ts';
import type { ShadowMechanism } from '../../support/shadow-run.ts';
import { CELLS_ALONE, CERTIFICATE, PARAMETERS } from '../honest-release.fixture.ts';
import { type Mutant, noisy } from './mutant.fixture.ts';

const SCALE = toNumber(parseRational(CERTIFICATE.scale));
const VARIANCE = 1 / (2 * Math.sinh(0.5 / SCALE) ** 2);
/** A tail of a few in a hundred. */
const CUT = Math.ceil(3 * SCALE);

const uniform = (random: RandomSource): number => (random.uint32() + 0.5) / 2 ** 32;
const gaussian = (random: RandomSource): number =>
  Math.sqrt(-2 * Math.log(uniform(random))) * Math.cos(2 * Math.PI * uniform(random));
const realLaplace = (random: RandomSource): number =>
  SCALE * (uniform(random) < 0.5 ? 1 : -1) * Math.log(uniform(random));

const under =
  (change: (certificate: Certificate) => Partial<Certificate>) =>
  (random: RandomSource): ShadowMechanism =>
  (...table) =>
    drawTable(...table, { ...CERTIFICATE, ...change(CERTIFICATE) }, random);

/** The scale of cells with this share of ε. */
const scaleAt = (cells: string): string => certify({ ...PARAMETERS, epsilon: cells, split: { cells } }).scale;
const TWICE = certify({ ...PARAMETERS, epsilon: '8', split: { cells: '32/5', time: '4/5', location: '4/5' } });

/** Noise of another law than the declared one. */
export const NOISE_MUTANTS: Mutant[] = [
  {
    check: 'mechanism-noise',
    name: 'noise of 0.8 times the scale',
    mechanism: under(() => ({ scale: scaleAt('4') })),
    tables: 72,
  },
  { check: 'mechanism-noise', name: 'noise of half the scale', mechanism: under(() => ({ scale: scaleAt('32/5') })) },
  {
    check: 'mechanism-epsilon',
    name: 'twice the ε in cells and totals',
    mechanism: under(() => ({ scale: TWICE.scale, marginScales: TWICE.marginScales })),
    tables: 72,
  },
  {
    check: 'mechanism-noise',
    name: 'noise that is cut to 0.7 times its size',
    mechanism: noisy((noise) => ({ cell: (...key) => Math.round(0.7 * noise.cell(...key)) })),
  },
  {
    check: 'mechanism-noise',
    name: 'noise that is cut off at three scales',
    mechanism: noisy((noise) => ({ cell: (...key) => Math.max(-CUT, Math.min(CUT, noise.cell(...key))) })),
  },
  {
    check: 'mechanism-noise',
    name: 'real noise that is rounded before the comparison',
    mechanism: noisy((_, random) => ({ cell: () => Math.round(realLaplace(random)) }), CELLS_ALONE.certificate),
    guarantee: CELLS_ALONE,
    tables: 288,
  },
  {
    check: 'mechanism-noise',
    name: 'Gaussian noise of the same variance',
    mechanism: noisy((_, random) => ({ cell: () => Math.round(Math.sqrt(VARIANCE) * gaussian(random)) })),
  },
  {
    check: 'mechanism-noise',
    name: 'the average of two draws',
    mechanism: noisy((noise) => ({ cell: (...key) => Math.round((noise.cell(...key) + noise.cell(...key)) / 2) })),
  },
  {
    check: 'mechanism-noise',
    name: 'one-sided noise, folded at zero',
    mechanism: noisy((noise) => ({ cell: (...key) => Math.abs(noise.cell(...key)) })),
  },
  {
    check: 'mechanism-noise',
    name: 'noise that is clamped at zero',
    mechanism: noisy((noise) => ({ cell: (...key) => Math.max(0, noise.cell(...key)) })),
  },
  {
    check: 'mechanism-margins',
    name: 'totals of times without noise',
    mechanism: noisy(() => ({ time: () => 0 })),
  },
  {
    check: 'mechanism-margins',
    name: 'totals of places without noise',
    mechanism: noisy(() => ({ location: () => 0 })),
  },
  {
    check: 'mechanism-margins',
    name: 'twice the ε in the totals',
    mechanism: under(() => ({ marginScales: TWICE.marginScales })),
  },
];
