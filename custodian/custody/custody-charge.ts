import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { type Partition, partitionPath, releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { isEnd, type Reserve, reserveOfRelease } from '../../core/ledger/budget.ts';
import { makeCache, oncePer } from '../../core/memory/function-cache.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import type { PrivateContext } from '../private-context.ts';
import { admit, readRun } from './admission.ts';
import { appendSettled, settleLedger } from './population-ledger.ts';

/** A release that the ledger has charged. */
export type ReservedRelease = Awaited<ReturnType<typeof admitCharged>>;

/** Releases that this process has found in a ledger, with the copy of their entry in the release store. */
const foundReserves = oncePer((_: PrivateContext) => makeCache<Promise<Reserve>>());

/**
 * The reserve of a release under its very series file, in the ledger of the private store; its copy is in the release
 * store. Entries are never taken back, so that it is looked up once. Throws NOT_CHARGED.
 *
 * @contract C11a
 * @contract C12
 */
export async function reserveOf(context: PrivateContext, input: Run): Promise<Reserve> {
  const run = readRun(input);
  const name = `${releasePath(run)} ${run.seriesDigest}`;
  return foundReserves(context)(name, async () => {
    const { population } = await readSeries(context.releaseStore, run);
    const reserve = findReserve((await settleLedger(context, population)).entries, run);
    if (reserve) return reserve;
    throw new OpalineError(
      'NOT_CHARGED',
      `${releasePath(run)} is not in the ledger of ${population} under this series file; nothing is reported of it.`,
    );
  });
}

/** The reserve of a release under its series file; null when there is none. */
export function findReserve(entries: readonly LedgerEntry[], run: Run): Reserve | null {
  const reserve = reserveOfRelease(entries, run);
  return reserve?.series.digest === run.seriesDigest ? reserve : null;
}

/**
 * A release that the policy allows and that its ledger has charged: what comes before an answer that may say more than
 * the names of objects. Throws as admit and reserveOf do.
 *
 * @contract C11a
 */
export async function admitCharged(context: PrivateContext, input: Run) {
  const release = await admit(context, input);
  const reserve = await reserveOf(context, input);
  return {
    ...release,
    charge: reserve.charge,
    reserve,
    /** The partitions that the charge is for. */
    charged: reserve.correction?.partitions ?? release.partitions,
  };
}

/** Throws NOT_CHARGED unless the charge is for all of them. */
export function requireCharged({ charged, run }: ReservedRelease, partitions: readonly Partition[]): void {
  const names = new Set(charged.map(partitionPath));
  const stranger = partitions.find((one) => !names.has(partitionPath(one)));
  if (!stranger) return;
  throw new OpalineError('NOT_CHARGED', `The charge of ${releasePath(run)} is not for every partition that was named.`);
}

/**
 * Appends the entry that ends the charge of a release, unless one that ends it is there: a charge ends once. It
 * changes no budget, so that it asks for nothing but a charge: a release ends also when its series file was revoked
 * meanwhile. Throws ACTION_NOT_OFFERED for a publication that would be withheld.
 *
 * @contract C12
 */
export async function endCharge(
  context: PrivateContext,
  run: Run,
  end: { kind: 'commit' } | { kind: 'withhold'; reason: string },
): Promise<void> {
  const { charge, release, population } = await reserveOf(context, run);
  await appendSettled(context, population, (entries) => {
    const before = entries.filter(isEnd).find((entry) => entry.charge === charge);
    if (before?.kind === 'commit' && end.kind === 'withhold')
      throw new OpalineError(
        'ACTION_NOT_OFFERED',
        `${release} was published, as the ledger says, and cannot be withheld; \`opaline retract\` takes it back.`,
      );
    return before ? null : { ...end, charge, release };
  });
}
