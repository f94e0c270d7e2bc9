import { Command } from 'commander';
import { diffPublications, type PublicationDifferences } from '../../client/diff-publications.ts';
import { define } from '../command.ts';
import { type OutputOptions, print } from '../terminal.ts';

/** Rows that are printed of a table; --json has all. */
const SHOWN = 20;

export function diffCommand(): Command {
  const command = new Command('diff')
    .description('say which rows of two versions of the same days differ by more than noise explains')
    .argument('<earlier>', 'folder of a publication')
    .argument('<later>', 'folder of a later version of it');
  const example =
    'opaline diff .opaline/stores/publication/demo-taps/2026-03-02/v1 .opaline/stores/publication/demo-taps/2026-03-02/v2';
  return define(command, example, async ([earlier, later], options: OutputOptions) => {
    const found = await diffPublications(earlier!, later!);
    print(options, found, differencesText(found));
  });
}

function differencesText({ earlier, later, errorRate, tables }: PublicationDifferences): string {
  const lines = tables.flatMap(({ table, unit, compared, allowed, changed }) => [
    `${table}: ${compared} compared${allowed === null ? '' : `, differences up to ${allowed} ${unit} are within the noise`}; ${changed.length} changed.`,
    ...changed
      .slice(0, SHOWN)
      .map((row) => `  ${row.key}: ${row.earlier ?? 'not there'} → ${row.later ?? 'not there'}`),
    ...(changed.length > SHOWN ? [`  … and ${changed.length - SHOWN} more`] : []),
  ]);
  return [
    `${earlier} → ${later}`,
    ...lines,
    `The chance that anything is named that did not change is at most ${100 * errorRate} %.`,
  ].join('\n');
}
