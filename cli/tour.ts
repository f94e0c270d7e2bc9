import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OpalineClient } from '../client/opaline-client.ts';
import { decideRelease } from '../client/release/decide-release.ts';
import { planRun, startRelease } from '../client/release/plan-run.ts';
import { nullOn, OpalineError } from '../contracts/errors.ts';
import { FILES, type ReleaseReference, releasePath } from '../contracts/names.ts';
import type { ReleaseStatus } from '../contracts/stages.ts';
import type { PreparedExample } from '../examples/prepare.ts';
import { watchRelease } from './follow-release.ts';
import { releaseText } from './release-text.ts';
import { type OutputOptions, print } from './terminal.ts';

/**
 * What `npm start` shows: the first window of an example goes all the way to publication, approved by the demo key;
 * the second one stops at the gate, and a third is held up by a broken object. A release of an earlier start
 * is taken up where it is.
 */
export async function tour(
  client: OpalineClient,
  example: PreparedExample,
  options: OutputOptions & { once?: boolean },
): Promise<void> {
  const [first, second] = example.windows;
  const published = await publishFirst(client, example, first, options);
  if (published.state !== 'published') throw new OpalineError('UNEXPECTED', releaseText(published));
  const folder = join(example.publication, releasePath(published));
  const broken = await brokenCopy(folder, example);
  const done = [
    `\nWindow ${first}: ${example.description}`,
    'The release was counted, noised, audited and published. Its approval was given by a demo key that this computer made;',
    'in a real series people approve, each with a key of their own.',
    `  published files   ${folder}`,
    `  read first        ${join(folder, 'statement.md')}`,
    ...(existsSync(join(folder, FILES.auditPage)) ? [`  see the attacks   ${join(folder, FILES.auditPage)}`] : []),
    `  check them        opaline verify ${folder} --trust ${example.trust}`,
    ...(broken === null ? [] : [`  audit a bad copy  opaline audit ${broken}`]),
  ];
  print(options, published, done.join('\n'));
  if (options.once || !second) return;
  const waiting = await reach(client, example, second, options);
  const name = releasePath(waiting);
  const next = [
    `\nWindow ${second}: the release is ${waiting.state}.`,
    `  look at it        opaline show ${name}`,
    `  approve it        opaline approve ${name} --key ${example.key} --reason "I read the statement and the audit"`,
  ];
  print(options, waiting, (waiting.state === 'waiting' ? next : next.slice(0, 2)).join('\n'));
  if (example.broken) await showBroken(client, example, example.broken, options);
}

/** A window whose release is held up by a broken object, with what mends it. */
async function showBroken(
  client: OpalineClient,
  example: PreparedExample,
  { window, repaired, object }: NonNullable<PreparedExample['broken']>,
  options: OutputOptions,
): Promise<void> {
  const held = await reach(client, example, window, options);
  const name = releasePath(held);
  const lines = [
    `\nWindow ${window}: the release is ${held.state}.`,
    `  look at it        opaline explain ${name}`,
    `  deliver it again  cp ${join(example.source, repaired)} ${join(example.source, object)}`,
    `  go on, at 0 ε     opaline retry ${name}`,
  ];
  print(options, held, (held.state === 'partitions-failed' ? lines : lines.slice(0, 2)).join('\n'));
}

/** A copy of the publication in which somebody has changed a total, made once; null for one without totals. */
async function brokenCopy(folder: string, { publication }: PreparedExample): Promise<string | null> {
  if (!existsSync(join(folder, FILES.table('location')))) return null;
  const copy = join(dirname(dirname(publication)), 'broken-publication');
  if (existsSync(copy)) return copy;
  await cp(folder, copy, { recursive: true });
  const path = join(copy, FILES.table('location'));
  const text = await readFile(path, 'utf8');
  await writeFile(
    path,
    text.replace(/,(\d+)(?=\r?\n$)/, (_, count) => `,${Number(count) + 7}`),
  );
  return copy;
}

async function publishFirst(
  client: OpalineClient,
  example: PreparedExample,
  window: string,
  options: OutputOptions,
): Promise<ReleaseStatus> {
  const status = await reach(client, example, window, options);
  if (status.state !== 'waiting') return status;
  const answer = await decideRelease(client, {
    release: status,
    decision: 'approve',
    reason: status.attention.length > 0 ? 'attention-accepted' : 'audit-passed',
    note: 'Approved by the demo key of npm start.',
    acknowledged: status.attention,
    privateKey: await readFile(example.key, 'utf8'),
  });
  if (!answer.accepted) throw new OpalineError(answer.code, answer.message);
  return watchUntilPublished(client, status, options);
}

/** The state turns to publishing a moment after the approval was answered. */
async function watchUntilPublished(
  client: OpalineClient,
  release: ReleaseReference,
  options: OutputOptions,
): Promise<ReleaseStatus> {
  let status = await watchRelease(client, release, options);
  while (status.state === 'waiting' || status.state === 'approved-waiting')
    status = await watchRelease(client, release, options);
  return status;
}

/** The source of an example is whole, whatever the clock of this computer says: its windows have ended. */
const AFTER_EXAMPLES = new Date('2100-01-01T00:00:00Z');

/** Starts the release of a window unless it was started before, and watches it until it waits or ends. */
async function reach(
  client: OpalineClient,
  example: PreparedExample,
  window: string,
  options: OutputOptions,
): Promise<ReleaseStatus> {
  const plan = await planRun(client, example.seriesFile, window, 1, AFTER_EXAMPLES);
  await startRelease(client, plan).catch(nullOn('RELEASE_EXISTS'));
  return watchRelease(client, plan.run, options);
}
