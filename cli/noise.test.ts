import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../contracts/errors.ts';
import { binProbabilities, chiSquare, countBins } from '../core/random/goodness-of-fit.fixture.ts';
import { chiSquareTail } from '../core/statistics/fisher.ts';
import { run, start, words } from './process.fixture.ts';

const LIMIT = 6;
/** Draws come from the operating system and cannot be repeated: a false alarm has a chance of 1e-12. */
const FALSE_ALARM = 1e-12;
/** Its cells have noise of scale 5/2. */
const CERTIFY =
  'certify --mechanism stability-histogram --neighbours replace-one --publish on+off --unit trip --epsilon 8/5 --delta 1e-6';

/** P-value of draws against the law of a scale. */
const pValue = (draws: readonly number[], scale: number): number =>
  chiSquareTail(chiSquare(countBins(draws, LIMIT), binProbabilities(scale, LIMIT)), 2 * LIMIT);

describe('noise that certify draws', () => {
  test('is of the discrete Laplace law of the certificate, and of no other', async () => {
    const { code, stdout } = await run(words(`${CERTIFY} --draws 1000000 --json`));
    expect(code).toBe(EXIT.done);
    const { scale, draws } = JSON.parse(stdout);
    expect({ scale, count: draws.length }).toEqual({ scale: '5/2', count: 1_000_000 });
    expect(pValue(draws, 2.5)).toBeGreaterThan(FALSE_ALARM);
    expect(pValue(draws, 2.4)).toBeLessThan(FALSE_ALARM);
  });

  test('is one draw a line, and never the same', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => run(words(`${CERTIFY} --draws 1000`))));
    expect(one!.stdout.trimEnd().split('\n')).toHaveLength(1000);
    expect(one!.stdout).toMatch(/^(?:(?:0|-?[1-9]\d*)\n)+$/);
    expect(one!.stdout).not.toBe(other!.stdout);
  });

  test('ends quietly when the reader has enough', async () => {
    const { child, ending } = start(words(`${CERTIFY} --draws 1000000`));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ending).toMatchObject({ code: EXIT.done, stderr: '' });
  });
});
