import { describe, expect, test } from 'vitest';
import { noiseProbability } from '../../core/statistics/noise-law.ts';
import { certify } from './certify.ts';
import { alarmChance, wrongAlarm } from './reject-limit.ts';
import { TRIP_REQUEST } from './trip-request.fixture.ts';

/** P[X₁ + … > limit] by adding up all pairs of noise values as far as they matter. */
function byHand(limit: number, scale: number, ends: 1 | 2): number {
  const far = Math.ceil(60 * scale) + limit + 2;
  const p = (x: number) => noiseProbability('discrete-laplace', scale, x);
  const tail = (from: number) => {
    let sum = 0;
    for (let x = Math.max(from, -far); x <= far; x++) sum += p(x);
    return sum;
  };
  if (ends === 1) return tail(limit + 1);
  let sum = 0;
  for (let x = -far; x <= far; x++) sum += p(x) * tail(limit + 1 - x);
  return sum;
}

describe('@contract C5 the chance that noise alone passes a limit of rejects', () => {
  test.each([1, 2] as const)('with %i ends is that of all noise added up', (ends) => {
    for (const scale of [0.3, 1, 4, 7.5])
      for (const limit of [0, 1, 5, 40]) {
        const ratio = alarmChance(limit, scale, ends) / byHand(limit, scale, ends);
        expect(Math.abs(ratio - 1)).toBeLessThan(1e-9);
      }
  });

  test('of a release is that of its parts and days together, a month at its longest', () => {
    const certificate = certify({
      ...TRIP_REQUEST,
      rejects: { bus: 100, ferry: 60 },
      split: { checks: '1' },
    });
    const day = alarmChance(100, 4, 2) + alarmChance(60, 4, 2);
    expect(wrongAlarm(certificate, { days: 7 })).toBeCloseTo(7 * day, 12);
    expect(wrongAlarm(certificate, { months: 3 })).toBeCloseTo(93 * day, 12);
    expect(wrongAlarm({ publish: 'on' }, { days: 7 })).toBeNull();
  });
});
