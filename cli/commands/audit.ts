import { Command } from 'commander';
import { auditPublication } from '../../client/audit/audit-publication.ts';
import type { AuditReport, FindingVerdict, Verdict } from '../../contracts/audit.ts';
import { EXIT, OpalineError } from '../../contracts/errors.ts';
import { COLUMN_ROLES, type ColumnRole, columnsOfText } from '../../foreign-audit/columns.ts';
import { type Declarations, parseDeclarations } from '../../foreign-audit/declaration.ts';
import { auditPage } from '../../services/audit-page/audit-page.ts';
import { refuseOldFile, writeNewFile } from '../../services/files/new-file.ts';
import { define } from '../command.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & { series?: string; declare?: string; columns?: string; html?: string };

/** A release that people still have to look at waits; one that failed is refused. */
const EXITS: Readonly<Record<Verdict, number>> = { pass: EXIT.done, attention: EXIT.waiting, fail: EXIT.refused };
const MARKS: Readonly<Record<FindingVerdict, string>> = {
  pass: '✓ held',
  attention: '! look',
  fail: '✗ broken',
  'not-tried': '– not tried',
};
const VERDICTS: Readonly<Record<Verdict, string>> = {
  pass: 'PASS: nothing that was tried breaks what is declared.',
  attention: 'ATTENTION: somebody has to answer for each point marked with !.',
  fail: 'FAIL: this is not fit to be published, for each reason marked with ✗.',
};

export function auditCommand(): Command {
  const command = new Command('audit')
    .description('attack a publication, of Opaline or of anybody, with what everybody can know; ends with 0, 3 or 4')
    .argument('<inputs...>', 'CSV files of counts, and folders of such files or of a publication')
    .option('--series <file>', 'series file: public parameters, services with equal counts, timetable')
    .option(
      '--declare <list>',
      'what is said of the noise, for all tables or one kind: scale=1,threshold=18,location.scale=2,delta=1e-6,noise=rounded-laplace',
    )
    .option('--columns <list>', `columns in the order of the files, each one of ${COLUMN_ROLES.join(' ')}`)
    .option('--html <file>', 'also write a page for people to this new file; it loads nothing and runs nothing');
  const example = 'opaline audit location.csv time-location.csv --declare scale=1,threshold=18';
  return define(command, example, async (paths, options: Options) => {
    if (options.html !== undefined) refuseOldFile(options.html);
    const { report, subject } = await auditPublication({
      paths,
      series: options.series ?? null,
      declarations: readDeclarations(options.declare),
      columns: readColumns(options.columns),
    });
    if (options.html !== undefined) await writeNewFile(options.html, await auditPage(report, subject), 0o644);
    process.exitCode = EXITS[report.verdict];
    print(options, report, reportText(report));
  });
}

function readDeclarations(text: string | undefined): Declarations {
  const read = text === undefined ? new Map() : parseDeclarations(text);
  if (typeof read !== 'string') return read;
  throw new OpalineError(
    'USAGE',
    `--declare takes scale=, threshold=, delta= and noise= (rounded-laplace or discrete-laplace), with commas between, not ${read}.`,
  );
}

function readColumns(text: string | undefined): ColumnRole[] | null {
  const columns = text === undefined ? null : columnsOfText(text);
  if (text === undefined || columns) return columns;
  throw new OpalineError(
    'USAGE',
    `--columns takes count, date or datetime, and loc or a time, each once, out of ${COLUMN_ROLES.join(',')}, not ${text}.`,
  );
}

function reportText({ verdict, checks }: AuditReport): string {
  const lines = checks.map((check) => `${MARKS[check.verdict]}  ${check.id}: ${check.sentence}`);
  return [VERDICTS[verdict], '', ...lines].join('\n');
}
