import { randomUUID } from 'node:crypto';
import { commit } from '../../activities/private/commit.ts';
import { privatize } from '../../activities/private/privatize.ts';
import { reserve } from '../../activities/private/reserve.ts';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import type { Partition } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Run } from '../../contracts/stages.ts';
import { operatingSystemRandom } from '../../custodian/randomness.ts';
import { ReleaseBench, type StoreName } from '../support/release-bench.ts';
import { SMALL_WINDOW } from '../support/small-series.ts';
import { storeMethods } from '../support/store-methods.ts';
import { publishedStatement } from '../support/trust-files.ts';
import { checkThenWrite, forgetful } from './broken-stores.fixture.ts';

/**
 * A worker process of draw-once.test.ts: both activities over the folder stores of its parent, with the randomness of
 * production. Messages say what it does, and it kills itself in the middle of it when they say so.
 */
export type Order =
  /** reserve, privatize every partition, commit; killed before or after its write number `write` (from 1). */
  | { kind: 'release'; partitions: Partition[]; kill: { write: number; point: 'before' | 'after' } | null }
  /** privatize of one partition, whose cells are there. */
  | { kind: 'privatize'; run: Run; partition: Partition; charge: string };

export type Start = { root: string; loaded: LoadedSeries; broken: 'forgetful' | 'check-then-write' | null };

/** `writes`: the keys of the writes that took effect, in order. */
export type Done = { charge: string; digests: string[]; writes: string[] };

/** The release that it knows; it may be given another one, of other stores, of which it knows nothing. */
let release: ReleaseBench;
let broken: Start['broken'] = null;
let kill: { write: number; point: 'before' | 'after' } | null = null;
const writes: string[] = [];

const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

/** Counts the writes that take effect, over all stores, and dies at the one that its order names. */
function counting(store: ObjectStore, name: StoreName): ObjectStore {
  return {
    ...storeMethods(store),
    putIfAbsent: async (key, body) => {
      const isNext = (await store.head(key)) === null && kill?.write === writes.length + 1;
      if (isNext && kill?.point === 'before') return die();
      const outcome = await store.putIfAbsent(key, body);
      if (isNext) return die();
      if (outcome === 'created') writes.push(`${name}/${key}`);
      return outcome;
    },
  };
}

function wrap(store: ObjectStore, name: StoreName): ObjectStore {
  const folder = release.folder(name);
  if (broken === 'forgetful') return counting(forgetful(store, folder, 'privatized/'), name);
  if (broken === 'check-then-write' && name === 'private') return counting(checkThenWrite(store, folder), name);
  return counting(store, name);
}

async function obey(order: Order): Promise<Done> {
  if (order.kind === 'privatize') {
    const { run, partition, charge } = order;
    const [drawn] = await privatize(contexts.private, { ...run, round: 0, partitions: [partition], charge });
    return { charge, digests: [drawn!.digest], writes: writes.splice(0) };
  }
  kill = order.kill;
  const run = release.run();
  const { charge } = await reserve(contexts.private, { ...run, partitions: release.partitions });
  const digests: string[] = [];
  for (const partition of order.partitions)
    digests.push((await privatize(contexts.private, { ...run, round: 0, partitions: [partition], charge }))[0]!.digest);
  await commit(contexts.private, { ...run, statement: publishedStatement(run) });
  return { charge, digests, writes: writes.splice(0) };
}

let contexts: ReturnType<ReleaseBench['contexts']>;
process.on('message', async (message: Start | Order) => {
  if ('root' in message) {
    release = new ReleaseBench(message.root, message.loaded, SMALL_WINDOW);
    broken = message.broken;
    writes.length = 0;
    contexts = release.contexts({ random: operatingSystemRandom(), newId: randomUUID, wrap });
    process.send?.('ready');
  } else
    process.send?.(await obey(message).catch(() => ({ charge: '', digests: ['refused'], writes: writes.splice(0) })));
});
