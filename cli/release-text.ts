import { type Clock, explainStatus, mayBeOfFile, stallText } from '../client/release/explain-release.ts';
import { type Partition, partitionPath, releasePath, type Stage } from '../contracts/names.ts';
import { RELEASE_STATE_TABLE } from '../contracts/release-state.ts';
import type { PartitionState, ReleaseStatus, SourceChanges } from '../contracts/stages.ts';
import { partitionSpans } from '../core/calendar/partition-spans.ts';
import { plainLine } from '../core/text/plain-text.ts';
import { zonedTime } from '../services/calendar/local-time.ts';
import { isPublic } from './retraction-text.ts';

const MARKS: Record<PartitionState, string> = { pending: '·', binned: '○', drawn: '●', failed: '✗', abandoned: '–' };

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

/** One line that says where a release stands, for progress on a terminal. */
export function progressLine(status: ReleaseStatus): string {
  if (status.stage !== 'privatize' || status.state !== 'running') return progressStep(status);
  const drawn = status.partitions.filter(({ state }) => state === 'drawn').length;
  return `${progressStep(status)} (${drawn} of ${status.partitions.length} partitions)`;
}

/** The state of a release in plain words; times as the clock of a zone shows them. */
export function releaseText(status: ReleaseStatus, timeZone = 'UTC', store: string | null = null): string {
  const { state, expiresAt, publishNotBefore } = status;
  return [
    isPublic(status.stall)
      ? `Release ${releasePath(status)} is published; the entry of the ledger that says so could not be written yet.`
      : `Release ${releasePath(status)} is ${status.state}. ${RELEASE_STATE_TABLE[status.state].meaning}`,
    status.ending ? `Cause: ${status.ending.code}: ${status.ending.message}` : null,
    stallLine(status, (moment) => zonedTime(moment, timeZone)),
    status.partitions.length > 0 ? `\n${partitionGrid(status)}` : null,
    failures(status, store),
    '',
    status.charge ? `Charge ${status.charge} is in the ledger.` : 'Nothing has been charged.',
    verdictLine(status),
    status.attention.length > 0 ? `Attention points to acknowledge: ${status.attention.join(', ')}.` : null,
    ...status.decisions.map(({ subject, decision, reason }) => `${plainLine(subject)}: ${decision} (${reason}).`),
    status.refusals > 0 ? `Attempts to decide that were refused: ${status.refusals}.` : null,
    waitLine(status, timeZone),
    changesLine(status.sourceChanges),
    unreadLine(status.unread),
    state === 'waiting' && expiresAt ? `The gate is open until ${zonedTime(expiresAt, timeZone)}.` : null,
    state === 'approved-waiting' && publishNotBefore
      ? `It is published at ${zonedTime(publishNotBefore, timeZone)}.`
      : null,
    status.location ? `Published at ${status.location}` : null,
  ]
    .filter((line) => line !== null)
    .join('\n');
}

/** The verdict; that of the first audit comes first where there was a second one (C15). */
function verdictLine({ verdict, firstVerdict }: ReleaseStatus): string | null {
  if (verdict === null) return null;
  if (!firstVerdict) return `Verdict of the audit: ${verdict}.`;
  return `The first audit said ${firstVerdict}. Under the corrected declaration its verdict is ${verdict}; both are published.`;
}

/** What a stalled release is held up by. */
const stallLine = ({ stall, stage }: ReleaseStatus, at: Clock): string | null =>
  stall ? stallText(stall, stage, at) : null;

/** What a release waits for, and until when. */
function waitLine({ waitingFor }: ReleaseStatus, timeZone: string): string | null {
  if (!waitingFor) return null;
  return `Missing, and waited for until ${zonedTime(waitingFor.until, timeZone)}: ${someNames(waitingFor.names, waitingFor.total)}.`;
}

/** What had changed in the source, and what is missing in it; null when nothing, or nothing was compared. */
export function changesLine(changes: SourceChanges | null | undefined): string | null {
  if (!changes || changes.total === 0) return null;
  const [missing, others] = [true, false].map((is) =>
    changes.changed.filter(({ change }) => (change === 'missing') === is),
  );
  const names = (others ?? []).map(({ object, change }) => `${plainLine(object)} (${change})`);
  const absent = (missing ?? []).map(({ object }) => plainLine(object));
  const more = changes.total - changes.changed.length;
  const lines = [
    ...(names.length > 0 ? [`Changed in the source since ingest: ${someNames(names, names.length + more)}.`] : []),
    ...(absent.length > 0 ? [`Missing in the source then and now: ${absent.join(', ')}.`] : []),
  ];
  return lines.join('\n');
}

/** Objects that nobody asked for; null when there are none. */
const unreadLine = (names: readonly string[] = []): string | null =>
  names.length === 0 ? null : `Not read, as the names do not fit the pattern: ${names.map(plainLine).join(', ')}.`;

const someNames = (names: readonly string[], total: number): string =>
  `${names.join(', ')}${total > names.length ? `, and ${total - names.length} more` : ''}`;

/** Parts down, days across. */
export function partitionGrid({ partitions }: ReleaseStatus): string {
  const days = [...new Set(partitions.map(({ day }) => day))].sort();
  const parts = [...new Set(partitions.map(({ part }) => part))].sort();
  const width = Math.max(...parts.map((part) => part.length));
  const states = new Map(partitions.map((one) => [partitionPath(one), one.state]));
  const mark = (partition: Partition) => MARKS[states.get(partitionPath(partition)) ?? 'pending'];
  const head = `${' '.repeat(width)}  ${days.map((day) => day.slice(8)).join(' ')}`;
  const rows = parts.map(
    (part) => `${part.padEnd(width)}  ${days.map((day) => mark({ part, day }).padEnd(2)).join(' ')}`,
  );
  return [head, ...rows, '● drawn  ○ counted  · to do  ✗ failed  – abandoned'].join('\n');
}

/** What failed, with the object and its store. */
function failures({ partitions }: ReleaseStatus, store: string | null): string | null {
  const where = store === null ? '' : ` of the store ${store}`;
  const held = Map.groupBy(
    partitions.filter(({ state }) => state === 'failed' || state === 'abandoned'),
    (one) =>
      `${one.code ?? 'UNEXPECTED'}${one.object ? ` in ${plainLine(one.object)}${where}` : ''}${one.message ? `. ${plainLine(one.message)}` : ''}`,
  );
  const lines = [...held].map(([fault, those]) => `${partitionSpans(those)}: ${fault}`);
  return lines.length > 0 ? `\n${lines.join('\n')}` : null;
}

/** What a person can do next: the first command that `opaline explain` names, in states that wait for somebody. */
export function nextStep(status: ReleaseStatus): string | null {
  const lead = leadOf(status);
  const [command] = explainStatus(status).commands;
  if (lead === null || command === undefined) return null;
  const step = `${lead}: ${command}`;
  const isFailed = status.state === 'waiting' && status.verdict === 'fail';
  if (status.state !== 'partitions-failed' && !status.stall && !isFailed) return step;
  return `${step}\nMore on it: opaline explain ${releasePath(status)}`;
}

const MENDED = 'Mend the cause, then';

function leadOf({ state, verdict, stall }: ReleaseStatus): string | null {
  switch (state) {
    case 'waiting':
      return verdict === 'fail' ? 'Nobody can approve it' : 'Approve it';
    case 'stalled':
      return mayBeOfFile({ stall })
        ? 'When the policy is changed (a change of the series file does not reach it)'
        : MENDED;
    case 'partitions-failed':
    case 'ending-stalled':
      return MENDED;
    case 'waiting-for-objects':
      return 'Go on without them';
    case 'expired':
      return 'Offer it again, at no cost';
    default:
      return null;
  }
}
