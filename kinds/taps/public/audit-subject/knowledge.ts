import { believedLedger, type LedgerReader } from '../../../../activities/ledger/believed-ledger.ts';
import { loadSolver } from '../../../../activities/linear-solver.ts';
import { readBytesIfPresent } from '../../../../activities/stores/json-objects.ts';
import { readDictionary } from '../../../../activities/stores/series-objects.ts';
import { certificateShape } from '../../../../contracts/certificate-shape.ts';
import { type Manifest, manifestSchema } from '../../../../contracts/formats/manifest.ts';
import { FILES, partitionPath, RELEASE_KEYS, type ReleaseReference } from '../../../../contracts/names.ts';
import type { DeriveInput } from '../../../../contracts/stages.ts';
import { ledgerFacts } from '../../../../core/audit/ledger-facts.ts';
import { sameDraws, type VersionOrigin } from '../../../../core/audit/same-draws.ts';
import type { EarlierVersion, PublicKnowledge } from '../../../../core/audit/subject.ts';
import { windowDays } from '../../../../core/calendar/window.ts';
import type { CountTable } from '../../../../core/derive/count-table.ts';
import { canonicalJson } from '../../../../core/json/canonical.ts';
import type { TapsSeries } from '../../series.ts';
import { releaseCertificate } from '../release-certificate.ts';
import { readPast } from './past.ts';
import { type PublicationPlaces, readSiblings } from './siblings.ts';
import { publishedCells } from './table-files.ts';
import { parseTimetable } from './timetable.ts';

/** Where public knowledge lies. */
type KnowledgePlaces = PublicationPlaces & LedgerReader;

/**
 * Public knowledge that the audit attacks a release with: what the series declares, earlier versions, siblings, the
 * ledger.
 */
export async function readKnowledge(
  context: KnowledgePlaces,
  input: DeriveInput,
  series: TapsSeries,
): Promise<PublicKnowledge> {
  const { releaseStore } = context;
  const { entries } = await believedLedger(context, series.population);
  const { unit, worstPattern, split } = releaseCertificate(series, null);
  const lastDay = windowDays(series, input.window).at(-1)!;
  const timetable = series.audit?.timetable;
  return {
    services: series.audit?.equalTruth ?? [],
    timetable: timetable === undefined ? [] : parseTimetable(await readDictionary(releaseStore, timetable)),
    earlier: await readEarlierVersions(context, input, series),
    siblings: await readSiblings(context, series, input.window, entries),
    ledger: ledgerFacts(entries, { series: series.series, unit, worstPattern, lastDay }),
    past: await readPast(context, series, input.window),
    solve: split.time !== undefined && split.location !== undefined ? await loadSolver() : null,
  };
}

type Staged = { version: number; cells: CountTable; manifest: Manifest };

/** Earlier versions of the window with noise of the same kind; ones that never reached their manifest showed nothing. */
async function readEarlierVersions(
  context: KnowledgePlaces,
  input: DeriveInput,
  series: TapsSeries,
): Promise<EarlierVersion[]> {
  const staged: Staged[] = [];
  for (let version = 1; version < input.version; version += 1) {
    const one = await readStaged(context, { ...input, version }, series);
    if (one) staged.push(one);
  }
  const originOf = ({ correction }: Pick<Manifest, 'correction'>): VersionOrigin =>
    correction && { of: correction.of, redrawn: new Set(correction.redrawn) };
  const own: VersionOrigin = input.correction && {
    of: input.correction.of,
    redrawn: new Set(input.correction.partitions.map(partitionPath)),
  };
  const origins = new Map(staged.map(({ version, manifest }) => [version, originOf(manifest)]));
  origins.set(input.version, own);
  const partitions = input.draws.map(({ partition }) => partitionPath(partition));
  return staged.map(({ version, cells, manifest }) => ({
    version,
    cells,
    sameDraw: sameDraws(partitions, input.version, version, origins),
    otherTables: otherTables(input, manifest),
  }));
}

/** Partitions of this version whose privatized table is not the one in that manifest. */
function otherTables({ draws }: Pick<DeriveInput, 'draws'>, { partitions }: Manifest): ReadonlySet<string> {
  const digests = new Map(partitions.map((one) => [partitionPath(one), one.privatizedTable]));
  const other = draws.filter(({ partition, digest }) => digests.get(partitionPath(partition)) !== digest);
  return new Set(other.map(({ partition }) => partitionPath(partition)));
}

async function readStaged(
  { releaseStore }: KnowledgePlaces,
  release: ReleaseReference,
  series: TapsSeries,
): Promise<Staged | null> {
  const read = (file: string) => readBytesIfPresent(releaseStore, RELEASE_KEYS.staged(release, file));
  const [manifest, certificate] = [await read(FILES.manifest), await read(FILES.certificate)];
  if (!manifest || !certificate) return null;
  const { mechanism, scale, threshold } = certificateShape.parse(JSON.parse(certificate.toString('utf8')));
  const now = releaseCertificate(series, null);
  const same = canonicalJson({ mechanism, scale, threshold });
  if (same !== canonicalJson({ mechanism: now.mechanism, scale: now.scale, threshold: now.threshold })) return null;
  const cells = await publishedCells(read);
  if (!cells) return null;
  return { version: release.version, cells, manifest: manifestSchema.parse(JSON.parse(manifest.toString('utf8'))) };
}
