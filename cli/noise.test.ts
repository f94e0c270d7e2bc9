import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../contracts/errors.ts';
import { discreteLaplace } from '../core/random/discrete-laplace.ts';
import { binned, binProbabilities, chiSquare } from '../core/random/goodness-of-fit.fixture.ts';
import { rational } from '../core/rational/rational.ts';
import { chiSquareTail } from '../core/statistics/chi-square.ts';
import { seededSource } from '../test/support/seeded-source.ts';
import { DRAWS_AT_A_TIME, noiseBatches, noiseHistogram } from './noise-histogram.ts';
import { run, start, words } from './process.fixture.ts';

const LIMIT = 6;
/** Draws come from the operating system and cannot be repeated: a false alarm has a chance of 1e-12. */
const FALSE_ALARM = 1e-12;

/** P-value of the counts against the law of a scale. */
function pValue(counts: ReadonlyMap<number, number>, scale: number): number {
  const bins = binned([], LIMIT);
  for (const [value, times] of counts) bins[Math.max(-LIMIT, Math.min(LIMIT, value)) + LIMIT]! += times;
  return chiSquareTail(chiSquare(bins, binProbabilities(scale, LIMIT)), 2 * LIMIT);
}

const countsOf = (json: string): Map<number, number> =>
  new Map(Object.entries<number>(JSON.parse(json).counts).map(([value, times]) => [Number(value), times]));

describe('noise', () => {
  test('--json gives the counts of the discrete Laplace law, and of no other', async () => {
    const { code, stdout } = await run(words('noise --scale 5/2 --count 1e6 --json'));
    expect(code).toBe(EXIT.done);
    const counts = countsOf(stdout);
    expect([...counts.values()].reduce((sum, times) => sum + times, 0)).toBe(1e6);
    expect(pValue(counts, 2.5)).toBeGreaterThan(FALSE_ALARM);
    expect(pValue(counts, 2.4)).toBeLessThan(FALSE_ALARM);
  });

  test('prints one draw a line, whatever the number', async () => {
    const { code, stdout } = await run(words(`noise --scale 1/2 --count ${DRAWS_AT_A_TIME + 3}`));
    expect(code).toBe(EXIT.done);
    const lines = stdout.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(DRAWS_AT_A_TIME + 3);
    expect(lines.every((line) => /^(0|-?[1-9]\d*)$/.test(line))).toBe(true);
  });

  test('two runs draw differently', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => run(words('noise --scale 100 --count 100'))));
    expect(one!.stdout).not.toBe(other!.stdout);
  });

  test('ends quietly when the reader has enough', async () => {
    const { child, ending } = start(words('noise --scale 1/2 --count 1e12'));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ending).toMatchObject({ code: EXIT.done, stderr: '' });
  });

  test('a histogram for people', async () => {
    const { code, stdout } = await run(words('noise --scale 1/2 --count 1e7 --histogram'));
    expect(code).toBe(EXIT.done);
    expect(stdout).toMatch(/^value +draws +share/);
    expect(stdout).toMatch(/^0 +76\d{5} /m);
  });
});

describe('a histogram', () => {
  test('holds every draw once, in order, rare and large ones too', () => {
    const count = DRAWS_AT_A_TIME + 1000;
    const draw = () => discreteLaplace(rational(3000n), seededSource(7));
    const histogram = noiseHistogram(draw(), count);
    const values = histogram.map(([value]) => value);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    const again = new Map<number, number>();
    for (const batch of noiseBatches(draw(), count))
      for (const value of batch) again.set(value, (again.get(value) ?? 0) + 1);
    expect(new Map(histogram)).toEqual(again);
    expect(Math.max(...values)).toBeGreaterThan(2 ** 13);
  });
});
