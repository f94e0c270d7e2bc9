import { readLedger } from '../../activities/ledger/ledger.ts';
import { readOffered } from '../../activities/publication/staged-files.ts';
import { readSeries } from '../../activities/stores/series-objects.ts';
import { approversOf, present } from '../../activities/trust/approvers.ts';
import { newestVersion } from '../../activities/trust/trust-chain.ts';
import { type AuditCheck, type AuditReport, auditReportSchema, type FindingVerdict } from '../../contracts/audit.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, RELEASE_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { type AmountText, formatAmount, reserves, unitCharge } from '../../core/ledger/budget.ts';
import { type AmountLeft, amountLeft, type WindowCharges, windowCharges } from '../../core/ledger/budget-left.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { type ChangesSince, changesSince } from './changes-since.ts';
import { shownSection } from './shown-section.ts';

/** What somebody who decides on a release has to know, from the release store, the ledger and the trust file. */
export type Briefing = {
  release: string;
  /** Where what can be read lies; empty before the audit. */
  files: { what: 'audit' | 'second audit' | 'statement' | 'preview'; place: string }[];
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
const PAGES = [
  { what: 'audit', file: FILES.auditPage },
  { what: 'second audit', file: FILES.secondAuditPage },
  { what: 'statement', file: FILES.statement },
] as const;

/** Throws LEDGER_BROKEN and TRUST_INVALID: nobody decides on what cannot be believed. */
export async function releaseBriefing(client: OpalineClient, status: ReleaseStatus): Promise<Briefing> {
  const { releaseStore } = client;
  const series = await readSeries(releaseStore, status);
  const report = await offeredReport(releaseStore, status);
  const manifest = await offeredJson(releaseStore, status, FILES.manifest, manifestSchema);
  const checks = report?.checks ?? [];
  return {
    release: releasePath(status),
    files: await filesOf(releaseStore, status, manifest),
    points: [...checks.filter(({ verdict }) => verdict === 'fail'), ...checks.filter(asksAttention)].map(pointOf),
    checks: report && { all: checks.length, held: countOf(checks, 'pass'), untried: countOf(checks, 'not-tried') },
    shown: await shownSection(client, status),
    since: manifest && (await changesSince(releaseStore, manifest)),
    privacy: await privacyOf(releaseStore, series, status),
    people: status.required > 0 ? await peopleOf(client, series, status) : null,
  };
}

const asksAttention = ({ verdict }: AuditCheck): boolean => verdict === 'attention';

const countOf = (checks: readonly AuditCheck[], wanted: FindingVerdict): number =>
  checks.filter(({ verdict }) => verdict === wanted).length;

const pointOf = ({ id, verdict, sentence }: AuditCheck) => ({ id, verdict, sentence });

/** The report that decides. */
const offeredReport = async (store: ObjectStore, release: ReleaseReference): Promise<AuditReport | null> =>
  (await offeredJson(store, release, FILES.secondAudit, auditReportSchema)) ??
  offeredJson(store, release, FILES.audit, auditReportSchema);

async function offeredJson<T>(
  store: ObjectStore,
  release: ReleaseReference,
  file: string,
  schema: { parse(value: unknown): T },
): Promise<T | null> {
  const bytes = await readOffered(store, release, file);
  return bytes && schema.parse(JSON.parse(bytes.toString('utf8')));
}

/** The pages that are staged, and the folder of everything that would be published. */
async function filesOf(
  store: ObjectStore,
  release: ReleaseReference,
  manifest: Manifest | null,
): Promise<Briefing['files']> {
  const files: Briefing['files'] = [];
  for (const { what, file } of PAGES) {
    const key = await offeredKey(store, release, file);
    if (key) files.push({ what, place: placeOf(store, key) });
  }
  const preview = placeOf(store, RELEASE_KEYS.staged(release, ''));
  return manifest ? [...files, { what: 'preview', place: preview }] : files;
}

/** Where a file lies that would be published: of the second audit where there was one; null when it is not there. */
export async function offeredKey(store: ObjectStore, release: ReleaseReference, file: string): Promise<string | null> {
  for (const key of [RELEASE_KEYS.reaudited(release, file), RELEASE_KEYS.staged(release, file)])
    if (await store.head(key)) return key;
  return null;
}

/** Where an object lies: a path where its store is a folder, and else its address. */
export const placeOf = ({ location }: ObjectStore, key: string): string => `${location.replace(/^folder:/, '')}/${key}`;

async function privacyOf(
  store: ObjectStore,
  { population, series }: Series,
  release: ReleaseReference,
): Promise<Briefing['privacy']> {
  const { entries } = await readLedger(store, population);
  const own = reserves(entries).find((one) => one.release === releasePath(release));
  if (!own) return null;
  return {
    release: formatAmount(unitCharge(own.blocks)),
    window: windowCharges(entries, series, release.window),
    left: amountLeft(entries, own),
  };
}

async function peopleOf(
  { trust }: OpalineClient,
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
