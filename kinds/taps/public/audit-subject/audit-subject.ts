import { fileOf, type ReleaseFiles } from '../../../../activities/publication/staged-files.ts';
import type { PrivacyParameters } from '../../../../contracts/certificate.ts';
import { certificateShape } from '../../../../contracts/certificate-shape.ts';
import { FILES, type ReleaseReference, releasePath, TABLES } from '../../../../contracts/names.ts';
import {
  type AuditedTables,
  type AuditSubject,
  type FileTexts,
  NO_KNOWLEDGE,
  type ParquetFacts,
  type PublicKnowledge,
} from '../../../../core/audit/subject.ts';
import { type CountTable, NO_ROWS } from '../../../../core/derive/count-table.ts';
import { type CsvShape, isCsvOf, parseCsv } from '../../../../core/derive/csv.ts';
import { canonicalJson } from '../../../../core/json/canonical.ts';
import { type ParquetRows, parquetFacts, readParquet } from '../parquet-file.ts';
import { type PrivacyFile, privacyFileSchema, publicDomains, unknownPlaces } from '../privacy-file.ts';

/** Files that hold released data or its parameters; everything else is written later than the audit reads. */
export const DATA_FILES: readonly string[] = [
  ...TABLES.map(FILES.table),
  FILES.hours,
  FILES.remainder,
  FILES.margins,
  FILES.leftOut,
  FILES.parquet,
  FILES.privacy,
  FILES.certificate,
];

/** What the reader of the files knows besides them. */
export type SubjectOptions = {
  release: ReleaseReference;
  /** What the certificate should be about; null: what privacy.json says. */
  parameters: PrivacyParameters | null;
  /** What privacy.json should hold; null: anything of its schema. */
  privacy: PrivacyFile | null;
  /** Locations of each mode; null when the dictionaries are not at hand. */
  locations: ReadonlyMap<string, ReadonlySet<string>> | null;
  drawn: AuditSubject['drawn'];
  publicTexts: string[];
  /** What an attacker knows besides the files; nothing when it is left out. */
  knowledge?: PublicKnowledge;
  /** Our own writer, to compare the Parquet bytes with what it makes of the rows; null: they are not compared. */
  rewrite: ((rows: ParquetRows) => Promise<Buffer>) | null;
};

/**
 * Reads files back into what the checks look at. A table or Parquet file that is not as Opaline writes it is named in
 * `unreadable` and counts as empty. Throws when privacy.json or certificate.json is missing or not of its schema:
 * without them there is nothing to check against.
 */
export async function readAuditSubject(files: ReleaseFiles, options: SubjectOptions): Promise<AuditSubject> {
  const unreadable: AuditSubject['unreadable'] = [];
  const privacy = privacyFileSchema.parse(parseJson(files, FILES.privacy));
  const certificate = certificateShape.parse(parseJson(files, FILES.certificate));
  if (options.privacy && canonicalJson(withoutWords(privacy)) !== canonicalJson(withoutWords(options.privacy)))
    unreadable.push({ file: FILES.privacy, reason: 'it does not say what the series says' });
  const parquet = await readParquetFile(files, options, unreadable);
  return {
    release: releasePath(options.release),
    parameters: options.parameters ?? privacy.parameters,
    certificate,
    domains: publicDomains(privacy, options.locations),
    unknownPlaces: unknownPlaces(privacy),
    cells: parquet.rows.cells,
    hours: parquet.rows.hours,
    remainder: parquet.rows.remainder,
    drawn: options.drawn,
    tables: readTables(files, parquet.rows, unreadable),
    parquet: parquet.facts,
    texts: jsonTexts(files),
    publicTexts: options.publicTexts,
    knowledge: options.knowledge ?? NO_KNOWLEDGE,
    holes: privacy.holes,
    unreadable,
  };
}

/** The reading guide is left out: another build may word it in another way. */
const withoutWords = ({ reading: _, ...parameters }: PrivacyFile): Omit<PrivacyFile, 'reading'> => parameters;

const parseJson = (files: ReleaseFiles, name: string): unknown => JSON.parse(fileOf(files, name).toString('utf8'));

const NO_PARQUET: { rows: ParquetRows; facts: ParquetFacts } = {
  rows: { cells: NO_ROWS, hours: NO_ROWS, remainder: NO_ROWS },
  facts: { rows: 0, createdBy: '', keyValues: 0, columns: [], rewritten: null },
};

async function readParquetFile(
  files: ReleaseFiles,
  { rewrite }: SubjectOptions,
  unreadable: AuditSubject['unreadable'],
): Promise<typeof NO_PARQUET> {
  const bytes = fileOf(files, FILES.parquet);
  try {
    const rows = await readParquet(bytes);
    const facts = parquetFacts(bytes);
    return { rows, facts: { ...facts, rewritten: rewrite ? isRewritten(await rewrite(rows), bytes, facts) : null } };
  } catch {
    unreadable.push({ file: FILES.parquet, reason: 'it is no Parquet file with the declared columns' });
    return NO_PARQUET;
  }
}

/** Does our writer make these bytes of the rows? Null when another version of it made them: then nobody can tell. */
const isRewritten = (again: Buffer, bytes: Buffer, { createdBy }: Pick<ParquetFacts, 'createdBy'>): boolean | null =>
  parquetFacts(again).createdBy === createdBy ? again.equals(bytes) : null;

/** The CSV tables; one that is that of the rows of the Parquet file is those rows, and needs no memory of its own. */
function readTables(
  files: ReleaseFiles,
  { cells, hours, remainder }: ParquetRows,
  unreadable: AuditSubject['unreadable'],
): AuditedTables {
  const read = (file: string, shape: CsvShape, expected?: CountTable): CountTable | null => {
    const bytes = files.get(file);
    if (!bytes) return null;
    try {
      if (expected && isCsvOf(shape, expected, bytes)) return expected;
      return parseCsv(shape, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch (error) {
      unreadable.push({ file, reason: error instanceof SyntaxError ? error.message : 'it is no UTF-8 text' });
      return NO_ROWS;
    }
  };
  return {
    timeLocation: read(FILES.table('time-location'), 'time-location', cells),
    time: read(FILES.table('time'), 'time'),
    location: read(FILES.table('location'), 'location'),
    hours: read(FILES.hours, 'hours', hours),
    remainder: read(FILES.remainder, 'time-location', remainder),
    margins: read(FILES.margins, 'time-location'),
    leftOut: read(FILES.leftOut, 'left-out'),
  };
}

/** Keys and leaves of the JSON files that describe the data. */
const jsonTexts = (files: ReleaseFiles): FileTexts[] =>
  [FILES.privacy, FILES.certificate].map((file) => ({ file, texts: leaves(parseJson(files, file)) }));

function leaves(value: unknown): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => [key, ...leaves(member)]);
  return [String(value)];
}
