import {
  PRIVATE_KEYS,
  parseReleasePath,
  REPORT_PREFIXES,
  type ReleaseReference,
  releasePath,
  WORKING_PREFIXES,
} from '../../contracts/names.ts';
import type { ObjectFacts } from '../../contracts/object-store.ts';
import { isEnd } from '../../core/ledger/budget.ts';
import { walkLedger } from '../../services/ledger/ledger.ts';
import { listPopulations } from '../../services/ledger/populations.ts';
import type { PrivateContext } from '../private-context.ts';

/** What may go of the private store, and the releases that still need what is there, each with the reason. */
export type Retention = { objects: ObjectFacts[]; kept: { release: string; why: string }[] };

type RetentionRequest = {
  /** A series, a window of it or a release, as in its path; null: the whole store. */
  within: string | null;
  /** Take what custodians read, too: rejected rows, tallies, warnings, risk reports, diagnostics. */
  withReports: boolean;
  /** Does Temporal run this release, or did it a few hours ago, so that an activity of it may still be at work? */
  isAtWork(release: ReleaseReference): Promise<boolean>;
};

/**
 * What of the private store nobody needs any more: objects below the working prefixes, of releases that have ended. A
 * release with a charge has ended when its ledger says so, whatever Temporal says or has forgotten: until then it can go
 * on from these objects. The ledger, draws, and whatever is in no list of prefixes are never named. It changes nothing.
 * Throws LEDGER_BROKEN and LEDGER_BEHIND: without a whole ledger nothing may go.
 *
 * @contract C11
 */
export async function retention(context: PrivateContext, request: RetentionRequest): Promise<Retention> {
  const { within, withReports } = request;
  const charges = await chargesOf(context);
  const reasons = new Map<string, string | null>();
  const objects: ObjectFacts[] = [];
  const prefixes = withReports ? WORKING_PREFIXES : WORKING_PREFIXES.filter((one) => !REPORTS.has(one));
  for (const prefix of prefixes)
    for await (const facts of context.privateStore.list(`${prefix}/`)) {
      const path = facts.key.slice(prefix.length + 1);
      if (within !== null && !`${path.replace(/\.json$/, '')}/`.startsWith(`${within}/`)) continue;
      const [series, window, version = ''] = path.split('/');
      const release = parseReleasePath(`${series}/${window}/${version.replace(/\.json$/, '')}`);
      if (!release) {
        objects.push(facts);
        continue;
      }
      const name = releasePath(release);
      if (!reasons.has(name)) reasons.set(name, await whyNeeded(context, release, charges.get(name), request));
      if (reasons.get(name) === null) objects.push(facts);
    }
  const rest = [...reasons].flatMap(([release, why]) => (why === null ? [] : [{ release, why }]));
  return { objects, kept: rest };
}

const REPORTS: ReadonlySet<string> = new Set(REPORT_PREFIXES);

/** Releases that were charged, and whether the ledger says that they have ended. */
async function chargesOf({ privateStore, ledgerKeys }: PrivateContext): Promise<Map<string, 'open' | 'ended'>> {
  const charges = new Map<string, 'open' | 'ended'>();
  for (const population of await listPopulations(privateStore))
    for (const entry of (await walkLedger(privateStore, population, ledgerKeys)).entries) {
      if (entry.kind === 'reserve') charges.set(entry.release, 'open');
      if (isEnd(entry)) charges.set(entry.release, 'ended');
    }
  return charges;
}

async function whyNeeded(
  { privateStore }: PrivateContext,
  release: ReleaseReference,
  charge: 'open' | 'ended' | undefined,
  { isAtWork }: RetentionRequest,
): Promise<string | null> {
  if (await isAtWork(release)) return 'it is at work, or was a few hours ago';
  if (charge === 'open') return 'its ledger has no end of its charge, so it may go on';
  if (charge === 'ended') return null;
  for await (const _ of privateStore.list(`${PRIVATE_KEYS.draws(release)}`))
    return 'it has draws that no ledger charges: look at opaline ledger verify --private';
  return null;
}
