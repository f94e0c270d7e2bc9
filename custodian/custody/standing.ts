import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import { type Partition, partitionPath, releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import type { Reserve } from '../../core/ledger/budget.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import type { PrivateContext } from '../context.ts';
import { type Admitted, admitted, namedRun } from './admission.ts';
import { settledLedger } from './population-ledger.ts';

/** A release that stands in the ledger. */
export type StandingRelease = Admitted & {
  charge: string;
  reserve: Reserve;
  /** The partitions that the charge is for. */
  charged: Partition[];
};

/** Releases that this process has found in a ledger, with the copy of their entry in the release store. */
const found = new WeakMap<PrivateContext, Map<string, Reserve>>();

/**
 * The reserve of a release under its very series file, in the ledger of the private store; its copy is in the release
 * store. Entries are never taken back, so that it is looked up once. Throws NOT_CHARGED.
 *
 * @contract C11a
 * @contract C12
 */
export async function standing(context: PrivateContext, input: Run): Promise<Reserve> {
  const run = namedRun(input);
  const name = `${releasePath(run)} ${run.seriesDigest}`;
  const known = found.get(context) ?? new Map<string, Reserve>();
  found.set(context, known);
  const before = known.get(name);
  if (before) return before;
  const { population } = await readSeries(context.releaseStore, run);
  const reserve = standingReserve((await settledLedger(context, population)).entries, run);
  if (!reserve)
    throw new OpalineError(
      'NOT_CHARGED',
      `${releasePath(run)} does not stand in the ledger of ${population} under this series file; nothing is told of it.`,
    );
  known.set(name, reserve);
  return reserve;
}

/** The reserve of a release under its series file; null when there is none. */
export function standingReserve(entries: readonly LedgerEntry[], run: Run): Reserve | null {
  const release = releasePath(run);
  const reserve = entries.find((entry) => entry.kind === 'reserve' && entry.release === release);
  if (reserve?.kind !== 'reserve') return null;
  return reserve.series.digest === run.seriesDigest ? reserve : null;
}

/**
 * A release that the policy allows and that stands in the ledger: what comes before an answer that may say more than the
 * names of objects. Throws as admitted and standing do.
 *
 * @contract C11a
 */
export async function charged(context: PrivateContext, input: Run): Promise<StandingRelease> {
  const release = await admitted(context, input);
  const reserve = await standing(context, input);
  return {
    ...release,
    charge: reserve.charge,
    reserve,
    charged: reserve.correction?.partitions ?? release.partitions,
  };
}

/** Throws NOT_CHARGED unless the charge is for all of them. */
export function requireCharged({ charged, run }: StandingRelease, partitions: readonly Partition[]): void {
  const names = new Set(charged.map(partitionPath));
  const stranger = partitions.find((one) => !names.has(partitionPath(one)));
  if (!stranger) return;
  throw new OpalineError('NOT_CHARGED', `The charge of ${releasePath(run)} is not for every partition that was named.`);
}
