import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { requireApplied } from '../../client/series/applied-series.ts';
import { wrongUse } from '../../contracts/errors.ts';
import { PRIVATE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { recordLook } from '../../custodian/preview/preview.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { riskAdvice } from '../../custodian/risk/advice.ts';
import { advicePage } from '../../custodian/risk/advice-page.ts';
import { reportReleases } from '../../custodian/risk/release-reports.ts';
import { riskPage } from '../../custodian/risk/report-page.ts';
import { riskReport } from '../../custodian/risk/risk-report.ts';
import { type RiskSubject, withSubject } from '../../custodian/risk/risk-subject.ts';
import { compareSafety, safetyReport } from '../../custodian/risk/safety.ts';
import type { CommandResult } from '../../kinds/kind-command.ts';
import { refuseOldFile, writeNewFile } from '../../services/files/new-file.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { command, readRelease } from '../command.ts';
import { custodianSide } from '../private-deployment.ts';
import { readCellColumns, readGoal, readNoise } from '../risk-goal.ts';
import { readChoices, readNames, readSubject } from '../risk-options.ts';
import { adviceText, riskText, safetyText } from '../risk-text.ts';

/** Nobody but the custodian who made it reads the page. */
const OWNER_ONLY = 0o600;
/** Bytes of the key under which rows are named. */
const KEY_BYTES = 32;

export const riskCommand = (): Command =>
  new Command('risk')
    .description('say how identifying raw data is, in bits; for custodians, on the custodian side only')
    .addCommand(reportCommand(), { isDefault: true })
    .addCommand(adviseCommand());

const SUBJECT = 'a .csv, .csv.gz or .parquet file, or a series that was applied';

const declare = (name: string, does: string) =>
  command(name, does)
    .option('--window <day>', 'for a series: the first day of the window')
    .option('--columns <names>', 'columns to measure, with commas between; all but the id unless named')
    .option('--id <column>', 'column that says whose row it is, for trajectories')
    .option('--order <column>', 'column that orders the rows of one id; a number goes by its value')
    .option('--levels <list>', 'COLUMN=FILE,…: CSV files of a value and its coarser names, the finest first')
    .option('--known <names>', 'columns that the attacker knows; all but one cell unless named')
    .option('--html <file>', 'write the page for people to this new file instead of the private store');

const reportCommand = (): Command =>
  declare('report', 'measure a table: cells, columns, rows, trajectories, and what bins change')
    .argument('[subject]', SUBJECT)
    .option('--bins <list>', 'COLUMN=15,COLUMN=LEVEL,COLUMN=drop: show what these bins change')
    .option('--releases', 'in place of a subject: put a report beside each release that has none')
    .option('--draws <n>', 'of a synthetic release: how far n draws of each partition are from its exact counts')
    .option('--against <release>', 'with --draws: a release to compare it with, of another series or version')
    .example('opaline risk report trips.csv --id card --order on_time --bins on_time=15')
    .run(async ({ subject: name }, options) => {
      if ((name === undefined) !== (options.releases === true))
        throw wrongUse('Name a table or a series, or say --releases.');
      if (name === undefined) return addReports();
      if (options.draws !== undefined) return safety(readRelease(name), options.draws, options.against);
      if (options.html !== undefined) refuseOldFile(options.html);
      const context = await custodianSide();
      const bins = readChoices('--bins', options.bins);
      const question = { known: readNames(options.known), bins, key: randomBytes(KEY_BYTES) };
      const { subject, applied } = await readSubject(context, name, options);
      // Bins that are compared are about to be chosen.
      const look = { window: options.window!, command: 'risk report', shown: null } as const;
      if (applied && options.bins !== undefined) await recordLook(context, applied, look);
      const report = await withSubject(context, subject, (table) => riskReport(table, question));
      const where = await keep(context, subject, report, await riskPage(report, name), options);
      return { value: report, text: `${riskText(report)}\n\n${where}` };
    });

/** Puts a report beside each release that has none, in the private store. */
async function addReports(): Promise<CommandResult> {
  const reports = await reportReleases(await custodianSide(), randomBytes(KEY_BYTES));
  const text = lines(reports.map(({ release, key, problem }) => `${release}: ${problem ?? key}`));
  return { value: reports, text: text || 'Every release has its report.' };
}

const adviseCommand = (): Command =>
  declare('advise', 'try coarser bins for a goal of risk or of use, on a period that is never released')
    .argument('<subject>', SUBJECT)
    .option('--pif <bits>', 'goal: a PIF (RIG95) of at most n bits, with the most use')
    .option('--utility <part>', 'goal: at least this part of the information kept, from 0 to 1, with the least risk')
    .option('--try <list>', 'COLUMN+COLUMN=5|15|60,COLUMN=keep|LEVEL|drop: what to try; a series has its own')
    .option('--cells <list>', 'columns of the cells of a table, or of both ends of a trip: a+b,c+d')
    .option('--epsilon <e>', 'ε of the release, for the part that it would publish; a series has its own')
    .option('--delta <d>', 'δ of the release')
    .example('opaline risk advise trips.csv --try on_time=15|30|60,on_stop=keep|drop --pif 12')
    .run(async ({ subject: name }, options) => {
      if (options.html !== undefined) refuseOldFile(options.html);
      const [goal, cells] = [readGoal(options), readCellColumns(options.cells)];
      const context = await custodianSide();
      const choices = options.try === undefined ? null : readChoices('--try', options.try);
      const { subject, applied, noise: own } = await readSubject(context, name, options);
      const noise = readNoise(own, options, cells);
      const question = { known: readNames(options.known), choices, goal, cells, noise };
      const look = { window: options.window!, command: 'risk advise', shown: null } as const;
      if (applied) await recordLook(context, applied, look);
      const advice = await withSubject(context, subject, (table) => riskAdvice(table, question));
      const where = await keep(context, subject, advice, await advicePage(advice, name), options);
      return { value: advice, text: `${adviceText(advice)}\n\n${where}` };
    });

/** The most draws that are made of each partition. */
const MOST_DRAWS = 1000;

/** Says how far draws of a synthetic release, which are made for this and kept nowhere, are from its exact counts. */
async function safety(release: ReleaseReference, count: string, other: string | undefined): Promise<CommandResult> {
  const second = other === undefined ? null : readRelease(other);
  const draws = readWholeNumber('--draws', count, MOST_DRAWS);
  const context = await custodianSide();
  // What is compared is about to be chosen.
  const look = { window: release.window, command: 'risk report', shown: null } as const;
  if (second !== null) await recordLook(context, await requireApplied(context.releaseStore, release.series), look);
  const own = await safetyReport(context, release, draws);
  const report = second === null ? own : compareSafety(own, await safetyReport(context, second, draws));
  const key = PRIVATE_KEYS.risk(release, context.newId(), 'json');
  await context.privateStore.putIfAbsent(key, jsonBytes(report));
  return { value: report, text: `${safetyText(report)}\n\nKept in the private store: ${key}.` };
}

/** Keeps a result on the custodian side: in the private store, its page in the named file if there is one. Says where. */
async function keep(
  context: PrivateContext,
  subject: RiskSubject,
  result: object,
  page: string,
  { html }: { html?: string },
): Promise<string> {
  const id = context.newId();
  const of = subject.kind === 'series' ? { series: subject.series, window: subject.window } : null;
  const [data, people] = [PRIVATE_KEYS.risk(of, id, 'json'), PRIVATE_KEYS.risk(of, id, 'html')];
  if (html === undefined) await context.privateStore.putIfAbsent(people, Buffer.from(page));
  else await writeNewFile(html, page, OWNER_ONLY);
  await context.privateStore.putIfAbsent(data, jsonBytes(result));
  return `Kept in the private store: ${data}${html === undefined ? ` and ${people}.` : `. The page is in ${html}.`}`;
}
