import { ERRORS } from '../../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Notice } from '../../contracts/notices.ts';
import { RELEASE_STATE_TABLE } from '../../contracts/release-state.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { clockText } from '../calendar/local-time.ts';
import { decisionWords } from '../signing/decision-words.ts';
import { sha256 } from '../stores/json-objects.ts';
import { proposeCorrection } from './correction-command.ts';

/** A notice in the words of people, and in those of programs. */
export type NoticeMessage = ReturnType<typeof noticeMessage>;

/** Sends a message by one channel. Throws NOTICE_FAILED. */
export type Channel = (message: NoticeMessage, now: Date) => Promise<void>;

/**
 * What a notice says about a release that came to a state, with times as the clock of a zone shows them: a function of
 * what the public side knows, without a clock of its own.
 */
export function noticeMessage(release: ReleaseReference, notice: Notice, timeZone: string) {
  const path = releasePath(release);
  return {
    /** The same for the same notice, however often it is sent: 32 hexadecimal digits. */
    id: sha256(canonicalJson({ release: path, notice })).slice(0, 32),
    release: path,
    notice,
    subject: `${ABOUT[notice.about]}${path} ${notice.reminder ? 'still ' : ''}${SUBJECTS[notice.state]}`,
    sentences: sentencesOf(notice, timeZone),
    /** Commands to paste, the first one shows the release. */
    commands: [`opaline show ${path}`, ...commandsOf(release, path, notice)],
    /** Addresses of people who are notified in addition to those of the channel. */
    people: [] as string[],
  };
}

/**
 * What every approver reads about a decision that was taken: the words of the statement, made from the signed bytes, and
 * its digest. Whoever did not sign what they read here has signed on a page that showed something else.
 */
export function decisionMessage(
  release: ReleaseReference,
  notice: Notice & { decision: string },
  statement: Uint8Array,
  people: string[],
): NoticeMessage {
  const message = noticeMessage(release, notice, 'UTC');
  const path = message.release;
  const sentences = [
    ...decisionWords(statement),
    `SHA-256 of the signed envelope: ${notice.decision}`,
    'If this is not what you signed, withdraw it with a key file, and tell the others.',
  ];
  const commands =
    notice.about === 'retraction'
      ? [`opaline retract ${path} --withdraw --key me.pem`]
      : [`opaline withdraw ${path} --code not-what-was-shown --key me.pem`];
  const subject = `${ABOUT[notice.about]}${path} was decided on`;
  return { ...message, subject, sentences, commands: [message.commands[0]!, ...commands], people };
}

const ABOUT = { release: '', retraction: 'The retraction of ', sources: 'The source of ' };

const SUBJECTS: Readonly<Record<Notice['state'], string>> = {
  waiting: 'waits at the gate',
  expired: 'has expired at the gate',
  'partitions-failed': 'has partitions that failed',
  stalled: 'is stalled',
  'ending-stalled': 'is stalled at its end',
  failed: 'has failed',
  published: 'has changed since',
};

function sentencesOf(
  { state, at, verdict, attention, code, failed, expiresAt, reminder, changed = [] }: Notice,
  timeZone: string,
): string[] {
  return [
    RELEASE_STATE_TABLE[state].meaning,
    `${state === 'published' ? 'It was looked at' : 'It is so since'} ${clockText(at, timeZone)}.`,
    ...(reminder === undefined ? [] : [`${reminder.signed} of ${reminder.required} approvals are there.`]),
    ...(verdict === null ? [] : [`The verdict of the audit: ${verdict}.`]),
    ...(attention.length === 0 ? [] : [`An approval has to acknowledge: ${attention.join(', ')}.`]),
    ...changed.map(({ object, change }) => `${object}: ${change}.`),
    ...(changed.length === 0
      ? []
      : ['People decide whether it matters: a correction is a new version, with a new charge.']),
    ...(failed === 0 ? [] : [`Partitions that failed: ${failed}.`]),
    ...(code === null ? [] : [`${code}: ${ERRORS[code].cause} ${ERRORS[code].mend}`]),
    ...(expiresAt === null ? [] : [`The gate closes at ${clockText(expiresAt, timeZone)}.`]),
  ];
}

function commandsOf(release: ReleaseReference, path: string, { about, state, attention, changed }: Notice): string[] {
  switch (state) {
    case 'waiting': {
      const points = attention.length === 0 ? '' : ` --acknowledge ${attention.join(' ')}`;
      return about === 'release'
        ? [
            `opaline show ${path} --open audit`,
            `opaline approve ${path} --key me.pem --reason "read the audit"${points}`,
          ]
        : [`opaline retract ${path} --reason data-wrong --key me.pem`];
    }
    case 'expired':
      return [`opaline reopen ${path} --key me.pem`];
    case 'partitions-failed':
    case 'stalled':
    case 'ending-stalled':
      return [`opaline explain ${path}`, `opaline retry ${path}`];
    case 'failed':
      return [`opaline explain ${path}`];
    case 'published':
      return [`opaline show ${path} --sources`, proposeCorrection(release, changed ?? [])];
  }
}
