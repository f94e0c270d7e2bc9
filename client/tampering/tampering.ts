import { partitionPath, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { requireAuditReceipt } from '../../services/draws/stage-receipt.ts';
import type { Ledger } from '../../services/ledger/ledger.ts';
import { ledgerKeysOf } from '../../services/trust/ledger-keys.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { checkLedger, listPopulations } from '../ledger/ledger-populations.ts';
import { stagedTips } from '../ledger/named-tips.ts';
import { decisionSentences } from './decision-objects.ts';
import { drawnSentences } from './drawn-objects.ts';
import { said } from './said.ts';
import { seriesFindings } from './series-objects.ts';
import { readOfferedManifests, stagedSentences } from './staged-objects.ts';
import { type StoredRelease, stagingBuilds, storedReleases } from './stored-releases.ts';

/** What stands in a ledger of a release; tables that a takeover charged without an entry have no receipt. */
type Charged = { release: string; population: string; ledger: Ledger; state: 'open' | 'ended' | 'unexplained' };

/**
 * What a release store holds that is not what its digests, its signatures and the other objects say: ledgers that were
 * cut, edited, taken away or begun anew, series files, lists, marks, decisions, staged files and tables. Of releases that
 * have not ended every byte is read; of the others, with `thorough` only. Names are compared of all of them.
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
  const findings = await seriesFindings(store);
  // Before the ledgers: whatever stands here stood there first.
  const stored = await storedReleases(store);
  const tips = await stagedTips(store);
  const charged = new Map<string, Charged>();
  const broken: Diagnosis[] = [];
  for (const population of await listPopulations(store, tips)) {
    const keys = ledgerKeysOf(chain);
    const check = await checkLedger(store, population, keys, tips);
    if (check.verified) for (const one of chargedIn(population, check.ledger)) charged.set(one.release, one);
    else broken.push({ sentence: check.message, command: `opaline ledger verify ${population}` });
  }
  const isWhole = broken.length === 0;
  findings.push(...broken);
  for (const path of new Set([...stored.keys(), ...charged.keys()])) {
    const release = stored.get(path) ?? null;
    const sentences = await releaseSentences(
      { store, chain, thorough, isWhole },
      path,
      release,
      charged.get(path) ?? null,
    );
    findings.push(...sentences.map((sentence) => ({ sentence, command: `opaline show ${path}` })));
  }
  return findings;
}

function chargedIn(population: string, ledger: Ledger): Charged[] {
  const ended = new Set(
    ledger.entries.flatMap((entry) => (entry.kind === 'commit' || entry.kind === 'withhold' ? [entry.charge] : [])),
  );
  return ledger.entries.flatMap((entry): Charged[] => {
    if (entry.kind === 'takeover')
      return entry.unexplained.map(({ release }) => ({ release, population, ledger, state: 'unexplained' }));
    if (entry.kind !== 'reserve') return [];
    return [{ release: entry.release, population, ledger, state: ended.has(entry.charge) ? 'ended' : 'open' }];
  });
}

/** Whether all ledgers are whole: what no charge explains is said only then. */
type Look = { store: ObjectStore; chain: TrustChain; thorough: boolean; isWhole: boolean };

async function releaseSentences(
  { store, chain, thorough, isWhole }: Look,
  path: string,
  stored: StoredRelease | null,
  charged: Charged | null,
): Promise<string[]> {
  if (charged?.state === 'unexplained') return [];
  if (!stored?.isMarked)
    return [
      `${path} has run, as ${charged ? 'the ledger' : 'its objects'} says, and has no mark of its execution: somebody took executions/${path}.json away; put it back from a backup.`,
    ];
  if (!charged)
    return isWhole && stored.tables.length > 0
      ? [`${path} has privatized tables, and no ledger holds a charge for them: somebody planted them.`]
      : [];
  if (charged.state === 'ended' && !thorough) return missingReceipts(stored);
  const believed = { trust: chain, ledger: charged.ledger, series: { population: charged.population } };
  const sentences = await drawnSentences(store, believed, stored);
  if (stagingBuilds(stored).length === 0) return sentences;
  const manifests = await readOfferedManifests(store, stored);
  const offered = manifests.filter((one) => one !== null);
  const [staged] = offered;
  if (!staged || offered.length < manifests.length)
    return [...sentences, `${path}: its staged manifest is none; somebody changed it.`];
  sentences.push(...(await stagedSentences(store, stored, staged)));
  for (const { manifest, digest } of offered) {
    const unaudited = await said(
      requireAuditReceipt(store, believed, manifest, digest),
      'The receipt of the audit cannot be read.',
    );
    if (unaudited) sentences.push(`${path}: ${unaudited}`);
  }
  sentences.push(...(await decisionSentences(store, chain, stored, offered)));
  return sentences;
}

/** By name alone. */
const missingReceipts = ({ release, tables, receipts }: StoredRelease): string[] => {
  const signed = new Set(receipts.map(partitionPath));
  return tables
    .map(partitionPath)
    .filter((path) => !signed.has(path))
    .map((path) => `${releasePath(release)}: the table of ${path} has no receipt of the private worker.`);
};
