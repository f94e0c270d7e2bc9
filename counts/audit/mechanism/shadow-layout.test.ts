import { describe, expect, test } from 'vitest';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { differenceProbability } from '../../../core/statistics/difference-law.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import {
  samplesForEpsilon,
  samplesForEvent,
  samplesForSum,
} from '../../../core/statistics/required-samples.fixture.ts';
import { PLANNED } from '../../../core/statistics/required-samples.ts';
import { certify } from '../../certificate/certify.ts';
import { sizeLaw } from './noise-bins.ts';
import { CELLS, HIGH_CELLS, SHADOW_TABLES, shadowTable } from './shadow-layout.ts';

const laplace = (scale: number) => ({ model: 'discrete-laplace', scale }) as const;

/** What is drawn of each kind: large counts, and cells of each count about the threshold. */
const LARGE = SHADOW_TABLES * HIGH_CELLS;
const ABOUT = SHADOW_TABLES * Math.floor((CELLS - HIGH_CELLS) / 5);
/** At most this many tests share the level of a check: those of its kind, and both sides. */
const goal = (parts: number) => ({ ...PLANNED, level: PLANNED.level / parts });

const certificates = ['2', '4', '8', '16'].map((epsilon) =>
  certify({
    mechanism: 'stability-histogram',
    unit: 'trip',
    neighbours: 'replace-one',
    publish: 'on+off',
    epsilon,
    delta: '1/1000000',
    split: {},
  }),
);

describe('the tables of the shadow run are enough, at a power of 99.9 % and the level of one of 40 tests', () => {
  test.each(certificates.map((certificate) => [certificate.epsilon, certificate] as const))(
    'ε = %s',
    (_, certificate) => {
      const scale = toNumber(parseRational(certificate.scale));
      const alpha = Math.exp(-1 / scale);
      const tenthLess = samplesForSum(sizeLaw(laplace(scale)), sizeLaw(laplace(0.9 * scale)), goal(2), 0.5 / scale);
      expect(tenthLess).toBeLessThanOrEqual(LARGE);
      const [under, at] = [alpha / (1 + alpha), 1 / (1 + alpha)];
      expect(samplesForEvent(under, at, goal(7))).toBeLessThanOrEqual(ABOUT);
      expect(samplesForEvent(at, under, goal(7))).toBeLessThanOrEqual(ABOUT);
      const equal = differenceProbability('discrete-laplace', scale, 0);
      // Pairs within a table: half as many as large counts.
      expect(samplesForEvent(equal, (1 + equal) / 2, goal(10))).toBeLessThanOrEqual(LARGE / 2);
      const half = {
        present: noiseTail('discrete-laplace', scale / 2, 0),
        absent: noiseTail('discrete-laplace', scale / 2, 1),
      };
      const claim = { claimed: 1 / scale, delta: Number(certificate.deltaUpper) };
      expect(samplesForEpsilon(half, claim, goal(7))).toBeLessThanOrEqual(LARGE / 2);
    },
  );

  test('broken twin: a quarter of them is not', () => {
    const scale = toNumber(parseRational(certificates[1]!.scale));
    expect(samplesForSum(sizeLaw(laplace(scale)), sizeLaw(laplace(0.9 * scale)), goal(2), 0.5 / scale)).toBeGreaterThan(
      LARGE / 4,
    );
  });

  test('as many are drawn as are counted on', () => {
    const tables = Array.from({ length: SHADOW_TABLES }, (_, table) => shadowTable(certificates[2]!, table));
    const counts = tables.flatMap((table) => table.counts);
    const { threshold } = certificates[2]!;
    expect(counts.filter((count) => count > 2 * threshold!)).toHaveLength(LARGE);
    for (const count of [0, 1, 2, threshold! - 1, threshold!])
      expect(counts.filter((one) => one === count).length).toBeGreaterThanOrEqual(ABOUT);
  });
});
