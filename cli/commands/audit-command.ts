import type { Command } from 'commander';
import { auditPublication } from '../../client/audit/audit-publication.ts';
import type { FindingVerdict, Verdict } from '../../contracts/audit-report.ts';
import { EXIT, wrongUse } from '../../contracts/errors.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { type Declarations, parseDeclarations } from '../../foreign-audit/declaration.ts';
import { COLUMN_ROLES, type ColumnRole, columnsOfText } from '../../foreign-audit/foreign-columns.ts';
import { auditPage } from '../../services/audit-page/audit-page.ts';
import { refuseOldFile, writeNewFile } from '../../services/files/new-file.ts';
import { command } from '../command.ts';

const MARKS: Readonly<Record<FindingVerdict, string>> = {
  pass: '✓ held',
  attention: '! look',
  fail: '✗ broken',
  'not-tried': '– not tried',
};
/** A release that people still have to look at waits; one that failed is refused. */
const VERDICTS: Readonly<Record<Verdict, { exit: number; text: string }>> = {
  pass: { exit: EXIT.done, text: 'PASS: nothing that was tried breaks what is declared.' },
  attention: { exit: EXIT.waiting, text: 'ATTENTION: somebody has to answer for each point marked with !.' },
  fail: { exit: EXIT.refused, text: 'FAIL: this is not fit to be published, for each reason marked with ✗.' },
};

export const auditCommand = (): Command =>
  command('audit', 'attack a publication, of Opaline or of anybody, with what everybody can know; ends with 0, 3 or 4')
    .argument('<inputs...>', 'CSV files of counts, and folders of such files or of a publication')
    .option('--series <file>', 'series file: public parameters, services with equal counts, timetable')
    .option(
      '--declare <list>',
      'declared noise, of all tables or of one kind: scale=1,threshold=18,location.scale=2,delta=1e-6,noise=rounded-laplace',
    )
    .option('--columns <list>', `columns in the order of the files, each one of ${COLUMN_ROLES.join(' ')}`)
    .option('--html <file>', 'also write a page for people to this new file; it loads nothing and runs nothing')
    .example('opaline audit location.csv time-location.csv --declare scale=1,threshold=18')
    .run(async ({ inputs }, { series = null, declare, columns, html }) => {
      if (html !== undefined) refuseOldFile(html);
      const { report, subject } = await auditPublication({
        paths: inputs,
        series,
        declarations: readDeclarations(declare),
        columns: readColumns(columns),
      });
      if (html !== undefined) await writeNewFile(html, await auditPage(report, subject), 0o644);
      const { exit, text } = VERDICTS[report.verdict];
      const checks = report.checks.map(({ id, verdict, sentence }) => `${MARKS[verdict]}  ${id}: ${sentence}`);
      return { value: report, text: lines(text, '', checks), exit };
    });

function readDeclarations(text: string | undefined): Declarations {
  const outcome = text === undefined ? new Map() : parseDeclarations(text);
  if (typeof outcome !== 'string') return outcome;
  throw wrongUse(
    `--declare takes scale=, threshold=, delta= and noise= (rounded-laplace or discrete-laplace), with commas between, not ${outcome}.`,
  );
}

function readColumns(text: string | undefined): ColumnRole[] | null {
  const columns = text === undefined ? null : columnsOfText(text);
  if (text === undefined || columns) return columns;
  throw wrongUse(
    `--columns takes count, date or datetime, and loc or a time, each once, out of ${COLUMN_ROLES.join(',')}, not ${text}.`,
  );
}
