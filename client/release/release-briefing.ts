import type { AuditCheck, FindingVerdict } from '../../contracts/audit.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { FILES, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { type AmountText, formatAmount, reserves, unitCharge } from '../../core/ledger/budget.ts';
import { type AmountLeft, amountLeft, type WindowCharges, windowCharges } from '../../core/ledger/budget-left.ts';
import { believedLedger, type LedgerReader } from '../../services/ledger/believed-ledger.ts';
import type { Ledger } from '../../services/ledger/ledger.ts';
import { auditedFile, auditedRelease } from '../../services/publication/audited-release.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { approversOf, present } from '../../services/trust/approvers.ts';
import { newestVersion } from '../../services/trust/trust-chain.ts';
import { type ChangesSince, changesSince } from './changes-since.ts';
import { shownSection } from './shown-section.ts';

/** What somebody who decides on a release has to know, from its signed audit, the ledger and the trust file. */
export type Briefing = {
  release: string;
  /** Pages that `open` shows; none before the audit. */
  pages: ReleasePage[];
  /** The checks that failed, and those that ask for attention, in this order. */
  points: Pick<AuditCheck, 'id' | 'verdict' | 'sentence'>[];
  /** How many checks the audit has, how many held, and how many had nothing to be tried on. */
  checks: { all: number; held: number; untried: number } | null;
  /** How much of all that was counted it shows, as Markdown; null where its statement does not say. */
  shown: string | null;
  /** What is other than in the last release of the series that was published; null: there is none, or no manifest. */
  since: ChangesSince | null;
  /** What it costs; null while nothing is charged. */
  privacy: { release: AmountText; window: WindowCharges; left: AmountLeft | null } | null;
  people: { required: number; signed: string[]; missing: number; others: string[] } | null;
};

/** Pages of a release in the order in which they are read. */
export const RELEASE_PAGES = {
  audit: FILES.auditPage,
  'second-audit': FILES.secondAuditPage,
  statement: FILES.statement,
} as const;
export type ReleasePage = keyof typeof RELEASE_PAGES;

/** Throws COPY_DIFFERS, LEDGER_BROKEN and TRUST_INVALID: nobody decides on what cannot be believed. */
export async function releaseBriefing(reader: LedgerReader, status: ReleaseStatus): Promise<Briefing> {
  const { releaseStore } = reader;
  const series = await readSeries(releaseStore, status);
  const audited = await auditedRelease(reader, status);
  const ledger = audited?.believed.ledger ?? (await believedLedger(reader, series.population));
  const statement = audited && (await auditedFile(releaseStore, audited, FILES.statement));
  const checks = audited?.report.checks ?? [];
  return {
    release: releasePath(status),
    pages: audited ? pagesOf(audited.manifest) : [],
    points: [...checks.filter(({ verdict }) => verdict === 'fail'), ...checks.filter(asksAttention)].map(pointOf),
    checks: audited && { all: checks.length, held: countOf(checks, 'pass'), untried: countOf(checks, 'not-tried') },
    shown: statement && shownSection(statement.toString('utf8')),
    since: audited && (await changesSince(reader, audited)),
    privacy: privacyOf(ledger, series, status),
    people: status.required > 0 ? await peopleOf(reader, series, status) : null,
  };
}

const pagesOf = ({ files }: Manifest): ReleasePage[] =>
  (Object.keys(RELEASE_PAGES) as ReleasePage[]).filter((page) =>
    files.some(({ name }) => name === RELEASE_PAGES[page]),
  );

const asksAttention = ({ verdict }: AuditCheck): boolean => verdict === 'attention';

const countOf = (checks: readonly AuditCheck[], wanted: FindingVerdict): number =>
  checks.filter(({ verdict }) => verdict === wanted).length;

const pointOf = ({ id, verdict, sentence }: AuditCheck) => ({ id, verdict, sentence });

function privacyOf({ entries }: Ledger, { series }: Series, release: ReleaseReference): Briefing['privacy'] {
  const own = reserves(entries).find((one) => one.release === releasePath(release));
  if (!own) return null;
  return {
    release: formatAmount(unitCharge(own.blocks)),
    window: windowCharges(entries, series, release.window),
    left: amountLeft(entries, own),
  };
}

async function peopleOf(
  { trust }: LedgerReader,
  series: Series,
  { decisions, required }: ReleaseStatus,
): Promise<Briefing['people']> {
  const signed = decisions.filter(({ decision }) => decision !== 'reject').map(({ subject }) => subject);
  const approvers = namesOf(present(approversOf(newestVersion(await trust()), series), series.population));
  const others = approvers.filter((one) => !namesOf(decisions).includes(one));
  return { required, signed, missing: Math.max(required - signed.length, 0), others };
}

/** Names of people in their order, each once. */
const namesOf = (people: readonly { subject: string }[]): string[] => [
  ...new Set(people.map(({ subject }) => subject)),
];
