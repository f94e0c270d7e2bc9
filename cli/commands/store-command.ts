import { pipeline } from 'node:stream/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Command } from 'commander';
import { askTemporal } from '../../client/opaline-client.ts';
import { bucketPolicies, storeSetupSchema } from '../../client/stores/bucket-policies.ts';
import { setUpStores } from '../../client/stores/set-up-stores.ts';
import { on } from '../../client/workflow-calls.ts';
import { wrongUse } from '../../contracts/errors.ts';
import { type ReleaseReference, releaseWorkflowId } from '../../contracts/names.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { retention } from '../../custodian/custody/retention.ts';
import type { CommandResult } from '../../kinds/kind-command.ts';
import { openStore } from '../../services/stores/open-store.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { clientDeployment } from '../client-deployment.ts';
import { command } from '../command.ts';
import { askReader, type ConfirmOptions } from '../confirmation.ts';
import { contextOf, custodianDeployment } from '../private-deployment.ts';

export const storeCommand = (): Command =>
  command('store', 'set up buckets, look into a store, and take away what nobody needs any more')
    .argument(
      '<action>',
      'setup makes buckets and policies; list and get show what is stored; purge takes what ended releases left in the private store',
      ['setup', 'list', 'get', 'purge'] as const,
    )
    .argument(
      '[place]',
      'setup: a file that says server, buckets and users; list and get: private/KEY or release/KEY; purge: a series, or a release',
    )
    .option('--print-policies', 'setup: print the policies of the buckets and change nothing')
    .option(
      '--reports',
      'purge: also rejected rows, tallies, warnings, risk reports and diagnostics, once they are read',
    )
    .option('--dry-run', 'purge: say what would go and change nothing')
    .option('--yes', 'purge: do not ask')
    .example('opaline store purge demo-taps/2026-03-02/v1')
    .run(async ({ action, place }, options) => {
      if (action === 'purge') return purge(place ?? null, options);
      if (place === undefined) throw wrongUse(`opaline store ${action} needs a place; its help says which.`);
      if (action === 'setup') return setUp(place, options.printPolicies ?? false);
      return action === 'list' ? list(place) : get(place);
    });

async function setUp(file: string, printPolicies: boolean): Promise<CommandResult> {
  const setup = await readDeployment(file, storeSetupSchema);
  if (printPolicies) {
    const policies = bucketPolicies(setup.buckets, setup.users, true);
    return { value: policies, text: JSON.stringify(policies, null, 2) };
  }
  const buckets = await setUpStores(setup);
  const stateful: readonly string[] = [setup.buckets.private, setup.buckets.release];
  const text = buckets.map(({ bucket, isNew, versions, tidiesUploads, writesOnce }) => {
    const gaps = [
      stateful.includes(bucket) && !versions && 'to keep versions: back it up otherwise',
      stateful.includes(bucket) && !writesOnce && 'to refuse writes without a condition (s3:if-none-match)',
      !tidiesUploads && 'to take unfinished uploads away: look for them by hand',
    ].filter((one) => one !== false);
    const not = gaps.length === 0 ? '' : ` This server does not know how ${gaps.join('; ')}.`;
    return `${bucket}: ${isNew ? 'made' : 'was there'}; its policy is set.${not}`;
  });
  return {
    value: buckets,
    text: lines(text, 'Writers raced for keys where draws lie, and one of them won each time.'),
  };
}

/** A store that is named in front of a key. Reading the private one needs the file of the custodian side. */
async function openPlace(place: string) {
  const [, store, key] = /^(private|release)\/(.*)$/.exec(place) ?? [];
  if (!store) throw wrongUse(`${place} is no place: write private/KEY or release/KEY, such as release/ledger/.`);
  const { privateStore, releaseStore } =
    store === 'private' ? await custodianDeployment() : { privateStore: null, ...(await clientDeployment()) };
  return { store: openStore(privateStore ?? releaseStore), key: key! };
}

async function list(place: string): Promise<CommandResult> {
  const { store, key } = await openPlace(place);
  const objects: { key: string; size: number }[] = [];
  for await (const { key: found, size } of store.list(key)) objects.push({ key: found, size });
  return { value: objects, text: objects.map((one) => `${String(one.size).padStart(12)}  ${one.key}`).join('\n') };
}

/** The bytes as they are: whoever looks may have a program that reads them. */
async function get(place: string): Promise<undefined> {
  const { store, key } = await openPlace(place);
  await pipeline((await store.get(key)).stream, process.stdout, { end: false });
}

/** An activity may run for so long after its release has ended. */
const LAST_ACTIVITY_MS = 6 * 3_600_000;

async function purge(
  within: string | null,
  options: ConfirmOptions & { reports?: true; dryRun?: true },
): Promise<CommandResult | undefined> {
  const deployment = await custodianDeployment();
  const context = await contextOf(deployment);
  const { objects, kept } = await askTemporal(deployment.temporal, ({ workflow }) => {
    const isAtWork = async (release: ReleaseReference): Promise<boolean> => {
      const request = workflow.getHandle(releaseWorkflowId(release)).describe();
      const execution = await request.catch(on(WorkflowNotFoundError, () => null));
      return execution !== null && Date.now() - Number(execution.closeTime ?? Date.now()) < LAST_ACTIVITY_MS;
    };
    return retention(context, { within, withReports: options.reports ?? false, isAtWork });
  });
  const bytes = objects.reduce((sum, { size }) => sum + size, 0);
  const what = `${objects.length} objects of ${Math.ceil(bytes / 2 ** 20)} MiB`;
  const notes = kept.map(({ release, why }) => `${release} keeps its objects: ${why}.`);
  const value = { objects: objects.map(({ key }) => key), bytes, kept, removed: false };
  if (options.dryRun || objects.length === 0) return { value, text: lines(notes, `${what} may go. Nothing was done.`) };
  if (!(await askReader(lines(notes, `${what} of the private store are removed for good.`), options))) return;
  const store = openStore(deployment.privateStore);
  for (const { key } of objects) await store.remove(key);
  return { value: { ...value, removed: true }, text: lines(notes, `${what} were removed.`) };
}
