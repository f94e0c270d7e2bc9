import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { riskPage } from '../../activities/private/risk/page.ts';
import { riskReport } from '../../activities/private/risk/report.ts';
import { withSubject } from '../../activities/private/risk/subject.ts';
import { jsonBytes } from '../../activities/stores/json-objects.ts';
import { PRIVATE_KEYS } from '../../contracts/names.ts';
import { define } from '../command.ts';
import { refuseOldFile, writeNewFile } from '../new-file.ts';
import { custodianSide } from '../private-deployment.ts';
import { readChoices, readNames, readSubject, type SubjectOptions } from '../risk-options.ts';
import { riskText } from '../risk-text.ts';
import { type OutputOptions, print } from '../terminal.ts';

/** Nobody but the custodian who made it reads the page. */
const OWNER_ONLY = 0o600;
/** Bytes of the key under which rows are named. */
const KEY_BYTES = 32;

export function riskCommand(): Command {
  return new Command('risk')
    .description('say how identifying raw data is, in bits; for custodians, on the custodian side only')
    .addCommand(reportCommand(), { isDefault: true });
}

const subjectOptions = (command: Command): Command =>
  command
    .argument('<subject>', 'a .csv, .csv.gz or .parquet file, or a series that was applied')
    .option('--window <day>', 'for a series: the first day of the window')
    .option('--columns <names>', 'columns to measure, with commas between; all but the id unless named')
    .option('--id <column>', 'column that says whose row it is, for trajectories')
    .option('--order <column>', 'column that orders the rows of one id; a number goes by its value')
    .option('--levels <list>', 'COLUMN=FILE,…: CSV files of a value and its coarser names, the finest first')
    .option('--known <names>', 'columns that the attacker knows; all but one cell unless named');

type ReportOptions = OutputOptions & SubjectOptions & { known?: string; bins?: string; html?: string };

function reportCommand(): Command {
  const command = subjectOptions(
    new Command('report').description('measure a table: cells, columns, rows, trajectories, and what bins change'),
  )
    .option('--bins <list>', 'COLUMN=15,COLUMN=LEVEL,COLUMN=drop: show what these bins change')
    .option('--html <file>', 'write the page for people to this new file instead of the private store');
  define(
    command,
    'opaline risk report trips.csv --id card --order on_time --bins on_time=15',
    async ([name], options: ReportOptions) => {
      if (options.html !== undefined) refuseOldFile(options.html);
      const context = await custodianSide();
      const question = {
        known: readNames(options.known),
        bins: readChoices('--bins', options.bins),
        key: randomBytes(KEY_BYTES),
      };
      const subject = await readSubject(context, name!, options);
      const report = await withSubject(context, subject, (opened) => riskReport(opened, question));
      const page = await riskPage(report, name!);
      const id = context.newId();
      await context.privateStore.putIfAbsent(PRIVATE_KEYS.risk(id, 'json'), jsonBytes(report));
      if (options.html === undefined)
        await context.privateStore.putIfAbsent(PRIVATE_KEYS.risk(id, 'html'), Buffer.from(page));
      else await writeNewFile(options.html, page, OWNER_ONLY);
      const where = `Kept in the private store: ${PRIVATE_KEYS.risk(id, 'json')}${options.html === undefined ? ` and ${PRIVATE_KEYS.risk(id, 'html')}` : `; page: ${options.html}`}.`;
      print(options, report, `${riskText(report)}\n\n${where}`);
    },
  );
  return command;
}
