import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { PRIVATE_KINDS } from '../../kinds/private-kinds.ts';
import { PUBLIC_KINDS } from '../../kinds/public-kinds.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { seededSource } from './seeded-source.ts';
import { custodyBelow } from './test-custody.ts';
import { publisherKey, TEST_CHAIN } from './trust-files.ts';

/** What private activities need, in folders below one, with a seeded source of randomness. */
export function privateContextBelow(root: string, change: Partial<PrivateContext> = {}): PrivateContext {
  const source = new FolderStore(join(root, 'source'));
  return {
    sourceStore: () => source,
    privateStore: new FolderStore(join(root, 'private')),
    releaseStore: new FolderStore(join(root, 'release')),
    scratch: join(root, 'scratch'),
    memoryMiB: 512,
    random: seededSource(1),
    kinds: PRIVATE_KINDS,
    ...custodyBelow(root),
    publisherKeys: () => [publisherKey.publicKey],
    newId: randomUUID,
    ...change,
  };
}

/** Digest of its sources, as a public worker of tests names it. */
export const TEST_BUILD = 'build-digest';

/** What public activities need, in folders below one. */
export const publicContextBelow = (root: string, change: Partial<PublicContext> = {}): PublicContext => ({
  releaseStore: new FolderStore(join(root, 'release')),
  publicationStore: new FolderStore(join(root, 'publication')),
  trust: async () => TEST_CHAIN,
  publisherKey: publisherKey.privateKey,
  scratch: join(root, 'scratch'),
  kinds: PUBLIC_KINDS,
  channels: new Map(),
  build: { sources: TEST_BUILD, runtime: async () => null },
  now: () => new Date('2026-11-22T00:00:00Z'),
  ...change,
});
