import { type Clock, explainStatus, mayBeOfFile, stallText } from '../client/release/explain-release.ts';
import { PARTITION_MARKS, partitionGrid } from '../client/release/partition-grid.ts';
import { releasePath, type Stage } from '../contracts/names.ts';
import { publicationTime, RELEASE_STATE_TABLE, type ReleaseState } from '../contracts/release-state.ts';
import type { ReleaseStatus, SourceChanges } from '../contracts/stages.ts';
import { partitionSpans } from '../core/calendar/partition-spans.ts';
import { lines, type TextParts } from '../core/text/paragraphs.ts';
import { plainLine } from '../core/text/plain-text.ts';
import { clockText } from '../services/calendar/local-time.ts';
import { isPublic } from './retraction-text.ts';

const STAGE_WORDS: Record<Stage, string> = {
  ingest: 'ingest: pinning the source objects',
  bin: 'bin: counting rows into cells',
  privatize: 'privatize: drawing',
  derive: 'derive: making the tables',
  audit: 'audit: attacking the release',
  gate: 'gate',
  publish: 'publish: copying the approved files',
};

/** What a release does now; changes with its stage and state. */
export function progressStep(status: ReleaseStatus): string {
  const step = status.state === 'running' || status.state === 'auditing' ? STAGE_WORDS[status.stage] : status.state;
  return `${releasePath(status)}  ${step}`;
}

/** The progress of a release in one line, for a terminal. */
export function progressLine(status: ReleaseStatus): string {
  if (status.stage !== 'privatize' || status.state !== 'running') return progressStep(status);
  const count = status.partitions.filter(({ state }) => state === 'drawn').length;
  return `${progressStep(status)} (${count} of ${status.partitions.length} partitions)`;
}

/** The state of a release in plain words; times as the clock of a zone shows them. */
export function releaseText(status: ReleaseStatus, timeZone = 'UTC', store: string | null = null): string {
  const { state, stall, ending, expiresAt, waitingFor, unread = [] } = status;
  const publishedAt = publicationTime(status);
  const at: Clock = (moment) => clockText(moment, timeZone);
  return lines(
    isPublic(stall)
      ? `Release ${releasePath(status)} is published; the entry of the ledger that says so could not be written yet.`
      : `Release ${releasePath(status)} is ${state}. ${RELEASE_STATE_TABLE[state].meaning}`,
    ending && `Cause: ${ending.code}: ${ending.message}`,
    stall && stallText(stall, status.stage, at),
    status.partitions.length > 0 && ['', gridText(status)],
    failures(status, store),
    '',
    status.charge ? `Charge ${status.charge} is in the ledger.` : 'Nothing has been charged.',
    verdictLine(status),
    status.attention.length > 0 && `Attention points to acknowledge: ${status.attention.join(', ')}.`,
    status.decisions.map(({ subject, decision, reason }) => `${plainLine(subject)}: ${decision} (${reason}).`),
    status.refusals > 0 && `Attempts to decide that were refused: ${status.refusals}.`,
    waitingFor &&
      `Missing, and waited for until ${at(waitingFor.until)}: ${someNames(waitingFor.names, waitingFor.total)}.`,
    changesLine(status.sourceChanges),
    unread.length > 0 && `Not read, as the names do not fit the pattern: ${unread.map(plainLine).join(', ')}.`,
    state === 'waiting' && expiresAt && `The gate is open until ${at(expiresAt)}.`,
    state === 'approved-waiting' &&
      publishedAt &&
      `It is published at ${at(publishedAt)}, unless somebody withdraws it before.`,
    status.location && `Published at ${status.location}`,
  );
}

/** The verdict; that of the first audit comes first where there was a second one (C15). */
function verdictLine({ verdict, firstVerdict }: ReleaseStatus): string | null {
  if (verdict === null) return null;
  if (!firstVerdict) return `Verdict of the audit: ${verdict}.`;
  return `The first audit said ${firstVerdict}. Under the corrected declaration its verdict is ${verdict}; both are published.`;
}

/** What had changed in the source, and what is missing in it; null when nothing, or nothing was compared. */
export function changesLine(changes: SourceChanges | null | undefined): string | null {
  if (!changes || changes.total === 0) return null;
  const { changed, total } = changes;
  const names = changed
    .filter(({ change }) => change !== 'missing')
    .map(({ object, change }) => `${plainLine(object)} (${change})`);
  const gaps = changed.filter(({ change }) => change === 'missing').map(({ object }) => plainLine(object));
  return lines(
    names.length > 0 && `Changed in the source since ingest: ${someNames(names, total - gaps.length)}.`,
    gaps.length > 0 && `Missing in the source then and now: ${gaps.join(', ')}.`,
  );
}

const someNames = (names: readonly string[], total: number): string =>
  `${names.join(', ')}${total > names.length ? `, and ${total - names.length} more` : ''}`;

/** Parts down, days across. */
function gridText({ partitions }: ReleaseStatus): string {
  const { days, rows } = partitionGrid(partitions);
  const width = Math.max(...rows.map(({ part }) => part.length));
  const head = `${' '.repeat(width)}  ${days.map((day) => day.slice(8)).join(' ')}`;
  const lines = rows.map(
    ({ part, states }) => `${part.padEnd(width)}  ${states.map((state) => PARTITION_MARKS[state].padEnd(2)).join(' ')}`,
  );
  return [head, ...lines, '● drawn  ○ counted  · to do  ✗ failed  – abandoned'].join('\n');
}

/** What failed, with the object and its store. */
function failures({ partitions }: ReleaseStatus, store: string | null): TextParts {
  const where = store === null ? '' : ` of the store ${store}`;
  const groups = Map.groupBy(
    partitions.filter(({ state }) => state === 'failed' || state === 'abandoned'),
    ({ code = 'UNEXPECTED', object, message }) =>
      `${code}${object ? ` in ${plainLine(object)}${where}` : ''}${message ? `. ${plainLine(message)}` : ''}`,
  );
  return groups.size > 0 && ['', [...groups].map(([fault, those]) => `${partitionSpans(those)}: ${fault}`)];
}

const MENDED = 'Mend the cause, then';
const NOT_APPROVABLE = 'Nobody can approve it';

/** What leads to the next command, in states that wait for somebody. */
const LEADS: Partial<Record<ReleaseState, string>> = {
  waiting: 'Approve it',
  stalled: MENDED,
  'partitions-failed': MENDED,
  'ending-stalled': MENDED,
  'waiting-for-objects': 'Go on without them',
  expired: 'Offer it again, at no cost',
};

function leadOf({ state, verdict, stall }: ReleaseStatus): string | undefined {
  if (state === 'waiting' && verdict === 'fail') return NOT_APPROVABLE;
  return state === 'stalled' && mayBeOfFile({ stall })
    ? 'When the policy is changed (a change of the series file does not reach it)'
    : LEADS[state];
}

/** What a person can do next: the first command that `opaline explain` names, in states that wait for somebody. */
export function nextStep(status: ReleaseStatus): string | null {
  const lead = leadOf(status);
  const [command] = explainStatus(status).commands;
  if (lead === undefined || command === undefined) return null;
  const hasMore = status.state === 'partitions-failed' || status.stall || lead === NOT_APPROVABLE;
  return lines(`${lead}: ${command}`, hasMore && `More on it: opaline explain ${releasePath(status)}`);
}
