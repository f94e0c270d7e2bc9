import { expect, test } from 'vitest';
import { publisherKey, trustChain } from '../../test/support/trust-files.ts';
import { quorumOfTrust } from './trust-chain.ts';
import { isCurrent, isRetired, isValidAt, type TrustedKey } from './trusted-keys.ts';

const keyWith = (valid: TrustedKey['valid']): TrustedKey => ({ key: publisherKey.publicKey, valid });

test.each<[TrustedKey['valid'], [place: string, valid: boolean][], current: string[], retired: boolean]>([
  [
    'everywhere',
    [
      ['riders 1', true],
      ['others 500', true],
    ],
    ['riders', 'others'],
    false,
  ],
  [
    { riders: { until: 3 } },
    [
      ['riders 3', true],
      ['riders 4', false],
      ['others 1', false],
    ],
    [],
    true,
  ],
  [
    { riders: { from: 3 } },
    [
      ['riders 2', false],
      ['riders 3', true],
      ['others 3', false],
    ],
    ['riders'],
    false,
  ],
  [
    { riders: {}, others: { until: 0 } },
    [
      ['riders 9', true],
      ['others 1', false],
    ],
    ['riders'],
    false,
  ],
  [{}, [['riders 1', false]], [], true],
  [
    JSON.parse('{"__proto__": {}}'),
    [
      ['toString 1', false],
      ['riders 1', false],
    ],
    [],
    false,
  ],
])('C16: a key that is valid %j holds for what that names and for nothing else', (valid, places, current, retired) => {
  const key = keyWith(valid);
  const found = places.map(([place]) => {
    const [population, sequence] = place.split(' ');
    return [place, isValidAt(key, { population: population!, sequence: Number(sequence) })];
  });
  expect(found).toEqual(places);
  expect(['riders', 'others'].filter((population) => isCurrent(key, population))).toEqual(current);
  expect(isRetired(key)).toBe(retired);
});

test('C16: a version binds what was charged after its tips, and everything in a population that it does not name', () => {
  const chain = trustChain(
    { required: 1 },
    { required: 3, tips: { riders: 40 } },
    { required: 2, tips: { riders: 50 } },
  );
  const at = (population: string, sequence: number) => quorumOfTrust(chain, { population, sequence });
  expect([40, 41, 50, 51].map((sequence) => at('riders', sequence))).toEqual([1, 3, 3, 2]);
  expect([at('others', 1), at('toString', 1)]).toEqual([2, 2]);
});
