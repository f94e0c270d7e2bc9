import { certificateShape } from '../../../../contracts/certificate.ts';
import { OpalineError } from '../../../../contracts/errors.ts';
import type { Manifest } from '../../../../contracts/formats/manifest.ts';
import { FILES, partitionPath, type ReleaseReference, releasePath } from '../../../../contracts/names.ts';
import type { DeriveInput } from '../../../../contracts/stages.ts';
import { windowDays } from '../../../../core/calendar/window.ts';
import { isSameNoise } from '../../../../counts/audit/checks/reuse.ts';
import { ledgerFacts } from '../../../../counts/audit/ledger-facts.ts';
import { sameDraws, type VersionOrigin } from '../../../../counts/audit/same-draws.ts';
import type { EarlierVersion, PublicKnowledge } from '../../../../counts/audit/subject.ts';
import type { CountTable } from '../../../../counts/derive/count-table.ts';
import type { Grounds } from '../../../../services/draws/require-receipts.ts';
import { readAudits } from '../../../../services/draws/stage-receipt.ts';
import { type LedgerReader, verifyLedger } from '../../../../services/ledger/verify-ledger.ts';
import { loadSolver } from '../../../../services/linear-solver.ts';
import { readWithDigest } from '../../../../services/publication/staged-files.ts';
import { readDictionary } from '../../../../services/stores/series-objects.ts';
import type { TapsSeries } from '../../series.ts';
import { certificateOf } from '../../taps-certificate.ts';
import { readPast } from './past.ts';
import { type PublicationPlaces, readSiblings } from './siblings.ts';
import { loadCells } from './table-files.ts';
import { parseTimetable } from './timetable.ts';

/** By what an earlier version of a series is believed. */
type TapsGrounds = Grounds & { series: TapsSeries };

/** Where public knowledge is. */
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
  const ledger = await verifyLedger(context, series.population);
  const grounds = { releaseStore, trust: await context.trust(), ledger, series };
  const { entries } = ledger;
  const certificate = certificateOf(series);
  const { split } = certificate;
  const lastDay = windowDays(series, input.window).at(-1)!;
  const timetable = series.audit?.timetable;
  return {
    services: series.audit?.equalTruth ?? [],
    timetable: timetable === undefined ? [] : parseTimetable(await readDictionary(releaseStore, timetable)),
    earlier: await readEarlierVersions(grounds, input),
    siblings: await readSiblings({ ...context, series, window: input.window }, entries),
    ledger: ledgerFacts(entries, { ...certificate, series: series.series, lastDay }),
    ...(await readPast(context, series, input.window)),
    solve: split.time !== undefined && split.location !== undefined ? await loadSolver() : null,
  };
}

type Staged = { version: number; cells: CountTable; manifest: Manifest };

/** Earlier versions of the window with noise of the same kind; ones that never reached their manifest showed nothing. */
async function readEarlierVersions(grounds: TapsGrounds, input: DeriveInput): Promise<EarlierVersion[]> {
  const versions: Staged[] = [];
  for (let version = 1; version < input.version; version += 1) {
    const one = await readStaged(grounds, { ...input, version });
    if (one) versions.push(one);
  }
  const origins = new Map(
    versions.map(({ version, manifest }): [number, VersionOrigin] => [version, manifest.correction]),
  );
  const { correction } = input;
  const redrawn = correction?.partitions.map(partitionPath) ?? [];
  origins.set(input.version, correction && { of: correction.of, redrawn });
  const partitions = input.draws.map(({ partition }) => partitionPath(partition));
  return versions.map(({ version, cells, manifest }) => ({
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

async function readStaged(grounds: TapsGrounds, release: ReleaseReference): Promise<Staged | null> {
  const [audit] = await readAudits(grounds, release);
  if (!audit) return null;
  const { manifest } = audit;
  const { releaseStore, series } = grounds;
  const read = async (name: string): Promise<Buffer | null> => {
    const entry = manifest.files.find((file) => file.name === name);
    const bytes = entry ? await readWithDigest(releaseStore, manifest, name, entry.sha256) : null;
    if (bytes || !entry) return bytes;
    throw new OpalineError(
      'COPY_DIFFERS',
      `The staged file ${name} of ${releasePath(release)} is not the one that was audited; put it back, and retry.`,
    );
  };
  const certificate = await read(FILES.certificate);
  const drawnWith = certificateShape.parse(JSON.parse(String(certificate)));
  if (!isSameNoise(drawnWith, certificateOf(series))) return null;
  const cells = await loadCells(read);
  return cells && { version: release.version, cells, manifest };
}
