import type { FindingVerdict } from '../../contracts/audit-report.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { FILES, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { charges, populationCaps, unitCharge } from '../../core/ledger/budget.ts';
import { amountLeft, windowCharges } from '../../core/ledger/budget-left.ts';
import { showAmount } from '../../core/ledger/shown-amount.ts';
import { DAYS_HEADING, SHOWN_HEADING } from '../../services/audit-page/page-subject.ts';
import type { Ledger } from '../../services/ledger/ledger.ts';
import { type LedgerReader, verifyLedger } from '../../services/ledger/verify-ledger.ts';
import { findRelease, loadFile } from '../../services/publication/audited-release.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { newestVersion } from '../../services/trust/trust-chain.ts';
import { approversOf, present } from '../../services/trust/trusted-approvers.ts';
import { changesSince } from './changes-since.ts';
import { type ForecastReader, forecastAndShown } from './forecast.ts';

/** What somebody who decides on a release has to know, from its signed audit, the ledger and the trust file. */
export type Briefing = Awaited<ReturnType<typeof releaseBriefing>>;

/** Pages of a release in the order in which they are read. */
export const RELEASE_PAGES = {
  audit: FILES.auditPage,
  'second-audit': FILES.secondAuditPage,
  statement: FILES.statement,
} as const;
export type ReleasePage = keyof typeof RELEASE_PAGES;

/** Throws COPY_DIFFERS, LEDGER_BROKEN and TRUST_INVALID: nobody decides on what cannot be believed. */
export async function releaseBriefing(reader: ForecastReader, status: ReleaseStatus) {
  const { releaseStore } = reader;
  const series = await readSeries(releaseStore, status);
  const audit = await findRelease(reader, status);
  const ledger = audit?.grounds.ledger ?? (await verifyLedger(reader, series.population));
  const statement = audit && (await loadFile(releaseStore, audit, FILES.statement));
  const checks = audit?.report.checks ?? [];
  const of = (outcome: FindingVerdict) => checks.filter(({ verdict }) => verdict === outcome);
  return {
    release: releasePath(status),
    /** Pages that `open` shows; none before the audit. */
    pages: audit ? pagesOf(audit.manifest) : [],
    /** The checks that failed, and those that ask for attention, in this order. */
    points: [...of('fail'), ...of('attention')].map(({ id, verdict, sentence }) => ({ id, verdict, sentence })),
    /** How many checks the audit has, how many held, and how many had nothing to be tried on. */
    checks: audit && { all: checks.length, held: of('pass').length, untried: of('not-tried').length },
    /** How much of all that was counted it shows, as Markdown; null where its statement does not say. */
    shown: statement && sectionOf(statement.toString('utf8'), SHOWN_HEADING),
    /** What was forecast of that, beside it; empty where nothing was. */
    forecast: audit ? await forecastAndShown(reader, audit) : [],
    /** The totals of its days beside those before, likewise. */
    days: statement && sectionOf(statement.toString('utf8'), DAYS_HEADING),
    /** What is different from the last published release of the series; null: there is none, or no manifest. */
    since: audit && (await changesSince(reader, audit)),
    /** What it costs; null while nothing is charged. */
    privacy: privacyOf(ledger, series, status),
    people: status.required > 0 ? await peopleOf(reader, series, status) : null,
  };
}

const pagesOf = ({ files }: Manifest): ReleasePage[] =>
  (Object.keys(RELEASE_PAGES) as ReleasePage[]).filter((page) =>
    files.some(({ name }) => name === RELEASE_PAGES[page]),
  );

function privacyOf({ entries }: Ledger, { series }: Series, release: ReleaseReference) {
  const own = charges(entries).find((one) => one.reserve && one.release === releasePath(release));
  if (!own?.reserve) return null;
  return {
    unit: own.reserve.unit,
    release: showAmount(unitCharge(own.blocks), populationCaps(entries)),
    window: windowCharges(entries, series, release.window),
    left: amountLeft(entries, { blocks: own.blocks, caps: own.reserve.caps }),
  };
}

async function peopleOf({ trust }: LedgerReader, series: Series, { decisions, required }: ReleaseStatus) {
  const signers = decisions.filter(({ decision }) => decision !== 'reject').map(({ subject }) => subject);
  const approvers = namesOf(present(approversOf(newestVersion(await trust()), series), series.population));
  const others = approvers.filter((one) => !namesOf(decisions).includes(one));
  return { required, signed: signers, missing: Math.max(required - signers.length, 0), others };
}

const namesOf = (people: readonly { subject: string }[]): string[] => [
  ...new Set(people.map(({ subject }) => subject)),
];

/** A section of a statement, as Markdown; null when its kind has no such section. */
export function sectionOf(statement: string, heading: string): string | null {
  const [, after] = statement.split(`\n## ${heading}\n`);
  return after === undefined ? null : after.split('\n## ')[0]!.trim();
}

/** When a release is published that is approved by enough people, in a sentence. */
export function publicationWords(release: Pick<ReleaseStatus, 'publishNotBefore' | 'coolingHours'>): string {
  const { publishNotBefore, coolingHours } = release;
  const delay = coolingHours > 0 ? `${coolingHours} hours later` : '';
  const day = publishNotBefore ? 'on its day of publication' : '';
  const when = delay && day ? `${delay}, and not before its day of publication` : delay || day || 'at once';
  return `With the last approval that it needs it is published ${when}.`;
}
