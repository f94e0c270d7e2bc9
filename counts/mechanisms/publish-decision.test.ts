import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isPublished } from './publish-decision.ts';

test('C8: a noisy count is published from the threshold on, and the twin that asks for more is caught', () => {
  const decisions = (rule: (noisy: number, threshold: number) => boolean) => [7, 8, 9].map((noisy) => rule(noisy, 8));
  expect(decisions(isPublished)).toEqual([false, true, true]);
  expect(decisions((noisy, threshold) => noisy > threshold)).not.toEqual([false, true, true]);
});

/** Code that compares something with a threshold or a floor, comments left out. */
const comparesWithThreshold = (code: string): boolean =>
  /(?<!=)[<>]=?\s*(\w+\.)*(threshold|floor)\b/.test(code.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''));

test('C8: no other mechanism compares anything with a threshold or a floor', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const comparing = files.filter((file) => comparesWithThreshold(readFileSync(new URL(file, folder), 'utf8')));
  expect(comparing).toEqual(['publish-decision.ts']);
  for (const twin of ['if (count + noise > certificate.threshold) publish();', 'sum >= hours.floor'])
    expect(comparesWithThreshold(twin)).toBe(true);
});

test('C9: the fit of remainders imports nothing that holds counts', () => {
  for (const file of ['remainder.ts', 'level-fit.ts', 'exact-totals.ts']) {
    const imports = readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/from '([^']+)'/g);
    for (const [, from] of imports)
      expect(from).toMatch(
        /^(\.\/(level-fit|exact-totals)|\.\.\/tables\/columns|\.\.\/\.\.\/contracts\/.*|\.\.\/\.\.\/core\/rational\/rational)\.ts$/,
      );
  }
});
