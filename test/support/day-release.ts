import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { shadow } from '../../activities/private/shadow.ts';
import { audit } from '../../activities/public/audit.ts';
import { derive } from '../../activities/public/derive.ts';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import type { AuditReport } from '../../contracts/audit-report.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, PRIVATE_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import type { DeriveInput, ObjectFault, Run } from '../../contracts/stages.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { PUBLIC_KINDS } from '../../kinds/public-kinds.ts';
import { Publication } from '../../services/publication/publication.ts';
import { dataFiles } from '../../services/release/audited-files.ts';
import { jsonBytes, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { TEST_BUILD } from './folder-contexts.ts';
import { newFolder } from './new-folder.ts';
import { ReleaseBench } from './release-bench.ts';

/** Texts of source objects by their names below the day. */
export type Objects = Readonly<Record<string, string>>;
/** The same, of any bytes. */
export type ObjectBytes = Readonly<Record<string, string | Buffer>>;

/** A release of one day with its counts, and what its private worker is made of. */
export type Binned = { release: ReleaseBench; context: PrivateContext; run: Run; faults: ObjectFault[] };

/** The same after its draws; partitions without counts are holes. */
export type DrawnDay = Binned & { input: DeriveInput };

/** Files of a release by name. */
export type DayFiles = Map<string, Buffer>;

/** The release of one day of a series, with the counts of these objects; `own` is what a test has otherwise. */
export async function binnedDay(
  loaded: LoadedSeries,
  day: string,
  objects: ObjectBytes,
  own: Partial<PrivateContext> = {},
): Promise<Binned> {
  const release = await new ReleaseBench(newFolder(), loaded, day, own).prepared();
  for (const [name, text] of Object.entries(objects)) await release.deliver(`${day}/${name}`, text);
  const context = release.contexts().private;
  const { faults } = await release.through('bin', context);
  return { release, context, run: release.run(), faults };
}

export const drawnDay = async (binned: Binned): Promise<DrawnDay> => ({
  ...binned,
  input: await binned.release.through('privatize', binned.context),
});

/** Replaces the first drawn table with another one, as a worker with a bug would have drawn it. */
export async function redrawn<Table>(day: DrawnDay, change: (table: Table) => Table): Promise<DrawnDay> {
  const [first, ...others] = day.input.draws;
  const key = RELEASE_KEYS.privatized(day.input, first!.partition);
  const path = join(day.release.folder('release'), key);
  const bytes = jsonBytes(change(JSON.parse(await readFile(path, 'utf8'))));
  await rm(path);
  await day.context.releaseStore.putIfAbsent(key, bytes);
  return { ...day, input: { ...day.input, draws: [{ ...first!, digest: sha256(bytes) }, ...others] } };
}

/** Makes the shadow run of a release by the build of a context, and gives its tallies. */
export async function talliesOf(context: PrivateContext, run: Run): Promise<object> {
  await shadow(context, run);
  return JSON.parse(String(await readBytes(context.privateStore, PRIVATE_KEYS.shadow(run, context.build))));
}

async function derived({ release, input }: DrawnDay) {
  const context = release.contexts().public;
  const series = await readSeries(context.releaseStore, input);
  const kind = kindOf(PUBLIC_KINDS, series);
  const files: DayFiles = new Map(await dataFiles(context, input, series));
  return { context, series, kind, files };
}

/** What is published of the day, without audit and pages. */
export const publishedDay = async (day: DrawnDay): Promise<Publication> =>
  new Publication({ files: (await derived(day)).files, others: [] });

/** Derives the files, lets `plant` put a bug into them, and audits what it leaves. */
export async function auditedDay(
  day: DrawnDay,
  plant: (files: DayFiles) => unknown = () => undefined,
  made: Promise<object> = talliesOf(day.context, day.input),
): Promise<AuditReport> {
  const { context, series, kind, files } = await derived(day);
  await plant(files);
  return kind.audit(context, { ...day.input, shadow: await made }, series, files);
}

/** Runs derive and audit as they are; the report, and each staged file as text. */
export async function stagedDay({ release, context, input }: DrawnDay) {
  const { public: own } = release.contexts();
  await derive(own, input);
  await shadow(context, input);
  await audit(own, input);
  const text = async (name: string): Promise<string> =>
    (await readBytes(own.releaseStore, RELEASE_KEYS.staged(input, TEST_BUILD, name))).toString('utf8');
  return { report: JSON.parse(await text(FILES.audit)) as AuditReport, text };
}

export const failedChecks = ({ checks }: AuditReport): string[] =>
  checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
