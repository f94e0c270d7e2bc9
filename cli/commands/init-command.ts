import type { Command } from 'commander';
import { STOP_FIELDS } from '../../client/project/location-list.ts';
import { makeProject, requireFree } from '../../client/project/make-project.ts';
import { PROJECT_FILES } from '../../client/project/project-text.ts';
import { sourceFields } from '../../contracts/series.ts';
import { withoutTimes } from '../../core/source-pattern/pattern.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { command } from '../command.ts';
import { askProject, type InitOptions, LISTS, QUESTIONS } from '../project-questions.ts';
import { terminalAsk } from '../questions.ts';

export function initCommand(): Command {
  const builder = command(
    'init',
    'make a project folder for your data; asks on a terminal what no option says',
  ).argument('<folder>', 'the new folder');
  for (const [flags, does] of [...Object.values(QUESTIONS), ...Object.values(LISTS)]) builder.option(flags, does);
  return builder
    .option('--format <format>', 'how the files are written, where their names do not say', sourceFields.format.options)
    .option('--ragged', 'with --header: lines of a CSV may have fewer fields')
    .usual('--stops-by <field>', 'what the source calls a stop', 'stop_id', STOP_FIELDS)
    .option('--parent-stations', 'of a GTFS feed: publish stops as the stations that they belong to')
    .option('--like <dir>', 'an earlier publication, to propose a design by it in place of --taps-per-week')
    .option('--root-key <file>', 'public root key that somebody keeps elsewhere; otherwise one is made here')
    .example('opaline init my-taps --source ../data --sample 2026-03-02.csv --modes bus --locations stops.zip')
    .run(async ({ folder }, options: InitOptions & { json?: true }) => {
      await requireFree(folder);
      const ask = options.json ? null : terminalAsk();
      const project = await makeProject(folder, await askProject(folder, options, ask));
      return { value: { folder, ...project }, text: summaryText(folder, project) };
    });
}

const summaryText = (
  folder: string,
  { files, pattern, clock, protects, design, shows, conflicts, keys }: Awaited<ReturnType<typeof makeProject>>,
): string =>
  lines(
    `${folder} is made: ${files.filter((file) => !file.startsWith('keys/')).join(', ')}, and a key of each role in keys/.`,
    /[{*]/.test(pattern)
      ? `It reads the files ${pattern}${withoutTimes(pattern) !== pattern ? '' : ', all of them for each window, as they name no day of their rows'}.`
      : `It reads one file, ${pattern}; --pattern, or source.pattern in ${PROJECT_FILES.series}, says which others there will be.`,
    `Times are read as ${clock}; a preview says whether they can be, and which --clock would read them.`,
    `It protects ${protects}; --unit and --epsilon name others.`,
    `The design is ${design}. ${shows === null ? 'Nobody knows how much it will show: name --taps-per-week, or --like.' : `It may show ${shows}.`}`,
    conflicts.length > 0 && [
      'This is a trial, and what it publishes says so; it cannot be published as real:',
      conflicts.map((sentence) => `  ${sentence}`),
      'For a real series, bring --root-key and a key of each approver; none of them is a custodian. See docs/trust.md.',
    ],
    'Next, in that folder:',
    files.includes(PROJECT_FILES.trustDraft) &&
      `  opaline trust sign ${PROJECT_FILES.trust} ${PROJECT_FILES.trustDraft} --key ROOT-KEY    (by whoever has it)`,
    '  opaline up                                       (in a terminal of its own)',
    `  opaline check ${PROJECT_FILES.series}                        (--designs: what others would show)`,
    `  opaline preview ${PROJECT_FILES.series} --window YYYY-MM-DD    (custodians; the first day of a window)`,
    `  opaline run ${PROJECT_FILES.series} --window YYYY-MM-DD`,
    keys.map(({ subject, file }) => `  ${subject} approves with --key ${file}`),
  );
