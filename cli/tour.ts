import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OpalineClient } from '../client/opaline-client.ts';
import { decideRelease } from '../client/release/decide-release.ts';
import { decisionCommand } from '../client/release/explain-release.ts';
import { planRun, startRelease } from '../client/release/plan-run.ts';
import { nullOn, OpalineError } from '../contracts/errors.ts';
import { FILES, releasePath } from '../contracts/names.ts';
import type { ReleaseState } from '../contracts/release-state.ts';
import type { ReleaseStatus } from '../contracts/stages.ts';
import { lines } from '../core/text/paragraphs.ts';
import type { PreparedExample } from '../examples/prepare.ts';
import { watchRelease } from './follow-release.ts';
import { releaseText } from './release-text.ts';
import { type OutputOptions, print } from './terminal.ts';

/** An example on a stack, and how it is watched. */
type Tour = { client: OpalineClient; example: PreparedExample; options: OutputOptions };

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
  const { broken } = example;
  const own: Tour = { client, example, options };
  await showPublished(own, first);
  if (options.once || !second) return;
  await showHeld(own, second, 'waiting', (name, status) => [
    `  look at it        opaline show ${name}`,
    `  approve it        opaline ${decisionCommand(status).replace('KEY.pem', example.key).replace('…', 'I read the statement and the audit')}`,
  ]);
  if (broken)
    await showHeld(own, broken.window, 'partitions-failed', (name) => [
      `  look at it        opaline explain ${name}`,
      `  deliver it again  cp ${join(example.source, broken.repaired)} ${join(example.source, broken.object)}`,
      `  go on, at 0 ε     opaline retry ${name}`,
    ]);
}

/** Publishes the first window, and says what to do with it. */
async function showPublished(own: Tour, window: string): Promise<void> {
  const { example, options } = own;
  const status = await publish(own, await reach(own, window));
  if (status.state !== 'published') throw new OpalineError('UNEXPECTED', releaseText(status));
  const folder = join(example.publication, releasePath(status));
  const copy = await makeBadCopy(folder, example);
  const text = lines(
    `\nWindow ${window}: ${example.description}`,
    'The release was counted, noised, audited and published. Its approval was given by a demo key that this computer made;',
    'in a real series people approve, each with a key of their own.',
    `  published files   ${folder}`,
    `  read first        ${join(folder, 'statement.md')}`,
    existsSync(join(folder, FILES.auditPage)) && `  see the attacks   ${join(folder, FILES.auditPage)}`,
    `  check them        opaline verify ${folder} --trust ${example.trust}`,
    copy && `  audit a bad copy  opaline audit ${copy}`,
  );
  print(options, status, text);
}

/** A window whose release stops; what comes after the first line of `next` holds in the state that is expected alone. */
async function showHeld(
  own: Tour,
  window: string,
  state: ReleaseState,
  next: (name: string, status: ReleaseStatus) => string[],
): Promise<void> {
  const status = await reach(own, window);
  const commands = next(releasePath(status), status).slice(0, status.state === state ? undefined : 1);
  print(own.options, status, lines(`\nWindow ${window}: the release is ${status.state}.`, commands));
}

/** A copy of the publication in which somebody has changed a total, made once; null for one without totals. */
async function makeBadCopy(folder: string, { publication }: PreparedExample): Promise<string | null> {
  if (!existsSync(join(folder, FILES.table('location')))) return null;
  const copy = join(dirname(dirname(publication)), 'broken-publication');
  if (existsSync(copy)) return copy;
  await cp(folder, copy, { recursive: true });
  const path = join(copy, FILES.table('location'));
  const text = await readFile(path, 'utf8');
  const edit = text.replace(/,(\d+)(?=\r?\n$)/, (_, count) => `,${Number(count) + 7}`);
  await writeFile(path, edit);
  return copy;
}

/** Approves a release at its gate with the demo key, and watches it until it is published. */
async function publish({ client, example, options }: Tour, release: ReleaseStatus): Promise<ReleaseStatus> {
  if (release.state !== 'waiting') return release;
  const answer = await decideRelease(client, {
    release,
    decision: 'approve',
    reason: release.attention.length > 0 ? 'attention-accepted' : 'audit-passed',
    note: 'Approved by the demo key of npm start.',
    acknowledged: release.attention,
    privateKey: await readFile(example.key, 'utf8'),
  });
  if (!answer.accepted) throw new OpalineError(answer.code, answer.message);
  // The state turns to publishing a moment after the approval was answered.
  for (;;) {
    const status = await watchRelease(client, release, options);
    if (status.state !== 'waiting' && status.state !== 'approved-waiting') return status;
  }
}

/** The source of an example is whole, whatever the clock of this computer says: its windows have ended. */
const AFTER_EXAMPLES = new Date('2100-01-01T00:00:00Z');

/** Starts the release of a window unless it was started before, and watches it until it waits or ends. */
async function reach({ client, example, options }: Tour, window: string): Promise<ReleaseStatus> {
  const plan = await planRun(client, example.seriesFile, window, 1, AFTER_EXAMPLES);
  await startRelease(client, plan).catch(nullOn('RELEASE_EXISTS'));
  return watchRelease(client, plan.run, options);
}
