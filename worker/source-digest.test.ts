import { expect, test } from 'vitest';
import { sourceDigest } from './source-digest.ts';

test('the digest of a build covers what runs, and neither tests nor what only they use', () => {
  const lockFileAlone = sourceDigest([]);
  expect(sourceDigest(['services/stores/*.test.ts', 'services/stores/*.fixture.ts'])).toBe(lockFileAlone);
  expect(sourceDigest(['services/stores/folder-store.ts'])).not.toBe(lockFileAlone);
});
