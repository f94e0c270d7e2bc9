import type { ObjectStore } from '../../contracts/object-store.ts';
import { isEnd } from '../../core/ledger/budget.ts';
import type { Ledger } from '../../services/ledger/ledger.ts';
import { listPopulations } from '../../services/ledger/populations.ts';
import { ledgerKeysOf } from '../../services/trust/ledger-keys.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { checkLedger } from '../ledger/ledger-populations.ts';
import { readStagedTips } from '../ledger/named-tips.ts';
import { releaseSentences } from './release-objects.ts';
import { seriesFindings } from './series-tampering.ts';
import { listStoredReleases } from './stored-releases.ts';

/** The reserve of a release, and whether an entry has ended it. */
type Charged = { population: string; ledger: Ledger; hasEnded: boolean };

/**
 * What a release store holds that is not what its digests, its signatures and the other objects say: ledgers that were
 * cut, edited, taken away or begun again, series files, lists, marks, decisions, staged files and tables. Of releases
 * that have not ended every byte is read; of the others, with `thorough` only. Names are compared of all of them.
 *
 * It believes the trust file and nothing else. What it cannot see is in docs/security.md.
 *
 * @contract C11
 * @contract C12
 */
export async function tamperFindings(
  store: ObjectStore,
  chain: TrustChain,
  { thorough }: { thorough: boolean },
): Promise<Diagnosis[]> {
  const findings: Diagnosis[] = [];
  for await (const finding of seriesFindings(store)) findings.push(finding);
  // Before the ledgers: whatever is stored of a release was charged before.
  const releases = await listStoredReleases(store);
  const tips = await readStagedTips(store);
  const charges = new Map<string, Charged | null>();
  let isWhole = true;
  for (const population of await listPopulations(store, tips)) {
    const check = await checkLedger(store, population, ledgerKeysOf(chain), tips);
    if (check.verified) collectCharges(charges, population, check.ledger);
    else findings.push({ sentence: check.message, command: `opaline ledger verify ${population}` });
    isWhole &&= check.verified;
  }
  for (const path of new Set([...releases.keys(), ...charges.keys()])) {
    const own = charges.get(path);
    // What a takeover charged without an entry has no receipts.
    if (own === null) continue;
    const add = (sentence: string) => findings.push({ sentence, command: `opaline show ${path}` });
    const record = releases.get(path);
    if (!record?.isMarked)
      add(
        `${path} has run, as ${own ? 'the ledger' : 'its objects'} says, and has no mark of its execution: somebody took what was below executions/${path}/ away; put it back from a backup.`,
      );
    else if (!own) {
      // A charge may be in a ledger that is not whole.
      if (isWhole && record.tables.size > 0)
        add(`${path} has privatized tables, and no ledger holds a charge for them: somebody planted them.`);
    } else if (!own.hasEnded || thorough) {
      const { ledger, population } = own;
      const grounds = { releaseStore: store, trust: chain, ledger, series: { population } };
      for (const sentence of await releaseSentences(grounds, record)) add(`${path}: ${sentence}`);
    } else
      for (const partition of record.tables)
        if (!record.receipts.has(partition))
          add(`${path}: the table of ${partition} has no receipt of the private worker.`);
  }
  return findings;
}

/** Adds what a ledger has charged, by release; null for draws that a takeover charged without an entry. */
function collectCharges(charges: Map<string, Charged | null>, population: string, ledger: Ledger): void {
  const ends = new Set(ledger.entries.filter(isEnd).map(({ charge }) => charge));
  for (const entry of ledger.entries) {
    if (entry.kind === 'takeover') for (const { release } of entry.unexplained) charges.set(release, null);
    if (entry.kind === 'reserve') charges.set(entry.release, { population, ledger, hasEnded: ends.has(entry.charge) });
  }
}
