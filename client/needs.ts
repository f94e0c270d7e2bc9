import { ERRORS, type ErrorCode } from '../contracts/errors.ts';
import type { TrustVersion } from '../contracts/formats/trust.ts';
import { EVERYWHERE } from '../contracts/formats/trust.ts';
import { releasePath } from '../contracts/names.ts';
import { inWords, RELEASE_STATE_TABLE } from '../contracts/release-state.ts';
import type { ReleaseStatus } from '../contracts/stages.ts';
import { partitionSpans } from '../core/calendar/partition-spans.ts';
import { listPopulations } from '../services/ledger/populations.ts';
import { verifyLedger } from '../services/ledger/verify-ledger.ts';
import { newestVersion } from '../services/trust/trust-chain.ts';
import type { OpalineClient } from './opaline-client.ts';
import { reportAbsence } from './release/publications.ts';
import type { ReleaseLine } from './release/retractions.ts';
import type { ScheduleLine } from './schedule/schedule-lines.ts';

/** Something that waits for somebody, in words that say nothing of when or how often private stages ran (C18). */
export type Need = {
  /** Who acts: approvers, or as the table of codes says. */
  who: string;
  sentence: string;
  /** Where in the console the action is: a release, its review, or a series. */
  place: { kind: 'release' | 'review' | 'series'; name: string } | null;
  /** The same on a command line. */
  command: string;
  /** Until when, ISO 8601 with Z; null: it has no end. */
  until: string | null;
  timeZone: string | null;
};

const rowOf = (code: ErrorCode | undefined) => ERRORS[code ?? 'UNEXPECTED'] ?? ERRORS.UNEXPECTED;

/** What somebody is to do, without an end. */
export const endlessNeed = (who: string, sentence: string, command: string, place: Need['place'] = null): Need => ({
  who,
  sentence,
  place,
  command,
  until: null,
  timeZone: null,
});

/** What a release waits for. `verb`: the command that acts on it. */
const needOf = (name: string, who: string, sentence: string, verb: string): Need =>
  endlessNeed(who, sentence, `opaline ${verb} ${name}`, { kind: who === 'approver' ? 'review' : 'release', name });

/**
 * What one release waits for; null for one that goes on by itself, or has ended well. `odd`: what its audit found that
 * people have to look at; null: nothing, or it has none yet.
 */
export function needOfRelease(line: ReleaseLine, timeZone: string, odd: string | null): Need | null {
  const name = releasePath(line);
  const { state, publication, retraction, open } = line;
  if (state === 'ended-outside') {
    const sentence = `${name} was ended from outside. ${ERRORS.RELEASE_ENDED_OUTSIDE.mend}`;
    return needOf(name, 'operator', sentence, 'resume');
  }
  if (publication?.isThere === false) return needOf(name, 'operator', reportAbsence(line, publication), 'retry');
  if (retraction && retraction.state !== 'retracted') {
    const { stall, signed, required } = retraction;
    const what = `The retraction of ${name}`;
    if (!stall) return needOf(name, 'approver', `${what} has ${signed} of ${required} signatures.`, 'retract');
    const { actor, cause } = rowOf(stall.code);
    return needOf(name, actor, `${what} is held up. ${cause}`, 'retry');
  }
  return open && needOfOpen(open, timeZone, odd);
}

function needOfOpen(status: ReleaseStatus, timeZone: string, odd: string | null): Need | null {
  const name = releasePath(status);
  const { state, stall, expiresAt } = status;
  switch (state) {
    case 'waiting': {
      const need = needOf(name, 'approver', gateSentence(status, odd), 'show');
      return { ...need, until: expiresAt, timeZone };
    }
    case 'expired':
      return needOf(name, 'approver', `${name} expired at the gate. It is offered again at 0 ε.`, 'reopen');
    case 'partitions-failed': {
      const failures = status.partitions.filter((one) => one.state === 'failed');
      const causes = [...new Set(failures.map(({ code }) => rowOf(code).cause))].join(' ');
      const sentence = `${name} is held up by ${partitionSpans(failures)}. ${causes} A retry costs 0 ε.`;
      return needOf(name, rowOf(failures[0]?.code).actor, sentence, 'retry');
    }
    case 'stalled':
    case 'ending-stalled': {
      const what = state === 'stalled' ? name : `The end of ${name}`;
      const sentence = `${what} is held up. ${stall ? `${rowOf(stall.code).cause} ` : ''}A retry costs 0 ε.`;
      return needOf(name, rowOf(stall?.code).actor, sentence, 'retry');
    }
    case 'waiting-for-objects':
      return needOf(name, 'operator', `${name}: ${RELEASE_STATE_TABLE[state].meaning}`, 'proceed');
    default:
      return null;
  }
}

function gateSentence({ attention, decisions, required, verdict, ...release }: ReleaseStatus, odd: string | null) {
  const name = releasePath(release);
  const subject = odd === null ? '' : `${odd}. `;
  if (verdict === 'fail') return `${subject}${name} failed its audit, and cannot be approved: somebody rejects it.`;
  const points = attention.length === 0 ? '' : `Points to be acknowledged: ${attention.length}. `;
  return `${subject}${points}${name} waits at the gate with ${decisions.length} of ${required} approvals.`;
}

/** Windows of a series, the newest ones, of which a rejection or a withdrawal asks for a new version. */
const NEWEST = 3;

/** Releases that people rejected or withdrew, where no newer version of the same days was made since. */
export async function needsOfRejected(client: OpalineClient, lines: readonly ReleaseLine[]): Promise<Need[]> {
  const releases = lines.filter(({ state, series, window, version }) => {
    if (state !== 'rejected' && state !== 'withdrawn') return false;
    const own = lines.filter((one) => one.series === series);
    const after = new Set(own.map((one) => one.window).filter((one) => one > window));
    return after.size < NEWEST && !own.some((one) => one.window === window && one.version > version);
  });
  return Promise.all(
    releases.map(async (line): Promise<Need> => {
      const name = releasePath(line);
      const ends = line.state === 'rejected' ? 'reject' : 'withdraw';
      const { decisions } = await client.status(line).catch(() => ({ decisions: [] }));
      const by = decisions.find(({ decision }) => decision === ends);
      const why = by ? ` by ${by.subject}: ${inWords(by.reason)}` : '';
      return needOf(name, 'operator', `${name} was ${line.state}${why}. A new version is a new charge.`, 'explain');
    }),
  );
}

/** What schedules wait for: windows that nobody started, and schedules that differ from their file. */
export function needsOfSchedule({ series, missing, inStep, paused, timeZone }: ScheduleLine): Need[] {
  const place = { kind: 'series' as const, name: series };
  const needs = missing.map(({ window, scheduledAt }) => {
    const sentence = `${series}/${window} was due, and was not started${paused ? ': the schedule is paused' : ''}.`;
    const command = `opaline schedule trigger ${series} --window ${window}`;
    return { who: 'operator', sentence, place, command, until: scheduledAt, timeZone };
  });
  if (inStep) return needs;
  const sentence = `The schedule of ${series} is not that of its newest file.`;
  const command = 'opaline schedule apply SERIES.yaml';
  return [...needs, endlessNeed('platform team', sentence, command, place)];
}

/** Entries of a ledger before its end at which a key is named. */
const SOON = 20;

/** Keys of the trust file that end soon, or have ended, without another one in their place. */
export async function needsOfKeys(client: OpalineClient): Promise<Need[]> {
  const version = newestVersion(await client.trust());
  const needs: Need[] = [];
  for (const population of await listPopulations(client.releaseStore)) {
    const length = (await verifyLedger(client, population)).entries.length;
    for (const [what, keys] of Object.entries(rolesOf(version)))
      if (keys.length > 0 && keys.every((key) => endOf(key, population) - length < SOON))
        needs.push(
          endlessNeed(
            'platform team',
            `The last key of ${what} for ${population} ends at entry ${Math.max(...keys.map((key) => endOf(key, population)))} of the ledger, which has ${length}. The roots sign a version with the next one.`,
            'opaline trust init NEXT.json --after trust.json',
          ),
        );
  }
  return needs;
}

type Keys = readonly Pick<TrustVersion['publishers'][number], 'valid'>[];

const rolesOf = ({ ledgers, publishers, approvers }: TrustVersion): Record<string, Keys> => ({
  'the private worker': ledgers,
  'the publisher': publishers,
  'the approvers': approvers,
});

/** The entry at which a key ends for a population; one that never held for it has ended. */
function endOf({ valid }: Keys[number], population: string): number {
  if (valid === EVERYWHERE) return Number.POSITIVE_INFINITY;
  const interval = Object.hasOwn(valid, population) ? valid[population] : undefined;
  return interval ? (interval.until ?? Number.POSITIVE_INFINITY) : 0;
}
