import { expect, test } from 'vitest';
import { storeAt } from './source-address.ts';

test.each([
  ['s3://taps', { kind: 's3', bucket: 'taps' }],
  ['s3://taps/', { kind: 's3', bucket: 'taps' }],
  ['s3://taps/raw/2026', { kind: 's3', bucket: 'taps', prefix: 'raw/2026' }],
  ['../data', { kind: 'folder', path: '../data' }],
])('%s names a store', (address, store) => {
  expect(storeAt(address)).toEqual(store);
});
