import { describe, expect, test } from 'vitest';
import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { drawTable } from '../../../test/support/draw-rows.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { runShadow, type ShadowMechanism } from '../../../test/support/shadow-run.ts';
import { certify } from '../../certificate/certify.ts';
import { checkNonInterference, MECHANISM_CHECKS } from './mechanism-checks.ts';
import { meanScale, NEVER, noiseTest } from './mechanism-noise.ts';
import { HIGH_CELLS, isUpper, shadowTable } from './shadow-layout.ts';
import type { RunCount, ShadowCounts } from './shadow-tallies.ts';

const trip = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off' } as const;
const CERTIFICATES = {
  'the demo': certify({
    ...trip,
    mechanism: 'stability-histogram',
    epsilon: '8',
    delta: '1/1000000',
    split: { time: '3/10', location: '1/2' },
  }),
  'a complete domain': certify({
    ...trip,
    mechanism: 'complete-domain',
    epsilon: '1',
    delta: '0',
    split: { time: '1/2' },
  }),
  'taps on alone, with little noise': certify({
    unit: 'tap',
    neighbours: 'add-remove',
    publish: 'on',
    mechanism: 'stability-histogram',
    epsilon: '6',
    delta: '1/100000',
    split: {},
  }),
  'much noise': certify({ ...trip, mechanism: 'stability-histogram', epsilon: '1/10', delta: '1/1000000', split: {} }),
};

const checksOf = (certificate: (typeof CERTIFICATES)['the demo'], mechanism: ShadowMechanism): AuditCheck[] => {
  const shadow = runShadow(certificate, mechanism, 96);
  // What is tried with noise that is handed in has a test of its own (interference.test.ts).
  const tallied = MECHANISM_CHECKS.filter((check) => check !== checkNonInterference);
  return tallied.map((check) => check(shadow, certificate, TEST_LEVEL));
};

// Fixed seeds; with others a run would fail at most once in 100,000.
describe('shadow runs', () => {
  test.each(Object.entries(CERTIFICATES))('C15: the production code passes every check (%s)', (_, certificate) => {
    const random = seededSource(7);
    const checks = checksOf(certificate, (...table) => drawTable(...table, certificate, random));
    expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'attention')).toEqual([]);
    for (const { sentence } of checks) expect(sentence).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('broken twin: a mechanism that publishes nothing fails, and leaves sentences that can be read', () => {
    for (const certificate of Object.values(CERTIFICATES)) {
      const checks = checksOf(certificate, () => ({ cells: [], margins: null }));
      expect(checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toContain('mechanism-noise');
      for (const { sentence } of checks) expect(sentence).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  test('checks say what they would have found, and broken twin: nothing of the kind from a few cells', () => {
    const certificate = CERTIFICATES['the demo'];
    const sentencesOf = (shadow: ShadowCounts): string[] =>
      MECHANISM_CHECKS.map((check) => check(shadow, certificate, TEST_LEVEL).sentence);
    const random = seededSource(7);
    const shadow = runShadow(certificate, (...table) => drawTable(...table, certificate, random));
    const likely = 'would be found with a chance of at least 99.9 %.';
    const said = sentencesOf(shadow).flatMap((sentence) => [...sentence.matchAll(/[^.]+(?= would be found)/g)].flat());
    expect(said).toEqual([
      ' Twice the epsilon',
      ' Noise that is 7 % too small, or more,',
      ' Noise that never does',
      ' A threshold that is one off',
      ' Noise that is 9 % too small, or more,',
      ' Noise that is 8 % too small, or more,',
      ' Noise that is 27 % too small, or more,',
    ]);
    expect(sentencesOf(shadow).join(' ').split(likely)).toHaveLength(8);
    const fewer = ({ events, runs }: RunCount): RunCount => ({ events: Math.min(events, 9), runs: Math.min(runs, 9) });
    const few = sentencesOf({
      ...shadow,
      appearances: shadow.appearances.map((one) => ({ ...one, published: fewer(one.published) })),
      noise: {
        ...shadow.noise,
        bins: shadow.noise.bins.map((_, index, { length }) => (2 * index + 1 === length ? 9 : 0)),
        sumOfSizes: 0,
      },
      margins: { time: null, location: null, unknown: null },
      events: shadow.events.map((one) => ({ ...one, present: fewer(one.present), absent: fewer(one.absent) })),
    });
    expect(few.join(' ')).not.toContain('would be found');
  });

  test('neighbouring cells, and one cell in two partitions, differ by the tap that moves', () => {
    const certificate = CERTIFICATES['the demo'];
    const [even, odd] = [shadowTable(certificate, 0), shadowTable(certificate, 1)];
    for (let cell = 0; cell < HIGH_CELLS; cell += 1) {
      expect(Math.abs(even.counts[cell]! - odd.counts[cell]!)).toBe(1);
      expect(isUpper(0, cell)).toBe(!isUpper(1, cell));
      if (cell % 2 === 0)
        expect(even.counts[cell]! + even.counts[cell + 1]!).toBe(odd.counts[cell]! + odd.counts[cell + 1]!);
    }
    expect(even.partition).not.toEqual(odd.partition);
    expect(shadowTable(certificate, 2).shape).not.toBe(even.shape);
  });

  test('the estimate is the maximum of the likelihood, and a missing value decides', () => {
    const tally = { bins: [0, 3, 10, 3, 0], sumOfSizes: 8, missing: 0, beyond: [0, 0] };
    const scale = meanScale(tally, 'discrete-laplace');
    const logLikelihood = (b: number): number => 16 * Math.log(Math.tanh(0.5 / b)) - 8 / b;
    for (const other of [0.9 * scale, 1.1 * scale]) expect(logLikelihood(other)).toBeLessThan(logLikelihood(scale));
    expect(noiseTest({ ...tally, missing: 1 }, { model: 'discrete-laplace', scale: 0.5 })).toBe(NEVER);
  });
});
