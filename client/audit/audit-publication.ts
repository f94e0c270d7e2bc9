import { basename, resolve } from 'node:path';
import type { AuditCheck, FindingVerdict } from '../../contracts/audit-report.ts';
import { wrongUse } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import type { LinearProgramSolver } from '../../core/linear-program/solver.ts';
import { report } from '../../core/verdict/finding.ts';
import { foldVerdicts } from '../../core/verdict/verdict.ts';
import { auditForeign } from '../../foreign-audit/audit-foreign.ts';
import { type Declarations, declarationOf } from '../../foreign-audit/declaration.ts';
import type { ColumnRole } from '../../foreign-audit/foreign-columns.ts';
import { foreignSubject } from '../../foreign-audit/foreign-subject.ts';
import type { ForeignTable } from '../../foreign-audit/foreign-table.ts';
import type { CommonKnowledge, KindAttacks } from '../../kinds/client-kind.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { publicationSubject } from '../../services/audit-page/page-subject.ts';
import { loadSolver } from '../../services/linear-solver.ts';
import { Publication } from '../../services/publication/publication.ts';
import { loadSeriesFile } from '../series/series-file.ts';
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

/**
 * Attacks a publication, ours or not, with what everybody can have: its files, what is declared, and public knowledge.
 * The folder of an Opaline publication gets the attacks of its own release audit too. Throws OBJECT_UNREADABLE and
 * OBJECT_SCHEMA for files that hold no counts, SERIES_INVALID for the series file.
 */
export async function auditPublication(request: AuditRequest) {
  const { certificate, ...known } = request.series === null ? NOTHING_KNOWN : await readDeclaration(request.series);
  const { tables, publications, leftOut } = await readAuditInputs(request.paths, {
    columns: request.columns,
    declared: (kind) => ({ ...declarationOf(request.declarations, kind), certificate }),
  });
  const knowledge = { ...known, solve: await loadSolver() };
  const name = nameOf(request.paths, publications, tables);
  const subject = foreignSubject({ name, tables, leftOut, ...knowledge });
  const foreign = auditForeign(subject);
  const own = await mapAtOnce(publications, 1, (folder) => auditFolder(folder, knowledge));
  const checks = worstOfEach([...own.flat(), ...foreign.checks]);
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

const NOTHING_KNOWN = { certificate: null, services: [], timetable: [] };

/** What a series file declares. Throws SERIES_INVALID, and USAGE for a kind that nobody knows how to attack. */
async function readDeclaration(path: string): Promise<ReturnType<KindAttacks['declared']>> {
  const { series, dictionaries } = await loadSeriesFile(path);
  const { attacks } = kindOf(CLIENT_KINDS, series);
  if (attacks) return attacks.declared(series, dictionaries);
  throw wrongUse(`No attack is known on a series of ${series.kind}; opaline verify checks its files.`);
}

/** The checks of the release audit, on the files of the folder alone. */
async function auditFolder(
  folder: string,
  knowledge: CommonKnowledge & { solve: LinearProgramSolver },
): Promise<readonly AuditCheck[]> {
  const about = (verdict: FindingVerdict, sentence: string): AuditCheck =>
    report('publication', 'Read the folder as a publication of Opaline.', { verdict, sentence });
  const name = basename(resolve(folder));
  try {
    const publication = new Publication(await readFolder(folder));
    const { attacks } = kindOf(CLIENT_KINDS, publication.manifest);
    if (attacks) return await attacks.checks(publication, knowledge);
    const { kind } = publication.manifest;
    return [about('not-tried', `${name} is of ${kind}, on which no attack is known; opaline verify checks its files.`)];
  } catch {
    return [about('fail', `${name} has a manifest, but a file of the publication is missing or not of its form.`)];
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
