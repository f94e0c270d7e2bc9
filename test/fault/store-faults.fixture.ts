import { join } from 'node:path';
import type { ErrorCode } from '../../contracts/errors.ts';
import { carryThrough } from '../support/carry-through.ts';
import { type FaultProxy, type StoreFault, seededFaults, startFaultProxy } from '../support/fault-proxy.ts';
import { newFolder } from '../support/new-folder.ts';
import type { Places } from '../support/release-checks.ts';
import { outcomeOf } from '../support/release-outcome.ts';
import type { Reliability } from '../support/reliability-record.ts';
import { type SmallSeries, writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { uploadFolder } from '../support/store-folders.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';
import { startTwoSidedGateway, type TwoSidedGateway } from '../support/two-sided-gateway.ts';

/** Seconds after which the stores count a request as lost: short, as every such fault of a test lasts so long. */
const TIMEOUT_SECONDS = 2;

/** The small series on a real S3 server; both workers reach all of their stores through a proxy that can be faulty. */
export type FaultyStores = {
  stack: TestStack;
  series: SmallSeries;
  gateway: TwoSidedGateway;
  proxy: FaultProxy;
  end(): Promise<void>;
};

export async function startFaultyStores(changes: Record<string, string> = {}): Promise<FaultyStores> {
  const folder = newFolder();
  const gateway = await startTwoSidedGateway();
  const proxy = await startFaultProxy(gateway.endpoint);
  const stack = await startTestStack((root) =>
    gateway.deployments(root, ['trips'], { endpoint: proxy.endpoint, timeoutSeconds: TIMEOUT_SECONDS }),
  );
  await writeSmallTrips(folder);
  await uploadFolder(folder, gateway.store('source', undefined, 'trips'), '.csv.gz');
  const series = await writeSmallSeries(join(stack.root, 'small'), changes);
  const end = async () => {
    await stack.end();
    await proxy.stop();
    await gateway.stop();
  };
  return { stack, series, gateway, proxy, end };
}

/** What a release met, and what came of it. `met` are the faults by request; `heldBack` the codes of its partitions. */
export type FaultyRelease = { row: Reliability; story: string; met: string[]; heldBack: ErrorCode[] };

/** One whole release, a share of whose requests meet faults, until it has ended. */
export async function releaseWithFaults(
  { stack, series, gateway, proxy }: FaultyStores,
  { seed, version, faults, share }: { seed: number; version: number; faults: readonly StoreFault[]; share: number },
): Promise<FaultyRelease> {
  const places: Places = {
    release: gateway.store('release'),
    publication: gateway.store('publication'),
    population: 'small-riders',
  };
  proxy.arm(seededFaults(seed, faults, share));
  const carried = await carryThrough(stack, series, version).finally(() => proxy.arm(null));
  await proxy.idle();
  const injected = proxy.injected();
  const { row, line } = await outcomeOf(stack, places, carried, {
    fault: `S3: ${faults.join(', ')}`,
    injected: [...injected.values()].reduce((sum, times) => sum + times, 0),
    seed,
    leftovers: await gateway.unfinishedUploads(),
  });
  const met = [...injected].map(([name, times]) => `${name} × ${times}`).sort();
  return { row, story: `${line}\n  ${met.join('\n  ')}`, met: [...injected.keys()], heldBack: [...carried.heldBack] };
}
