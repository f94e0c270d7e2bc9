import { certificateShape } from '../../../../contracts/certificate.ts';
import { FILES, type ReleaseReference, releasePath } from '../../../../contracts/names.ts';
import { canonicalJson } from '../../../../core/json/canonical.ts';
import {
  type AuditSubject,
  type FileTexts,
  NO_KNOWLEDGE,
  type PublicKnowledge,
} from '../../../../counts/audit/subject.ts';
import { fileOf, type ReleaseFiles } from '../../../../services/publication/staged-files.ts';
import { csvDates, listUnknown, type PrivacyFile, privacyFileSchema, publicDomains } from '../privacy-file.ts';
import { totalsTable } from '../tables.ts';
import { readTableFiles, type TableWriter } from './table-files.ts';

/** What the reader of the files knows besides them. */
export type SubjectOptions = {
  release: ReleaseReference;
  /** What privacy.json should hold, and the certificate be about; null: anything of its schema. */
  privacy: PrivacyFile | null;
  /** Locations of each mode; null when the dictionaries are not at hand. */
  locations: ReadonlyMap<string, ReadonlySet<string>> | null;
  drawn: AuditSubject['drawn'];
  publicTexts: string[];
  /** What an attacker knows besides the files; nothing when it is left out. */
  knowledge?: PublicKnowledge;
  /** Our own writer, to compare the Parquet bytes with what it makes of the rows; null: they are not compared. */
  rewrite: TableWriter | null;
};

/**
 * Reads files back into what the checks look at. A table that is not as Opaline writes it is named in
 * `unreadable` and counts as empty. Throws when privacy.json or certificate.json is missing or not of its schema:
 * without them there is nothing to check against.
 */
export async function readAuditSubject(files: ReleaseFiles, options: SubjectOptions): Promise<AuditSubject> {
  const unreadable: AuditSubject['unreadable'] = [];
  const privacy = privacyFileSchema.parse(parseJson(files, FILES.privacy));
  const certificate = certificateShape.parse(parseJson(files, FILES.certificate));
  if (options.privacy && canonicalJson(withoutWords(privacy)) !== canonicalJson(withoutWords(options.privacy)))
    unreadable.push({ file: FILES.privacy, reason: 'it does not say what the series says' });
  const tables = await readTableFiles(files, {
    dates: csvDates(privacy),
    binMinutes: privacy.domain.binMinutes,
    totals: totalsTable(certificate),
    rewrite: options.rewrite,
    unreadable,
  });
  return {
    release: releasePath(options.release),
    parameters: (options.privacy ?? privacy).parameters,
    certificate,
    domains: publicDomains(privacy, options.locations),
    unknownPlaces: listUnknown(privacy),
    ...tables,
    drawn: options.drawn,
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

/** Keys and leaves of the JSON files that describe the data. */
const jsonTexts = (files: ReleaseFiles): FileTexts[] =>
  [FILES.privacy, FILES.certificate].map((file) => ({ file, texts: leaves(parseJson(files, file)) }));

function leaves(value: unknown): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => [key, ...leaves(member)]);
  return [String(value)];
}
