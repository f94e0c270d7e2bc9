import { ERRORS, type ErrorCode } from '../contracts/errors.ts';
import type { TrustVersion } from '../contracts/formats/trust.ts';
import { EVERYWHERE } from '../contracts/formats/trust.ts';
import { releasePath } from '../contracts/names.ts';
import { RELEASE_STATE_TABLE } from '../contracts/release-state.ts';
import type { ReleaseStatus } from '../contracts/stages.ts';
import { partitionSpans } from '../core/calendar/partition-spans.ts';
import { believedLedger } from '../services/ledger/believed-ledger.ts';
import { newestVersion } from '../services/trust/trust-chain.ts';
import { listPopulations } from './ledger/ledger-populations.ts';
import type { OpalineClient } from './opaline-client.ts';
import { missingText } from './release/publications.ts';
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

const actorOf = (code: ErrorCode | undefined): string => ERRORS[code ?? 'UNEXPECTED']?.actor ?? 'operator';

const bare = { until: null, timeZone: null };

/**
 * What one release waits for; nothing for one that goes on by itself, or has ended well. `odd`: what its audit found that
 * people have to look at; null: nothing, or it has none yet.
 */
export function needsOfRelease(line: ReleaseLine, timeZone: string, odd: string | null): Need[] {
  const name = releasePath(line);
  const own = { place: { kind: 'release' as const, name }, ...bare };
  if (line.state === 'ended-outside')
    return [
      {
        ...own,
        who: 'operator',
        sentence: `${name} was ended from outside. Its charge stays; the next version is charged.`,
        command: `opaline explain ${name}`,
      },
    ];
  if (line.publication?.isThere === false)
    return [
      { ...own, who: 'operator', sentence: missingText(line, line.publication), command: `opaline retry ${name}` },
    ];
  if (line.retraction && line.retraction.state !== 'retracted')
    return [
      {
        ...own,
        who: line.retraction.stall ? actorOf(line.retraction.stall.code) : 'approver',
        sentence: line.retraction.stall
          ? `The retraction of ${name} is held up (${line.retraction.stall.code}).`
          : `The retraction of ${name} has ${line.retraction.signed} of ${line.retraction.required} signatures.`,
        command: line.retraction.stall ? `opaline retry ${name}` : `opaline retract ${name}`,
      },
    ];
  if (line.open?.state === 'waiting') return [needOfGate(line.open, timeZone, odd)];
  return line.open ? needsOfOpen(line.open, own) : [];
}

function needOfGate(status: ReleaseStatus, timeZone: string, odd: string | null): Need {
  const name = releasePath(status);
  const { attention, decisions, required } = status;
  const subject = odd === null ? '' : `${odd}. `;
  const points = attention.length === 0 ? '' : `Points to be acknowledged: ${attention.length}. `;
  return {
    who: 'approver',
    sentence:
      status.verdict === 'fail'
        ? `${subject}${name} failed its audit, and cannot be approved: somebody rejects it.`
        : `${subject}${points}${name} waits at the gate with ${decisions.length} of ${required} approvals.`,
    place: { kind: 'review', name },
    command: `opaline show ${name}`,
    until: status.expiresAt,
    timeZone,
  };
}

function needsOfOpen(status: ReleaseStatus, own: Pick<Need, 'place' | 'until' | 'timeZone'>): Need[] {
  const name = releasePath(status);
  const failed = status.partitions.filter(({ state }) => state === 'failed');
  switch (status.state) {
    case 'expired':
      return [
        {
          ...own,
          who: 'approver',
          sentence: `${name} expired at the gate. It is offered again at 0 ε.`,
          command: `opaline reopen ${name}`,
        },
      ];
    case 'partitions-failed':
      return [
        {
          ...own,
          who: actorOf(failed[0]?.code),
          sentence: `${name} is held up by ${partitionSpans(failed)} (${[...new Set(failed.map(({ code }) => code ?? 'UNEXPECTED'))].join(', ')}). A retry costs 0 ε.`,
          command: `opaline retry ${name}`,
        },
      ];
    case 'stalled':
    case 'ending-stalled':
      return [
        {
          ...own,
          who: actorOf(status.stall?.code),
          sentence: `${status.state === 'stalled' ? name : `The end of ${name}`} is held up${status.stall ? ` (${status.stall.code})` : ''}. A retry costs 0 ε.`,
          command: `opaline retry ${name}`,
        },
      ];
    case 'waiting-for-objects':
      return [
        {
          ...own,
          who: 'operator',
          sentence: `${name}: ${RELEASE_STATE_TABLE[status.state].meaning}`,
          command: `opaline proceed ${name}`,
        },
      ];
    default:
      return [];
  }
}

/** Windows of a series, the newest ones, of which a rejection or a withdrawal asks for a new version. */
const NEWEST = 3;

/** Releases that people rejected or withdrew, where no newer version of the same days was made since. */
export async function needsOfRejected(client: OpalineClient, lines: readonly ReleaseLine[]): Promise<Need[]> {
  const rejected = lines.filter(({ state, series, window, version }) => {
    if (state !== 'rejected' && state !== 'withdrawn') return false;
    const own = lines.filter((one) => one.series === series);
    const after = new Set(own.map((one) => one.window).filter((one) => one > window));
    return after.size < NEWEST && !own.some((one) => one.window === window && one.version > version);
  });
  return Promise.all(
    rejected.map(async (line): Promise<Need> => {
      const name = releasePath(line);
      const ends = line.state === 'rejected' ? 'reject' : 'withdraw';
      const { decisions } = await client.status(line).catch(() => ({ decisions: [] }));
      const by = decisions.find(({ decision }) => decision === ends);
      const why = by ? ` by ${by.subject}: ${by.reason.replaceAll('-', ' ')}` : '';
      const sentence = `${name} was ${line.state}${why}. A new version is a new charge.`;
      const place = { kind: 'release' as const, name };
      return { ...bare, who: 'operator', sentence, place, command: `opaline explain ${name}` };
    }),
  );
}

/** What schedules wait for: windows that nobody started, and schedules that differ from their file. */
export const needsOfSchedule = ({ series, missing, inStep, paused, timeZone }: ScheduleLine): Need[] => {
  const place = { kind: 'series' as const, name: series };
  return [
    ...missing.map(({ window, scheduledAt }) => ({
      who: 'operator',
      sentence: `${series}/${window} was due, and was not started${paused ? ': the schedule is paused' : ''}.`,
      place,
      command: `opaline schedule trigger ${series} --window ${window}`,
      until: scheduledAt,
      timeZone,
    })),
    ...(inStep
      ? []
      : [
          {
            ...bare,
            who: 'platform team',
            sentence: `The schedule of ${series} is not that of its newest file.`,
            place,
            command: `opaline schedule apply SERIES.yaml`,
          },
        ]),
  ];
};

/** Entries of a ledger before its end at which a key is named. */
const SOON = 20;

/** Keys of the trust file that end soon, or have ended, without another one in their place. */
export async function needsOfKeys(client: OpalineClient): Promise<Need[]> {
  const version = newestVersion(await client.trust());
  const needs: Need[] = [];
  for (const population of await listPopulations(client.releaseStore)) {
    const length = (await believedLedger(client, population)).entries.length;
    for (const [what, keys] of Object.entries(rolesOf(version)))
      if (keys.length > 0 && keys.every((key) => endOf(key, population) - length < SOON))
        needs.push({
          ...bare,
          who: 'platform team',
          sentence: `The last key of ${what} for ${population} ends at entry ${Math.max(...keys.map((key) => endOf(key, population)))} of the ledger, which has ${length}. The roots sign a version with the next one.`,
          place: null,
          command: 'opaline trust init NEXT.json --after trust.json',
        });
  }
  return needs;
}

type Keys = readonly Pick<TrustVersion['publishers'][number], 'valid'>[];

const rolesOf = ({ ledgers, publishers, approvers }: TrustVersion): Record<string, Keys> => ({
  ...{ 'the private worker': ledgers, 'the publisher': publishers },
  'the approvers': approvers,
});

/** The entry at which a key ends for a population; one that never held for it has ended. */
function endOf({ valid }: Keys[number], population: string): number {
  if (valid === EVERYWHERE) return Number.POSITIVE_INFINITY;
  const interval = Object.hasOwn(valid, population) ? valid[population] : undefined;
  return interval ? (interval.until ?? Number.POSITIVE_INFINITY) : 0;
}
