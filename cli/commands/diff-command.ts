import type { Command } from 'commander';
import { diffPublications, type PublicationDifferences } from '../../client/diff-publications.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { command } from '../command.ts';

/** Rows that are printed of a table; --json has all. */
const SHOWN = 20;

export const diffCommand = (): Command =>
  command('diff', 'say which rows of two versions of the same days differ by more than noise explains')
    .argument('<earlier>', 'folder of a publication')
    .argument('<later>', 'folder of a later version of it')
    .example('opaline diff publication/demo-taps/2026-03-02/v1 publication/demo-taps/2026-03-02/v2')
    .run(async ({ earlier, later }) => {
      const diff = await diffPublications(earlier, later);
      return { value: diff, text: differencesText(diff) };
    });

const differencesText = ({ earlier, later, errorRate, tables }: PublicationDifferences): string =>
  lines(
    `${earlier} → ${later}`,
    tables.map(({ table, unit, compared, allowed, changed }) => [
      `${table}: ${compared} compared${allowed === null ? '' : `, differences up to ${allowed} ${unit} are within the noise`}; ${changed.length} changed.`,
      changed.slice(0, SHOWN).map((row) => `  ${row.key}: ${row.earlier ?? 'not there'} → ${row.later ?? 'not there'}`),
      changed.length > SHOWN && `  … and ${changed.length - SHOWN} more`,
    ]),
    `The chance that anything is named that did not change is at most ${100 * errorRate} %.`,
  );
