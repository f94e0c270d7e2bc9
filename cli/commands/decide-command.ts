import type { Command } from 'commander';
import type { OpalineClient } from '../../client/opaline-client.ts';
import { type DecisionWish, sendDecision, statementToSign } from '../../client/release/decide-release.ts';
import { requireApprovable } from '../../client/release/decision-basis.ts';
import { approvable, approveTogether, backfillVerdicts } from '../../client/schedule/approve-backfill.ts';
import { placeOfSource } from '../../client/series/place-zone.ts';
import { DECISION_REASONS, type Reason } from '../../contracts/decision.ts';
import { EXIT, wrongUse } from '../../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Answer } from '../../contracts/stages.ts';
import { lines, paragraphs } from '../../core/text/paragraphs.ts';
import type { CommandResult } from '../../kinds/kind-command.ts';
import { signEnvelope } from '../../services/signing/envelope.ts';
import { checkLine } from '../check-line.ts';
import { withClient } from '../client.ts';
import { command, readRelease, YES } from '../command.ts';
import { type ConfirmOptions, confirm } from '../confirmation.ts';
import { watchRelease } from '../follow-release.ts';
import { type KeyOptions, OWN_KEY, PASSPHRASE, readKey } from '../key-options.ts';
import { releasePage } from '../release-overview.ts';
import { releaseText } from '../release-text.ts';
import { verdictTable } from '../schedule-text.ts';
import { type OutputOptions, printAnswer, say } from '../terminal.ts';

type Options = OutputOptions & KeyOptions & { reason: string; code?: Reason; acknowledge?: string[]; yes?: true };

const NOTE = 'why, in your own words; kept, and never published';

/** What every decision takes; `usual` is the public reason unless one is named. */
const declare = <Use extends string>(use: Use, decision: 'approve' | OtherDecision, does: string, usual: string) =>
  command(use, does)
    .required(...OWN_KEY)
    .option(...PASSPHRASE)
    .option('--code <code>', `the public reason (default: ${usual})`, DECISION_REASONS[decision])
    .option(...YES);

export const approveCommand = (): Command =>
  declare(
    'approve [release]',
    'approve',
    'approve the release at the gate, with a signature over its manifest',
    'audit-passed, or attention-accepted with --acknowledge',
  )
    .required('--reason <text>', NOTE)
    .option('--acknowledge <id...>', 'attention points of the audit that you have read and accept')
    .option('--backfill <id>', 'in place of a release: all of a back-fill whose audit passed, with one signature')
    .example('opaline approve demo-taps/2026-03-02/v1 --key me.pem --reason "read the audit"')
    .run(async ({ release }, options) => {
      requireNote(options.reason);
      if (options.backfill !== undefined) return decideBackfill(release, options.backfill, options);
      if (release === undefined) throw wrongUse('Name a release, or a back-fill with --backfill.');
      await approve(readRelease(release), options);
    });

/** The other decisions: what each does, and its usual public reason. */
const OTHERS = {
  reject: ['refuse the release at the gate; its charge stays', 'other'],
  withdraw: ['take a release back before it is public, with a signature; its charge stays', 'other'],
  reopen: ['offer a release again whose gate has expired, with a signature; it costs nothing', 'not-decided-in-time'],
} as const;
type OtherDecision = keyof typeof OTHERS;

export const decideCommand = (decision: OtherDecision): Command => {
  const [does, usual] = OTHERS[decision];
  return declare(`${decision} <release>`, decision, does, usual)
    .usual('--reason <text>', `${NOTE}; needed to reject`, '')
    .example(`opaline ${decision} demo-taps/2026-03-02/v1 --key me.pem --reason "looked at it again"`)
    .run(async ({ release }, options) => {
      if (decision === 'reject') requireNote(options.reason);
      const privateKey = await readKey(options.key, options); // before anybody waits for a server
      const wish = { release, decision, reason: options.code ?? usual };
      const own = { privateKey, note: options.reason };
      const answer = await withClient((client) => decideByKey(client, wish, own, options));
      if (answer === null) return;
      printAnswer(options, answer, `The release is ${answer.accepted ? answer.state : 'unchanged'}.`);
    });
};

/**
 * Shows the words of the statement, made from the bytes that are signed, asks, and signs and sends it; null when the
 * person says no. `page`: what is shown before them.
 */
export async function decideByKey(
  client: OpalineClient,
  wish: DecisionWish,
  { privateKey, note }: { privateKey: string; note: string },
  options: ConfirmOptions,
  page = '',
): Promise<Answer | null> {
  const draft = await statementToSign(client, wish, { privateKey });
  if ('accepted' in draft) return draft;
  if (!(await confirm(paragraphs(page, ['You are about to sign this:', draft.words]), options))) return null;
  return sendDecision(client, wish.release, signEnvelope(draft.statement, privateKey), note);
}

function requireNote(reason: string): void {
  if (reason.trim() === '') throw wrongUse('--reason takes a few words of your own, and not none.');
}

async function approve(release: ReleaseReference, options: Options): Promise<void> {
  const reason = reasonOf(options);
  // Before anybody waits for a server.
  const own = { privateKey: await readKey(options.key, options), note: options.reason };
  await withClient(async (client) => {
    const { manifestDigest, text } = await readPage(client, release);
    const wish = { release, decision: 'approve', reason, acknowledged: options.acknowledge ?? [] } as const;
    const answer = await decideByKey(client, { ...wish, shown: manifestDigest }, own, options, text);
    if (answer === null) return;
    printAnswer(options, answer, `Your approval of ${releasePath(release)} is recorded.`);
    if (answer.accepted && !options.json) await sayWhatFollows(client, release, options);
  });
}

/**
 * What an approval would publish, with the digest of its manifest; nothing when the release is not at its gate, which
 * the decision itself refuses. Throws as requireApprovable does.
 */
async function readPage(client: OpalineClient, release: ReleaseReference) {
  const status = await client.status(release);
  if (status.state !== 'waiting') return { manifestDigest: null, text: '' };
  const { manifestDigest } = await requireApprovable(client, release); // nobody is asked about what cannot be believed
  const { text } = await releasePage(client, status);
  return { manifestDigest, text };
}

/** A publication takes seconds; one that takes longer goes on by itself. */
const PATIENCE_MS = 10_000;

/** Says where the release is after the decision: with the last approval it is published at once. */
async function sayWhatFollows(client: OpalineClient, release: ReleaseReference, options: Options): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  const status = await watchRelease(client, release, options, () => Date.now() > until);
  const { timeZone, store } = await placeOfSource(client, status);
  say(`${lines(releaseText(status, timeZone, store), await checkLine(status))}\n`);
}

/**
 * Shows the verdicts of a back-fill, and approves with one signature all its releases at the gate whose audit passed.
 * The others are left for people to look at one by one.
 */
async function decideBackfill(
  name: string | undefined,
  id: string,
  options: Options,
): Promise<CommandResult | undefined> {
  const isOther = options.code !== undefined && options.code !== 'audit-passed';
  if (name !== undefined || options.acknowledge || isOther)
    throw wrongUse(
      '--backfill takes the place of a release, and approves what passed the audit: leave out --acknowledge and --code.',
    );
  const own = { privateKey: await readKey(options.key, options), note: options.reason };
  return withClient(async (client) => {
    const verdicts = await backfillVerdicts(client, id);
    const releases = approvable(verdicts);
    const text = `${verdictTable(verdicts)}\n\n${releases.length} of ${verdicts.length} wait at the gate with verdict pass; one signature approves them. The others are decided one by one.`;
    if (releases.length > 0 && !(await confirm(text, options))) return;
    const answers = await approveTogether(client, releases, own);
    const denials = answers.flatMap(({ release, answer }) => (answer.accepted ? [] : [{ release, answer }]));
    const summary =
      answers.length === 0
        ? 'Nothing was signed.'
        : `Your approval of ${answers.length - denials.length} releases is recorded.`;
    const refusals = denials.map(({ release, answer }) => `${releasePath(release)}: ${answer.code}: ${answer.message}`);
    const exit = denials.length > 0 ? EXIT.refused : undefined;
    return { value: { verdicts, answers }, text: lines(text, refusals, summary), exit };
  });
}

/** The public reason. Whoever acknowledges an attention point cannot say that the audit passed. Throws USAGE. */
function reasonOf({ code, acknowledge }: Options): Reason {
  const reason = code ?? (acknowledge ? 'attention-accepted' : 'audit-passed');
  if (reason === 'audit-passed' && acknowledge)
    throw wrongUse('--code audit-passed acknowledges no attention point; leave one of the two out.');
  return reason;
}
