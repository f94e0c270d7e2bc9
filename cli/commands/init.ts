import { Command, Option } from 'commander';
import { STOP_FIELDS } from '../../client/project/location-list.ts';
import { makeProject, requireFree } from '../../client/project/make-project.ts';
import { PROJECT_FILES } from '../../client/project/project-text.ts';
import { UNIT_NAMES } from '../../contracts/certificate.ts';
import { WEEKDAYS } from '../../contracts/series.ts';
import { define } from '../command.ts';
import { askProject, CLOCK_NAMES, type InitOptions } from '../project-questions.ts';
import { terminalAsk } from '../questions.ts';
import { type OutputOptions, print } from '../terminal.ts';

export function initCommand(): Command {
  const command = new Command('init')
    .description('make a project folder for data of your own; asks on a terminal what no option says')
    .argument('<folder>', 'the new folder')
    .option(
      '--source <place>',
      'where the data is: a folder, or s3://BUCKET/PREFIX of the server that AWS_ENDPOINT_URL and its like name',
    )
    .option('--sample <file>', 'one file of it: the names of its columns are read, and none of its rows')
    .option('--header <names>', 'names of the columns of a CSV without a header row, with commas between')
    .option('--delimiter <character>', 'what stands between the fields of a CSV', ',')
    .option('--encoding <name>', 'of text: utf-8 (usual), or latin-1')
    .option('--pattern <pattern>', 'names of all files, with {date}, {mode} and *; made of the sample unless named')
    .option('--rows <what>', 'what a row is: trips (a tap on and a tap off), or taps')
    .option('--columns <ours=theirs...>', 'which column is what: card=CARD on_time=START')
    .option('--clock <clock>', `how times are written: ${CLOCK_NAMES}, or a format with %`)
    .option('--modes <names>', 'modes, with commas between')
    .option('--time-zone <zone>', 'such as Europe/Zurich')
    .option('--window-days <n>', 'days of one release, or month')
    .addOption(new Option('--first-weekday <day>', 'on which a release begins').choices(WEEKDAYS))
    .option('--locations <[mode=]path...>', 'public list: a CSV of source,location, or a GTFS feed (ZIP or folder)')
    .addOption(new Option('--stops-by <field>', 'what the source calls a stop').choices(STOP_FIELDS).default('stop_id'))
    .option('--parent-stations', 'of a GTFS feed: publish stops as the stations that they belong to')
    .option('--unit <unit>', `what is protected: ${UNIT_NAMES.join(', ')}`)
    .option('--max-taps <n>', 'card units: how many taps of a card are counted')
    .option('--card <form>', 'card units: what a card id is, text (usual) or number')
    .option('--epsilon <e>', 'ε of one release')
    .option('--delta <d>', 'δ of one release')
    .option('--custodian <name...>', 'who may see raw data')
    .option('--approver <name...>', 'who decides at the gate; NAME=FILE for a public key that they have brought')
    .option('--required <n>', 'approvals that a release needs')
    .option('--root-key <file>', 'public root key that somebody keeps elsewhere; otherwise one is made here')
    .option('--name <name>', 'name of the series')
    .option('--population <name>', 'name of the people that the source may hold')
    .option('--organisation <name>', 'who publishes')
    .option('--title <title>', 'title of the publication')
    .option('--licence <licence>', 'licence of the publication');
  const example =
    'opaline init my-taps --source ../data --sample 2026-03-02.csv --columns on_time=start on_location=from off_time=end off_location=to --modes bus --time-zone Europe/Zurich --locations stops.zip --custodian ada --approver ben';
  return define(command, example, async ([folder], options: OutputOptions & InitOptions) => {
    await requireFree(folder!);
    const terminal = options.json ? null : terminalAsk();
    const made = await askProject(folder!, options, terminal?.ask ?? null)
      .then((answers) => makeProject(folder!, answers))
      .finally(() => terminal?.close());
    print(options, { folder, ...made }, madeText(folder!, made));
  });
}

function madeText(
  folder: string,
  { files, pattern, conflicts, keys }: Awaited<ReturnType<typeof makeProject>>,
): string {
  const isDraft = files.includes(PROJECT_FILES.trustDraft);
  return [
    `${folder} is made: ${files.filter((file) => !file.startsWith('keys/')).join(', ')}, and a key of each role in keys/.`,
    /[{*]/.test(pattern)
      ? `It reads the files ${pattern}.`
      : `It reads one file, ${pattern}; --pattern, or source.pattern in ${PROJECT_FILES.series}, says which others there will be.`,
    ...(conflicts.length > 0
      ? ['This is a trial, and what it publishes says so; it cannot be published as real:']
      : []),
    ...conflicts.map((sentence) => `  ${sentence}`),
    ...(conflicts.length > 0
      ? [
          'For a real series, bring --root-key and a key of each approver; none of them is a custodian. See docs/trust.md.',
        ]
      : []),
    'Next, in that folder:',
    ...(isDraft
      ? [
          `  opaline trust sign ${PROJECT_FILES.trust} ${PROJECT_FILES.trustDraft} --key ROOT-KEY    (by whoever has it)`,
        ]
      : []),
    '  opaline up                                       (in a terminal of its own)',
    `  opaline check ${PROJECT_FILES.series}`,
    `  opaline preview ${PROJECT_FILES.series} --window YYYY-MM-DD    (custodians; the first day of a window)`,
    `  opaline run ${PROJECT_FILES.series} --window YYYY-MM-DD`,
    ...keys.map(({ subject, file }) => `  ${subject} approves with --key ${file}`),
  ].join('\n');
}
