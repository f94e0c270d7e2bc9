import type { Verdict } from './audit-report.ts';
import { BACKFILL_STATE_TABLE, type ReleaseMoved } from './backfill.ts';
import { ERRORS } from './errors.ts';
import { isRecord } from './is-record.ts';
import { parsePartitionPath, parseReleasePath, partitionPath } from './names.ts';
import { type ChangedObject, NOTICE_STATES, NOTICE_SUBJECTS } from './notices.ts';
import { ASSERTION_CHARACTERS } from './passkey.ts';
import { outOfBounds, type PayloadBounds } from './payload-bounds.ts';
import { RELEASE_STATES, type ReleaseAction } from './release-state.ts';
import { CORRECTION_REASONS } from './stages.ts';

/**
 * What workflows are sent, looked at before it is believed: each function says what is wrong with a value, in one
 * sentence without anything of the value, or gives null. No schema library: workflows load this, zod would make their
 * bundle a third larger, and every open release would hold schemas of its own. Members that this build does not know
 * pass within the bounds, as a later build may send them.
 */

/** Characters of the name of a person, of a series and the like. */
const NAME_CHARACTERS = 200;
/** Characters of the free text that goes with a decision. */
export const NOTE_CHARACTERS = 10_000;
/** Characters of a signed statement, in base64: one decision over a thousand releases of a back-fill. */
export const PAYLOAD_CHARACTERS = 524_288;
/** No release has had a thousand versions. */
const VERSION_MAX = 999_999;
/** Windows of one back-fill: fifty years of weeks. */
const WINDOWS_MAX = 2_600;
const AT_ONCE_MAX = 1_000;

/** The server takes no payload above 2 MB; code that walks over one by recursion takes this many levels. */
const RUN_BOUNDS: PayloadBounds = { levels: 16, values: 1_000_000, characters: 4_000_000 };
const SMALL_BOUNDS: PayloadBounds = { levels: 4, values: 50, characters: 2_000 };
const DECISION_BOUNDS: PayloadBounds = {
  levels: 5,
  values: 20,
  characters: PAYLOAD_CHARACTERS + NOTE_CHARACTERS + ASSERTION_CHARACTERS.clientDataJSON + 1_000,
};

const isText = (value: unknown, characters: number): value is string =>
  typeof value === 'string' && value.length <= characters;
const isName = (value: unknown): value is string => isText(value, NAME_CHARACTERS);
const isDigest = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
const isOneOf = (names: readonly string[], value: unknown): boolean =>
  typeof value === 'string' && names.includes(value);

/** A name as series, windows and versions make it: checked by writing it and reading it again. */
function isReference({ series, window, version }: Record<string, unknown>): boolean {
  if (!isName(series) || !isName(window) || !isCount(version, VERSION_MAX)) return false;
  return parseReleasePath(`${series}/${window}/v${version}`) !== null;
}

function isPartition(value: unknown): boolean {
  if (!isRecord(value) || !isName(value.part) || !isName(value.day)) return false;
  return parsePartitionPath(partitionPath({ part: value.part, day: value.day })) !== null;
}

const arePartitions = (value: unknown): boolean => Array.isArray(value) && value.every(isPartition);

/** What is wrong with a release and its series file, as workflows and activities are given them. */
export function wrongRun(value: unknown): string | null {
  const refusal = outOfBounds(value, RUN_BOUNDS);
  if (refusal) return `What names the release ${refusal}.`;
  if (!isRecord(value)) return 'A release is named by series, window, version and seriesDigest.';
  if (!isReference(value))
    return 'A release is a series of lower-case letters, a window YYYY-MM-DD and a version from 1 on.';
  return isDigest(value.seriesDigest) ? null : 'The digest of the series file has 64 hexadecimal digits.';
}

/** What is wrong with the argument of releaseWorkflow. */
export function wrongReleaseInput(value: unknown): string | null {
  const refusal = wrongRun(value);
  if (refusal) return refusal;
  const { correction, ...run } = value as Record<string, unknown>;
  // They are sent on with every activity: whatever is long would fill the history.
  const extent = outOfBounds(run, SMALL_BOUNDS);
  if (extent) return `What names the release ${extent}.`;
  // A retraction and a look at the source name none.
  if (correction === null || correction === undefined) return null;
  return isCorrection(correction) && arePartitions(correction.partitions)
    ? null
    : 'A correction names the version that it corrects, its partitions, and a reason of the list.';
}

const isCorrection = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && isCount(value.of, VERSION_MAX) && isOneOf(CORRECTION_REASONS, value.reason);

/** What is wrong with the argument of scheduledReleaseWorkflow. */
export function wrongScheduledInput(value: unknown): string | null {
  const isSmall = outOfBounds(value, SMALL_BOUNDS) === null && isRecord(value);
  return isSmall && isReference({ series: value.series, window: '2000-01-01', version: 1 })
    ? null
    : 'A schedule names its series.';
}

/** What is wrong with the argument of backfillWorkflow. */
export function wrongBackfill(value: unknown): string | null {
  const refusal = outOfBounds(value, { levels: 4, values: 4 * WINDOWS_MAX, characters: 100 * WINDOWS_MAX });
  if (refusal) return `The back-fill ${refusal}.`;
  if (!isRecord(value) || !isName(value.id)) return 'A back-fill has an id.';
  const { series, seriesDigest, atOnce, state, windows } = value;
  if (!isDigest(seriesDigest)) return 'The digest of the series file has 64 hexadecimal digits.';
  if (!isCount(atOnce, AT_ONCE_MAX)) return 'A back-fill says how many releases are at work at once.';
  if (!isOneOf(Object.keys(BACKFILL_STATE_TABLE), state)) return 'The back-fill is in no state that there is.';
  const isWindow = (one: unknown): boolean =>
    isRecord(one) && isName(one.state) && isReference({ series, window: one.window, version: 1 });
  return Array.isArray(windows) && windows.length <= WINDOWS_MAX && windows.every(isWindow)
    ? null
    : 'A back-fill lists windows of its series, each by its first day, with their states.';
}

/** Is a value what releases report to the back-fill that started them? */
export const isReleaseMoved = (value: unknown): value is ReleaseMoved =>
  outOfBounds(value, SMALL_BOUNDS) === null &&
  isRecord(value) &&
  isName(value.window) &&
  isOneOf(RELEASE_STATES, value.state);

/** Actions that a person signs. */
const SIGNED_ACTIONS = ['approve', 'reject', 'withdraw', 'reopen'] satisfies ReleaseAction[];

/** What is wrong with the request of an Update of a release, `rest` being what was sent after it. */
export function wrongRequest(action: ReleaseAction, value: unknown, rest: readonly unknown[]): string | null {
  if (rest.length > 0) return `${action} takes one argument.`;
  if (!isRecord(value)) return `${action} needs an argument.`;
  if (isOneOf(SIGNED_ACTIONS, action)) return wrongDecision(value);
  const lists = action === 'retryPartitions' || action === 'abandonPartitions';
  const refusal = outOfBounds(value, lists ? RUN_BOUNDS : SMALL_BOUNDS);
  if (refusal) return `The argument of ${action} ${refusal}.`;
  if (action === 'reaudit' && !isDigest(value.declaration)) return 'Name the corrected file by its digest.';
  if (!isName(value.subject)) return `${action} says who asks, in a few words.`;
  if (lists && !arePartitions(value.partitions))
    return 'Name the partitions in a list; an empty list means all that failed.';
  return null;
}

const hasOnly = (value: unknown, names: readonly string[]): value is Record<string, unknown> =>
  isRecord(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

function wrongDecision(value: Record<string, unknown>): string | null {
  const refusal = outOfBounds(value, DECISION_BOUNDS);
  if (refusal) return `The decision ${refusal}.`;
  const { envelope, note } = value;
  if (!hasOnly(value, ['envelope', 'note'])) return 'A decision needs a signed envelope and a note.';
  if (!isText(note, NOTE_CHARACTERS)) return `A note is a text of at most ${NOTE_CHARACTERS} characters.`;
  return isEnvelope(envelope)
    ? null
    : `A signed envelope has a payloadType, a payload of at most ${PAYLOAD_CHARACTERS} characters of base64, and one signature.`;
}

function isEnvelope(value: unknown): boolean {
  if (!hasOnly(value, ['payloadType', 'payload', 'signatures'])) return false;
  const { payloadType, payload, signatures } = value;
  if (!isName(payloadType) || !isText(payload, PAYLOAD_CHARACTERS)) return false;
  return Array.isArray(signatures) && signatures.length === 1 && isSignature(signatures[0]);
}

function isSignature(value: unknown): boolean {
  if (!isRecord(value) || !isName(value.keyid) || !isName(value.sig)) return false;
  const { keyid, sig, ...others } = value;
  return Object.keys(others).length === 0 || (hasOnly(others, ['passkey']) && isAssertion(others.passkey));
}

const isAssertion = (value: unknown): boolean =>
  hasOnly(value, ['authenticatorData', 'clientDataJSON']) &&
  isText(value.authenticatorData, ASSERTION_CHARACTERS.authenticatorData) &&
  isText(value.clientDataJSON, ASSERTION_CHARACTERS.clientDataJSON);

const isListOf = (is: (one: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(is);
const isOrdinal = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isTime = (value: unknown): boolean => isName(value) && !Number.isNaN(Date.parse(value));

/** A time as JSON has it: the message goes to people, and what Date reads may hold anything in brackets. */
const isMoment = (value: unknown): boolean => isText(value, 24) && /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(value);
/** Of contracts/audit-report.ts, which loads a schema library. */
const VERDICT_NAMES = ['pass', 'attention', 'fail'] satisfies Verdict[];
const isId = (value: unknown): boolean => isText(value, NAME_CHARACTERS) && /^[a-z][a-z0-9-]*$/.test(value);

const CHANGES = ['replaced', 'gone', 'new'] satisfies ChangedObject['change'][];

/** As long as a key can be, and on one line. */
const isKey = (value: unknown): boolean => isText(value, 1024) && !/\p{Cc}/u.test(value);

const isChangedObject = (value: unknown): boolean =>
  isRecord(value) && isKey(value.object) && isOneOf(CHANGES, value.change) && arePartitions(value.partitions);

function isNotice(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { about, state, at, verdict, attention, code, failed, expiresAt, reminder, decision, changed } = value;
  return (
    isOneOf(NOTICE_SUBJECTS, about) &&
    isOneOf(NOTICE_STATES, state) &&
    (about === 'sources') === (state === 'published') &&
    isMoment(at) &&
    (verdict === null || isOneOf(VERDICT_NAMES, verdict)) &&
    isListOf(isId)(attention) &&
    (code === null || (isName(code) && Object.hasOwn(ERRORS, code))) &&
    isOrdinal(failed) &&
    (expiresAt === null || isMoment(expiresAt)) &&
    (reminder === undefined || (isRecord(reminder) && isOrdinal(reminder.signed) && isOrdinal(reminder.required))) &&
    (decision === undefined || isDigest(decision)) &&
    (changed === undefined || isListOf(isChangedObject)(changed))
  );
}

/** The form of each member that activities take beside the release; whoever schedules one can send anything. */
const MEMBERS: readonly (readonly [fits: (value: unknown) => boolean, ...names: string[]])[] = [
  [isOrdinal, 'round', 'refusals'],
  [arePartitions, 'partitions'],
  [(value) => value === null || isCorrection(value), 'correction'],
  [isName, 'charge', 'execution', 'reason', 'gate', 'action', 'verdict', 'channel'],
  [isListOf(isName), 'attention', 'decided'],
  [isDigest, 'manifestDigest', 'declaration'],
  [isListOf(isDigest), 'decisions'],
  [isTime, 'openedAt', 'publishedAt', 'retractedAt', 'scheduledAt'],
  [(value) => isText(value, NOTE_CHARACTERS), 'note'],
  [isNotice, 'notice'],
];

/** What is wrong with the input of an activity. */
export function wrongActivityInput(activity: string, value: unknown): string | null {
  const ofRelease = activity === 'scheduledWindow' ? wrongScheduledInput(value) : wrongRun(value);
  if (ofRelease) return ofRelease;
  const input = value as Record<string, unknown>;
  const [wrong] = MEMBERS.flatMap(([fits, ...names]) =>
    names.filter((name) => Object.hasOwn(input, name) && !fits(input[name])),
  );
  return wrong === undefined ? null : `What ${activity} was sent as ${wrong} is not of its form.`;
}
