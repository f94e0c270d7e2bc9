import { basename, resolve } from 'node:path';
import { type AuditPageSubject, publicationSubject } from '../../activities/audit-page/subject.ts';
import { loadSolver } from '../../activities/linear-solver.ts';
import { Publication } from '../../activities/publication/publication.ts';
import type { AuditCheck, AuditReport, FindingVerdict } from '../../contracts/audit.ts';
import { auditForeign } from '../../core/audit/foreign/audit.ts';
import type { ColumnRole } from '../../core/audit/foreign/columns.ts';
import { type Declarations, declarationOf } from '../../core/audit/foreign/declaration.ts';
import { type ForeignPublication, foreignSubject } from '../../core/audit/foreign/subject.ts';
import type { ForeignTable } from '../../core/audit/foreign/table.ts';
import { auditRelease, foldVerdicts } from '../../core/audit/verdict.ts';
import { certificateOf } from '../../kinds/taps/certificate.ts';
import { parseTimetable } from '../../kinds/taps/public/audit-subject/timetable.ts';
import { tapsSeries } from '../../kinds/taps/series.ts';
import { subjectOf } from '../../kinds/taps/verification.ts';
import { type LoadedSeries, loadSeriesFile } from '../series/series-file.ts';
import { readFolder } from '../verify/folder-files.ts';
import { readAuditInputs } from './inputs.ts';

export type AuditRequest = {
  /** CSV files and folders. */
  paths: readonly string[];
  /** A series file: public parameters and public knowledge. */
  series: string | null;
  declarations: Declarations;
  columns: readonly ColumnRole[] | null;
};

/** What was found, and what a page about it needs besides. */
export type AuditedPublication = { report: AuditReport; subject: AuditPageSubject };

/**
 * Attacks a publication, ours or not, with what everybody can have: its files, what is declared, and public knowledge.
 * The folder of an Opaline publication gets the attacks of its own release audit too. Throws OBJECT_UNREADABLE and
 * OBJECT_SCHEMA for files that hold no counts, SERIES_INVALID for the series file.
 */
export async function auditPublication(request: AuditRequest): Promise<AuditedPublication> {
  const series = request.series === null ? null : await loadSeriesFile(request.series);
  const certificate = series && certificateOf(tapsSeries(series.series));
  const { tables, publications, leftOut } = await readAuditInputs(request.paths, {
    columns: request.columns,
    declared: (kind) => ({ ...declarationOf(request.declarations, kind), certificate }),
  });
  const knowledge = { ...knowledgeOf(series), solve: await loadSolver() };
  const name = nameOf(request.paths, publications, tables);
  const subject = foreignSubject({ name, tables, leftOut, ...knowledge });
  const foreign = auditForeign(subject);
  const own: AuditCheck[] = [];
  for (const folder of publications) own.push(...(await auditFolder(folder, knowledge)));
  const checks = worstOfEach([...own, ...foreign.checks]);
  return {
    report: { ...foreign, verdict: foldVerdicts(checks), checks },
    subject: publicationSubject(name, subject),
  };
}

/** What one path is called; of several, the publications and tables that were found, the first ones by name. */
function nameOf(paths: readonly string[], publications: readonly string[], tables: readonly ForeignTable[]): string {
  if (paths.length === 1) return basename(resolve(paths[0]!));
  const files = tables.filter(({ source }) => source === null).map(({ name }) => name);
  const names = [...publications.map((path) => basename(resolve(path))), ...files];
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}

type Knowledge = Pick<ForeignPublication, 'services' | 'timetable' | 'solve'>;

function knowledgeOf(series: LoadedSeries | null): Omit<Knowledge, 'solve'> {
  const declared = series && tapsSeries(series.series).audit;
  const timetable = series?.dictionaries.find(({ digest }) => digest === declared?.timetable);
  return {
    services: declared?.equalTruth ?? [],
    timetable: timetable ? parseTimetable(timetable.bytes) : [],
  };
}

/** The checks of the release audit, on the files of the folder alone. */
async function auditFolder(folder: string, knowledge: Knowledge): Promise<AuditCheck[]> {
  try {
    const subject = await subjectOf(new Publication(await readFolder(folder)));
    return auditRelease({ ...subject, knowledge: { ...subject.knowledge, ...knowledge } }).checks;
  } catch {
    return [
      {
        id: 'publication',
        attack: 'Read the folder as a publication of Opaline.',
        verdict: 'fail',
        statistic: null,
        bound: null,
        interval: null,
        pValue: null,
        sentence: `${basename(resolve(folder))} has a manifest, but a file of the publication is missing or not of its form.`,
      },
    ];
  }
}

const SEVERITY: Readonly<Record<FindingVerdict, number>> = { 'not-tried': 0, pass: 1, attention: 2, fail: 3 };

/** One check of each id: the worst, and of equal ones the first that has a number to show. */
function worstOfEach(checks: readonly AuditCheck[]): AuditCheck[] {
  const worst = new Map<string, AuditCheck>();
  for (const check of checks) {
    const before = worst.get(check.id);
    const worse = before && SEVERITY[check.verdict] - SEVERITY[before.verdict];
    const says = before?.statistic === null && check.statistic !== null;
    if (worse === undefined || worse > 0 || (worse === 0 && says)) worst.set(check.id, check);
  }
  return [...worst.values()];
}
