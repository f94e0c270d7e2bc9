import { setTimeout as delay } from 'node:timers/promises';
import { diagnose } from '../client/doctor.ts';
import { populationBudget, seriesOverview } from '../client/ledger/series-overview.ts';
import {
  endlessNeed,
  type Need,
  needOfRelease,
  needsOfKeys,
  needsOfRejected,
  needsOfSchedule,
} from '../client/needs.ts';
import type { OpalineClient } from '../client/opaline-client.ts';
import { decisionLog } from '../client/release/decision-log.ts';
import { explainRelease } from '../client/release/explain-release.ts';
import { oddInWords } from '../client/release/odd-totals.ts';
import { releaseBriefing } from '../client/release/release-briefing.ts';
import { openFacts, type ReleaseLine, statusWithRetraction } from '../client/release/retractions.ts';
import { reviewRelease } from '../client/release/review.ts';
import { listSchedules } from '../client/schedule/schedule-lines.ts';
import { placeOfSource } from '../client/series/place-zone.ts';
import type { ClientDeployment } from '../contracts/deployment.ts';
import { ERRORS, OpalineError } from '../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../contracts/names.ts';
import { publicationTime, RELEASE_STATE_TABLE } from '../contracts/release-state.ts';
import { listPopulations } from '../services/ledger/populations.ts';
import { findRelease } from '../services/publication/audited-release.ts';
import { everyAppliedSeries } from '../services/stores/series-objects.ts';
import { keep, type Listed, listReleases } from './live.ts';
import { deadline, releaseView } from './release-view.ts';
import type { Role } from './sessions.ts';

/** Releases that one page lists. */
const MOST_LISTED = 100;

/** How old what everybody looks at may be; asking again is work for every open release. */
const LIST_MS = 3_000;
const DOCTOR_MS = 60_000;

/** How long a page waits for what `doctor` finds: where there are many releases, the next page has it. */
const DOCTOR_WAIT_MS = 1_500;

export type ConsoleData = ReturnType<typeof consoleData>;

/** What each page shows, by the name of what gives it. */
export type PageData = {
  [Page in keyof ConsoleData]: ConsoleData[Page] extends (...asked: never) => Promise<infer Data>
    ? NonNullable<Data>
    : never;
};

/**
 * What the pages show, by the functions of the command line; of everything the part that a role may see. A page and its
 * JSON are made of one such value, so that neither shows more than the other.
 *
 * @contract C18
 */
export function consoleData(client: OpalineClient, deployment: ClientDeployment) {
  const list = keep(LIST_MS, () => listReleases(client));
  // One after the other: each reads the ledgers, and what both hold at once is the most that a console takes. Where there
  // is no list, it says why.
  const awaitList = () => list.get().catch(() => null);
  const doctor = keep(DOCTOR_MS, () => awaitList().then(() => diagnose(deployment)));
  const schedules = keep(LIST_MS, () => listSchedules(client));
  const budgets = keep(LIST_MS, () => allBudgets(client));
  const keys = keep(LIST_MS, () => needsOfKeys(client));
  const releaseNeeds = keep(LIST_MS, async () => needsOfReleases(client, await list.get()));
  // Where there are many releases, whoever opens the first page finds them read.
  void awaitList();

  return {
    client,
    /** After an action, what was read before it is not shown. */
    forget(): void {
      for (const one of [list, doctor, schedules, budgets, keys, releaseNeeds]) one.forget();
    },

    async home(roles: readonly Role[]) {
      const faults: Need[] = [];
      const [all, lines, ofReleases, ofKeys, balances] = await Promise.all([
        list.shown(),
        schedules.shown(),
        releaseNeeds.shown(),
        keys.shown().catch(faultInto(faults, [])),
        budgets.shown().catch(faultInto(faults, [])),
      ]);
      const needs = [
        ...ofReleases,
        ...lines.flatMap(needsOfSchedule),
        ...ofKeys,
        ...faults.filter(({ sentence }) => !ofReleases.some((one) => one.sentence === sentence)),
      ].map((need) => ({ ...need, until: deadline(need.until, roles.includes('operator')) }));
      const atWork = all.lines.filter(({ state }) =>
        ['running', 'auditing', 'publishing', 'approved-waiting'].includes(state),
      );
      return {
        needs,
        /** What is at work, and goes on by itself. */
        running: rowsOf({ ...all, lines: atWork }, roles),
        schedules: lines,
        budgets: balances.map((one) => ({ population: one.population, left: one.left })),
        /** What `doctor` finds, for operators; null: it was not asked, or has not answered yet. */
        doctor: roles.includes('operator')
          ? (doctor.newest() ?? (await Promise.race([doctor.get(), delay(DOCTOR_WAIT_MS, null, { ref: false })])))
          : null,
      };
    },

    /** `filter`: which releases the list is to have; an empty text chooses none. */
    async releases(filter: { series: string; state: string; name: string }, roles: readonly Role[]) {
      const all = await list.shown();
      const matches = all.lines.filter(
        (line) =>
          (filter.series === '' || line.series === filter.series) &&
          (filter.state === '' || line.state === filter.state) &&
          releasePath(line).includes(filter.name),
      );
      const series = [...new Set(all.lines.map((line) => line.series))].sort();
      const releases = rowsOf({ ...all, lines: matches.slice(0, MOST_LISTED) }, roles);
      // How many fit the filter; a page shows the newest.
      return { filter, series, releases, found: matches.length };
    },

    async release(release: ReleaseReference, roles: readonly Role[]) {
      const answer = await explainRelease(client, release);
      if ('what' in answer)
        throw new OpalineError('RELEASE_ENDED_OUTSIDE', [answer.what, ...answer.causes, ...answer.commands].join(' '));
      const { timeZone } = await placeOfSource(client, answer);
      const status = { retraction: null, ...answer };
      const { lines } = await list.shown();
      const isOther = (one: ReleaseLine) =>
        one.series === release.series && one.window === release.window && one.version !== release.version;
      return {
        release: releaseView(status, roles, timeZone),
        /** Other versions of the same days. */
        versions: lines.filter(isOther).map((one) => ({ release: releasePath(one), state: one.state })),
        decisions: notesFor(await decisionLog(client, answer), roles),
      };
    },

    /** Null before the audit. Throws COPY_DIFFERS and what the ledger throws: nobody is shown what is not believed. */
    async review(release: ReleaseReference, roles: readonly Role[]) {
      const status = await statusWithRetraction(client, release);
      const review = await reviewRelease(client, release);
      if (!review) return null;
      const [{ timeZone }, briefing, log] = await Promise.all([
        placeOfSource(client, status),
        releaseBriefing(client, status),
        decisionLog(client, status),
      ]);
      return {
        release: releaseView(status, roles, timeZone),
        /** The lines of the statement are separate: each is bounded, and all of them are shown. */
        review: { ...review, statement: review.statement.split('\n') },
        briefing,
        decisions: notesFor(log, roles),
      };
    },

    async seriesList() {
      const lines = await schedules.shown();
      const entries = await everyAppliedSeries(client.releaseStore);
      return {
        series: entries.map(({ series: name, timeZone, publication }) => {
          const schedule = lines.find((one) => one.series === name);
          const title = publication?.title ?? name;
          return { name, title, timeZone, paused: schedule?.paused ?? null, next: schedule?.next ?? null };
        }),
      };
    },

    async series(name: string, roles: readonly Role[]) {
      const { series, budget, year } = await seriesOverview(client, name);
      const all = await list.shown();
      const own = all.lines.filter((line) => line.series === name).slice(0, MOST_LISTED);
      const charges = budget.charges.filter(({ release }) => release.startsWith(`${name}/`));
      return {
        series: name,
        title: series.publication?.title ?? name,
        timeZone: series.timeZone,
        population: series.population,
        kind: series.kind,
        required: series.gate.required,
        custodians: [...series.custodians],
        schedule: (await schedules.shown()).find((one) => one.series === name) ?? null,
        releases: rowsOf({ ...all, lines: own }, roles),
        budget: { left: budget.left, caps: budget.caps, charges },
        year,
      };
    },

    async ledger() {
      return { populations: await budgets.shown() };
    },

    async population(name: string) {
      const populations = await listPopulations(client.releaseStore);
      return populations.includes(name) ? populationBudget(client, name) : null;
    },
  };
}

const allBudgets = async (client: OpalineClient) =>
  Promise.all((await listPopulations(client.releaseStore)).map((one) => populationBudget(client, one)));

/** What releases wait for: each at its gate with what is odd of it, by its signed audit. */
async function needsOfReleases(client: OpalineClient, { lines, zones }: Listed): Promise<Need[]> {
  const faults: Need[] = [];
  const needs = lines.map(async (line) => {
    const isAsked = line.open?.state === 'waiting' && line.open.verdict !== 'pass';
    const audit = isAsked ? await findRelease(client, line).catch(faultInto(faults, null)) : null;
    return needOfRelease(line, zones.get(line.series) ?? 'UTC', audit && oddInWords(audit.report)) ?? [];
  });
  return [...(await Promise.all(needs)).flat(), ...(await needsOfRejected(client, lines)), ...faults];
}

/** For a `catch`: what cannot be believed is something that needs somebody, and hides nothing else of the page. */
const faultInto =
  <Instead>(faults: Need[], instead: Instead) =>
  (error: unknown): Instead => {
    if (!(error instanceof OpalineError)) throw error;
    const sentence = error.message;
    if (!faults.some((one) => one.sentence === sentence))
      faults.push(endlessNeed(ERRORS[error.code].actor, sentence, 'opaline doctor'));
    return instead;
  };

/** What people wrote for the record is for those who decide and those who mend. */
const notesFor = <One extends { note: string | null }>(log: readonly One[], roles: readonly Role[]): One[] =>
  log.map((one) => (roles.includes('approver') || roles.includes('operator') ? one : { ...one, note: null }));

/** Lines of the list of releases, as a role may see them: `startedAt` is null for everybody but operators. */
function rowsOf({ lines, zones }: Listed, roles: readonly Role[]) {
  const isOperator = roles.includes('operator');
  return lines.map(({ open, ...line }) => {
    const { failed, partitions, verdict, until } = openFacts({ open });
    const publishedAt = open?.state === 'approved-waiting' ? publicationTime(open) : null;
    const isFinal = line.state !== 'ended-outside' && RELEASE_STATE_TABLE[line.state].final;
    return {
      release: releasePath(line),
      series: line.series,
      state: line.state,
      failed: isFinal ? 0 : failed,
      partitions,
      verdict,
      until: publishedAt ?? deadline(until, isOperator),
      startedAt: isOperator ? line.startedAt : null,
      timeZone: zones.get(line.series) ?? 'UTC',
    };
  });
}
