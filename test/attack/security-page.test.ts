import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MUTANTS } from '../mutants/mutants.ts';
import { pathOfTest } from '../mutants/planting.ts';
import { readProjectFile, typescriptFiles } from '../tidy/source-files.ts';

/** Which tests, residuals and planted bugs docs/security.md names. */
type SecurityPage = {
  /** Every cell of the tables of credentials, with its words. */
  cells: string[];
  /** Rows of the table of tests, by name. */
  tests: Map<string, { files: string[]; bugs: string[] }>;
  residuals: Set<string>;
};

const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[ |:-]*$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

function readPage(text: string): SecurityPage {
  const [before, after = ''] = text.split('\n## Tests\n');
  const [table, residuals = ''] = after.split('\n## Residuals\n');
  // A first row names the columns, and a first column the assets.
  const cells = before!.split('\n## ').flatMap((section) =>
    rowsOf(section)
      .slice(1)
      .flatMap((row) => row.slice(1)),
  );
  const tests = rowsOf(table!).filter(([name]) => /^T\d+$/.test(name!));
  return {
    cells,
    tests: new Map(
      tests.map(([name, , files, , bugs]) => [
        name!,
        { files: [...files!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!), bugs: (bugs ?? '').split(', ') },
      ]),
    ),
    residuals: new Set([...residuals.matchAll(/^- \*\*(R\d+)\.\*\*/gm)].map((match) => match[1]!)),
  };
}

const NAMES = /\b[TR]\d+\b/g;
/** A cell that needs no test: the credential does not reach it, it may be read, or it is a stop and nothing else. */
const NEEDS_NONE = /^(–|public|S|as the release store)$/;

/** What a page says and does not keep, in sentences. */
function mistakesOf(text: string): string[] {
  const { cells, tests, residuals } = readPage(text);
  const named = cells.flatMap((cell) => cell.match(NAMES) ?? []);
  const files = typescriptFiles();
  const killers = new Map(MUTANTS.map(({ id, killer }) => [id, pathOfTest(killer.file, files)]));
  return [
    ...cells
      .filter((cell) => !NEEDS_NONE.test(cell) && !cell.match(NAMES))
      .map((cell) => `neither test nor residual: ${cell}`),
    ...named.filter((name) => !tests.has(name) && !residuals.has(name)).map((name) => `there is no ${name}`),
    ...[...tests.keys(), ...residuals].filter((name) => !named.includes(name)).map((name) => `no cell has ${name}`),
    ...[...tests].flatMap(([name, { files, bugs }]) => [
      ...(files.length === 0 ? [`${name} names no test`] : []),
      ...files
        .filter((file) => !existsSync(file) || !/\btest\(|\bit\(|test\.each|it\.each/.test(readProjectFile(file)))
        .map((file) => `${name}: no tests in ${file}`),
      ...bugs.filter((bug) => !killers.has(bug)).map((bug) => `${name}: no planted bug ${bug}`),
      ...(bugs.some((bug) => files.includes(killers.get(bug) ?? '')) ? [] : [`${name}: its tests kill no planted bug`]),
    ]),
  ];
}

describe('the page of who can do what with which credential', () => {
  const page = readProjectFile('docs/security.md');

  test('every cell is a test that there is, or a residual; every defence has a planted bug that its tests kill', () => {
    expect(mistakesOf(page)).toEqual([]);
    expect(readPage(page).cells.length).toBeGreaterThan(100);
  });

  test.each([
    ['a cell that says nothing', '| T1, T19 |', '| |', 'neither test nor residual: '],
    ['a test that is not there', '| T1, T19 |', '| T1, T99 |', 'there is no T99'],
    ['a residual that is not there', 'R1, R11 |', 'R77 |', 'there is no R77'],
    ['a file that is not there', 'test/attack/rounds.test.ts', 'test/attack/none.test.ts', 'T4: no tests in'],
    ['a bug that nobody plants', 'rounds-mixed,', 'rounds-mixed-up,', 'T4: no planted bug rounds-mixed-up'],
    ['a residual that no cell has', '## Residuals\n', '## Residuals\n\n- **R50.** Spare.\n', 'no cell has R50'],
    [
      'a defence without a bug of its own',
      'one-retracts-alone |',
      'rounds-mixed |',
      'T16: its tests kill no planted bug',
    ],
  ])('broken twin: %s', (_, from, to, mistake) => {
    expect(page).toContain(from);
    expect(mistakesOf(page.replace(from, to)).join('\n')).toContain(mistake);
  });
});
