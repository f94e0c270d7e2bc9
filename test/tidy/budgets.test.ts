import { describe, expect, test } from 'vitest';
import { leafCommands, opaline } from '../../cli/program.ts';
import budgets from './budgets.json' with { type: 'json' };
import { isTest, projectFiles, readProjectFile } from './source-files.ts';

/** Everything that runs outside tests. */
const counted = projectFiles().filter(
  (file) => /\.(?:ts|mjs)$/.test(file) && !isTest(file) && !/\.(?:soak|fixture|child)\./.test(file),
);

/** Lines that are neither blank, nor comment, nor of an import. */
function codeLines(text: string): number {
  let inside: 'code' | 'comment' | 'import' = 'code';
  let count = 0;
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (inside === 'comment' || (inside === 'code' && line.startsWith('/*')))
      inside = line.includes('*/') ? 'code' : 'comment';
    else if (inside === 'import' || line.startsWith('import '))
      inside = / from |^import ['"]|^from|\} from/.test(line) ? 'code' : 'import';
    else if (line !== '' && !line.startsWith('//')) count += 1;
  }
  return count;
}

const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : '.');

/** Rooms that have more lines than their budget, and rooms without one. */
function overBudget(files: ReadonlyMap<string, string>, allowed: Readonly<Record<string, number>>): string[] {
  const rooms = Map.groupBy(files, ([file]) => roomOf(file));
  const sums = [...rooms].map(
    ([room, own]) => [room, own.reduce((sum, [, text]) => sum + codeLines(text), 0)] as const,
  );
  return sums
    .filter(([room, lines]) => !(lines <= allowed[room]!))
    .map(([room, lines]) => `${room}: ${lines} of ${allowed[room] ?? 'no budget'}`);
}

describe('budgets of code lines', () => {
  test('no room has more than its budget, which is raised in a commit of its own that says why', () => {
    expect(overBudget(new Map(counted.map((file) => [file, readProjectFile(file)])), budgets)).toEqual([]);
  });

  test('blank lines, comments and imports are not counted, and nothing else is left out', () => {
    const text = "import a from 'a';\nimport {\n  b,\n} from 'b';\n\n/** c\n * d */\n// e\nconst f = 1;\n/* g */\nf;\n";
    expect(codeLines(text)).toBe(2);
    expect(overBudget(new Map([['core/a.ts', text]]), { core: 1 })).toEqual(['core: 2 of 1']);
    expect(overBudget(new Map([['new/a.ts', text]]), {})).toEqual(['new: 2 of no budget']);
  });

  test('no literal is spread into another one, so that several members are one line', () => {
    const spread = /^ *\.\.\.(?:\{ .*\}|\[.*\]),?$/m;
    expect(counted.filter((file) => spread.test(readProjectFile(file)))).toEqual([]);
    expect(['  ...{ a, b },', "  ...['a', 'b'],\n"].map((text) => spread.test(text))).toEqual([true, true]);
    expect(['  ...[a, b].map(c),', '  ...(a && { b }),'].map((text) => spread.test(text))).toEqual([false, false]);
  });
});

/** More than anybody finds again in a help. A new command takes the place of one, or is an action of one. */
const MOST_COMMANDS = 60;

test('the command line has no more commands than people can find again', async () => {
  expect(leafCommands(await opaline()).length).toBeLessThanOrEqual(MOST_COMMANDS);
});
