import { readFile } from 'node:fs/promises';
import { walkLedger } from '../../activities/ledger/ledger.ts';
import { putOrder, signOrder } from '../../activities/orders/orders.ts';
import { putSignature } from '../../activities/orders/series-signature.ts';
import { planTakeover } from '../../activities/orders/takeover-order.ts';
import { readPolicyFile } from '../../activities/policy/policy-file.ts';
import { openStore } from '../../activities/stores/open-store.ts';
import { everyAppliedSeries, readApplied } from '../../activities/stores/series-objects.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { Deployments, EmbeddedFiles } from './embedded-files.ts';

/**
 * Lets the ledgers of an embedded stack that an earlier build has left go on, with the demo key: the order that a
 * custodian would sign, and signatures of the series files that are applied. Gives the populations, for people to read.
 */
export async function orderDemoTakeovers(files: EmbeddedFiles, deployments: Deployments): Promise<string[]> {
  const release = openStore(deployments.private.releaseStore);
  const own = openStore(deployments.private.privateStore);
  const { policy } = await readPolicyFile(files.policy);
  const key = await readFile(files.key('policy'), 'utf8');
  const taken: string[] = [];
  for (const [population, rules] of Object.entries(policy.populations)) {
    const first = RELEASE_KEYS.ledgerEntry(population, 1);
    if ((await release.head(first)) === null || (await own.head(first)) !== null) continue;
    const { entries } = await walkLedger(release, population);
    if (entries.some((entry) => entry.format !== 'opaline-ledger/1')) continue;
    await putOrder(release, signOrder(await planTakeover(release, population, rules, null), key));
    taken.push(population);
  }
  if (taken.length > 0)
    for (const { name, series } of await everyAppliedSeries(release)) {
      const { digest } = await readApplied(release, name);
      await putSignature(release, { series, digest, signature: null }, key);
    }
  return taken;
}
