import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { createPublicActivities } from '../../activities/public/public-activities.ts';
import { leafCommands, opaline } from '../../cli/program.ts';
import { commandName } from '../../cli/settled-command.ts';
import { ERRORS, EXIT } from '../../contracts/errors.ts';
import { RELEASE_STATE_TABLE } from '../../contracts/release-state.ts';
import { occupancyFileSchema } from '../../kinds/occupancy/series.ts';
import { syntheticFileSchema } from '../../kinds/synthetic/series.ts';
import { tapsFileSchema } from '../../kinds/taps/series.ts';
import { isTest, productionFiles, projectFiles, ROOT, readProjectFile, typescriptFiles } from './source-files.ts';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...projectFiles().filter((file) => /^docs\/.*\.md$/.test(file)),
].filter((file) => existsSync(posix.join(ROOT, file)));
const exists = (file: string): boolean => existsSync(posix.join(ROOT, file));

/** Targets of the links and pictures of a document that are files of the project, relative to its root. */
function linksOf(file: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1]!)
    .filter((target) => !/^([a-z]+:|#)/.test(target))
    .map((target) => posix.join(posix.dirname(file), target.replace(/#.*$/, '')));
}

/** Files of the project that a document names in backticks. */
const namedFiles = (text: string): string[] =>
  [
    ...text.matchAll(
      /`((?:activities|bench|client|cli|contracts|core|counts|custodian|examples|foreign-audit|infra|kinds|services|stack|test|worker|workflows)\/[\w./-]+\.\w+)`/g,
    ),
  ].map((match) => match[1]!);

const INDEX = 'docs/adr/README.md';
const decisions = documents.filter((file) => file.startsWith('docs/adr/') && file !== INDEX);

/** Numbers of the decisions that text names, without or with the rest of the name. */
const decisionsNamedIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:docs\/adr\/|ADR )(\d{4})\b/g)].map((match) => match[1]!);

/** Decisions that the index does not have just once, by title, with the later decisions that their status names. */
function indexProblems(index: string, pages: readonly (readonly [name: string, text: string])[]): string[] {
  const lines = index.split('\n').filter((line) => line.startsWith('- '));
  const isWell = ([name, text]: readonly [string, string]): boolean => {
    const [, number, title] = /^# (\d{4}) (.+)$/m.exec(text) ?? [];
    const status = /^Status: .*$/m.exec(text)?.[0];
    const [line, ...others] = lines.filter((one) => one.startsWith(`- [${number}](${name}) `));
    if (line === undefined || others.length > 0 || status === undefined) return false;
    const start = `- [${number}](${name}) ${title}`;
    const later = [...status.matchAll(/\]\((.+?)\)/g)].map((match) => match[1]!);
    return (line === start || line.startsWith(`${start}; `)) && later.every((one) => line.includes(`(${one})`));
  };
  return pages.filter((page) => !isWell(page)).map(([name]) => name);
}

describe('documents', () => {
  test.each(documents)('%s links to files that exist', (file) => {
    expect(linksOf(file, readProjectFile(file)).filter((target) => !exists(target))).toEqual([]);
  });

  test.each(documents)('%s names files that exist', (file) => {
    expect(namedFiles(readProjectFile(file)).filter((name) => !exists(name))).toEqual([]);
  });

  test('a broken link and a file that is gone are caught', () => {
    expect(linksOf('docs/a.md', 'see [b](adr/none.md#part) and [web](https://example.org)')).toEqual([
      'docs/adr/none.md',
    ]);
    expect(namedFiles('see `core/none.ts`')).toEqual(['core/none.ts']);
  });

  test('every decision has a number of its own, and code names only decisions that exist', () => {
    const numbers = decisions.map((file) => file.slice('docs/adr/'.length, 'docs/adr/'.length + 4));
    expect(numbers).toEqual([...new Set(numbers)].sort());
    const unknown = (text: string) => decisionsNamedIn(text).filter((number) => !numbers.includes(number));
    expect(typescriptFiles().filter((file) => unknown(readProjectFile(file)).length > 0)).toEqual([]);
    expect(unknown(`see docs/adr/${'9999'} and ADR ${'9998'}`)).toEqual(['9999', '9998']);
  });

  test('docs/adr/README.md has every decision once, by its title, with what changed it later', () => {
    const pages = decisions.map((file): [string, string] => [posix.basename(file), readProjectFile(file)]);
    expect(indexProblems(readProjectFile(INDEX), pages)).toEqual([]);
  });

  test('a decision that the index lacks, has twice, calls by another name or does not mark is caught', () => {
    const page = (title: string, status = 'accepted') => `# 0001 ${title}\n\nStatus: ${status}. Date: 2026-11-21.\n`;
    const line = '- [0001](0001-a.md) Title\n';
    expect(indexProblems(line, [['0001-a.md', page('Title')]])).toEqual([]);
    expect(indexProblems('', [['0001-a.md', page('Title')]])).toEqual(['0001-a.md']);
    expect(indexProblems(line + line, [['0001-a.md', page('Title')]])).toEqual(['0001-a.md']);
    expect(indexProblems(line, [['0001-a.md', page('Another')]])).toEqual(['0001-a.md']);
    const changed = page('Title', 'accepted; changed by [0002](0002-b.md)');
    expect(indexProblems(line, [['0001-a.md', changed]])).toEqual(['0001-a.md']);
    expect(indexProblems(line, [['0001-a.md', '# 0001 Title\n\nNo status.\n']])).toEqual(['0001-a.md']);
  });
});

test('docs/performance.md has the cost of every check of a release and of no other', () => {
  const text = readProjectFile('docs/performance.md');
  const section = text.slice(text.indexOf('## What a check costs'), text.indexOf('## A backfill'));
  const told = [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map((match) => match[1]);
  const registries = ['counts/audit/checks/release-checks.ts', 'counts/audit/audit-release.ts']
    .map(readProjectFile)
    .join();
  const checks = [...registries.matchAll(/^import \{ check\w+ \} from '(?:\.|\.\/checks)\/([\w-]+)\.ts';$/gm)];
  expect(checks.length).toBeGreaterThan(20);
  expect(told.sort()).toEqual(checks.map((match) => match[1]).sort());
});

/** Commands of this project that a document shows, in code blocks and in backticks: `opaline retry`, `npm run check`. */
function commandsOf(text: string): string[] {
  const fences = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].filter((match) => ['', 'sh'].includes(match[1]!));
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)];
  const code = [...fences.map((match) => match[2]!), ...inline.map((match) => match[1]!)];
  return code.flatMap((part) => part.split('\n')).flatMap((line) => /\b(npm|opaline) [a-z].*/.exec(line)?.[0] ?? []);
}

const scripts = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readProjectFile('package.json'))).scripts;
const leaves = leafCommands(await opaline());
const names = leaves.flatMap((leaf) => {
  const words = commandName(leaf).split(' ').slice(1);
  return words.map((_, index) => words.slice(0, index + 1).join(' '));
});

/** What is wrong with a command that a document shows, or null. */
function commandProblem(line: string): string | null {
  const npm = /^npm (?:run )?([a-z-]+)/.exec(line)?.[1];
  if (npm && !['ci', 'install'].includes(npm) && !(npm in scripts)) return `${line}: no such npm script`;
  const words = /^(?:npm run )?opaline (?:-- )?(.*)/.exec(line)?.[1]?.split(/\s+/);
  if (!words || !/^[a-z]/.test(words[0] ?? '')) return null;
  const [command, sub] = words;
  const name = names.includes(`${command} ${sub}`) ? `${command} ${sub}` : command!;
  if (!names.includes(name)) return `${line}: no such command`;
  const options = leaves
    .filter((leaf) => commandName(leaf) === `opaline ${name}`)
    .flatMap((leaf) => ['--help', ...leaf.options.map(({ long }) => long)]);
  const wrong = words.filter((word) => word.startsWith('--') && options.length > 0 && !options.includes(word));
  return wrong.length > 0 ? `${line}: ${name} has no ${wrong.join(', ')}` : null;
}

describe('commands', () => {
  test.each(documents)('%s shows commands and options that exist', (file) => {
    const problems = commandsOf(readProjectFile(file)).map(commandProblem);
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });

  test('commands, options and scripts that are not there are caught', () => {
    const shown = commandsOf(
      '`opaline fly`, `npm run none` and\n```json\n{}\n```\n```sh\nnpm run opaline -- show a --loud\n```\n',
    );
    expect(shown.map(commandProblem)).toEqual([
      'npm run opaline -- show a --loud: show has no --loud',
      'opaline fly: no such command',
      'npm run none: no such npm script',
    ]);
  });
});

/** First cell of every row of the tables of a document, without backticks. */
const firstCells = (text: string): string[] =>
  [...text.matchAll(/^\| ([^|]+) \|/gm)]
    .flatMap((match) => match[1]!.split(', '))
    .map((cell) => cell.replaceAll('`', ''));

describe('what documents list', () => {
  test('docs/architecture.md has the states of contracts/release-state.ts', () => {
    const rows = Object.entries(RELEASE_STATE_TABLE).map(([state, { meaning, final, actions }]) => {
      const asked = actions.map((action) => `\`${action}\``).join(', ') || 'nothing';
      return `| \`${state}\` | ${meaning} | ${final ? 'yes' : 'no'} | ${asked} |`;
    });
    const text = readProjectFile('docs/architecture.md');
    const table = /<!-- release-states -->\n([\s\S]*?)\n<!-- \/release-states -->/
      .exec(text)?.[1]
      ?.split('\n')
      .slice(2);
    expect(table).toEqual(rows);
  });

  test('docs/architecture.md has a row for every folder with code', () => {
    const section = readProjectFile('docs/architecture.md')
      .split('\n## ')
      .find((part) => part.startsWith('Folders\n'));
    const listed = firstCells(section ?? '').filter((cell) => cell.endsWith('/'));
    const folders = typescriptFiles()
      .filter((file) => file.includes('/'))
      .map((file) => `${file.split('/')[0]}/`);
    expect(listed.sort()).toEqual([...new Set(folders)].sort());
  });

  test('docs/privacy.md has a row for every clause', () => {
    const clauses = firstCells(readProjectFile('docs/privacy.md')).flatMap((cell) => /^C\d+a?/.exec(cell)?.[0] ?? []);
    const numbered = Array.from({ length: 20 }, (_, index) => `C${index + 1}`);
    expect(clauses).toEqual([...numbered.slice(0, 11), 'C11a', ...numbered.slice(11)]);
  });

  test('docs/operations.md has the exit codes, and names no error code that is not there', () => {
    const text = readProjectFile('docs/operations.md');
    expect(firstCells(text).filter((cell) => /^\d+$/.test(cell))).toEqual(Object.values(EXIT).map(String));
    const codes = [...text.matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map((match) => match[0]);
    const others = codes.filter((code) => !code.startsWith('OPALINE_') && !(code in ERRORS));
    expect(others).toEqual([]);
  });

  test('docs/dependencies.md names every dependency of package.json and no other, and the pinned versions', () => {
    const text = readProjectFile('docs/dependencies.md');
    const record = z.record(z.string(), z.string());
    const { dependencies, optionalDependencies, devDependencies, overrides } = z
      .object({ dependencies: record, optionalDependencies: record, devDependencies: record, overrides: record })
      .parse(JSON.parse(readProjectFile('package.json')));
    const [atRunTime = '', forDevelopment = ''] = text.split('\n## ').slice(1);
    const packages = (part: string) => firstCells(part).filter((cell) => !['package', '---'].includes(cell));
    expect(packages(atRunTime).sort()).toEqual(Object.keys({ ...dependencies, ...optionalDependencies }).sort());
    expect(packages(forDevelopment).sort()).toEqual(Object.keys(devDependencies).sort());
    const versions = { ...dependencies, ...devDependencies, ...overrides };
    for (const name of ['@duckdb/node-api', '@biomejs/biome', '@swc/core'])
      expect(text).toContain(`| \`${name}\` | ${versions[name]}`);
  });
});

type Schema = { properties?: Record<string, Schema>; additionalProperties?: unknown; items?: Schema; anyOf?: Schema[] };

/** Paths of all fields of a JSON Schema; `[]` stands for an item of a list, MODE for a key that is a mode. */
function fieldsOf(schema: Schema, path = ''): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const field = path === '' ? name : `${path}.${name}`;
    return [field, ...fieldsOf(inner, field)];
  });
  const named =
    typeof schema.additionalProperties === 'object'
      ? fieldsOf(schema.additionalProperties as Schema, `${path}.MODE`)
      : [];
  const items = schema.items ? fieldsOf(schema.items, `${path}[]`) : [];
  return [...own, ...named, ...items, ...(schema.anyOf ?? []).flatMap((one) => fieldsOf(one, path))];
}

test('docs/series.md has every field of the series file and no other', () => {
  const schema = z.toJSONSchema(tapsFileSchema, { io: 'input', target: 'draft-7' }) as Schema;
  // The keys of `columns` are the canonical columns, which are listed in the text.
  const fields = [...new Set(fieldsOf(schema))];
  expect(fields.length).toBeGreaterThan(50);
  const listed = firstCells(readProjectFile('docs/series.md')).filter((cell) => cell !== 'field' && !/^-+$/.test(cell));
  expect([...listed].sort()).toEqual(fields.sort());
});

test.each([
  ['occupancy', occupancyFileSchema],
  ['synthetic', syntheticFileSchema],
])('docs/%s.md has every field that a series of the kind has of its own, and no other', (kind, fileSchema) => {
  const schema = z.toJSONSchema(fileSchema, { io: 'input', target: 'draft-7' }) as Schema;
  const common = new Set(firstCells(readProjectFile('docs/series.md')));
  const all = fieldsOf(schema);
  const own = ['kind', 'source.format', 'source.pattern', 'source.columns', ...OF_A_KIND];
  const fields = new Set(all.filter((field) => own.includes(field) || !common.has(field)));
  const page = readProjectFile(`docs/${kind}.md`);
  const section = page.slice(page.indexOf('The fields besides'), page.indexOf('A release has these files'));
  const listed = firstCells(section).filter((cell) => cell !== 'field' && !/^-+$/.test(cell));
  expect(listed.sort()).toEqual([...fields].map((field) => field.replace('MODE', '*')).sort());
});

/** Fields that series of taps have too, and that mean something else there. */
const OF_A_KIND = ['unit', 'mechanism', 'neighbours', 'epsilon', 'delta', 'rows', 'split', 'chosenOn'].map(
  (name) => `privacy.${name}`,
);

test.each([
  ['code that throws or reports it', productionFiles().filter((file) => file !== 'contracts/errors.ts')],
  ['a test that expects it', projectFiles().filter((file) => isTest(file) && file !== 'test/tidy/docs.test.ts')],
])('every code of an error is named by %s', (_, files) => {
  const text = files.map(readProjectFile).join('\n');
  const unnamed = (codes: string[]) => codes.filter((code) => !text.includes(`'${code}'`));
  expect(unnamed(Object.keys(ERRORS))).toEqual([]);
  expect(unnamed(['NEVER_THROWN'])).toEqual(['NEVER_THROWN']);
});

describe('docs/architecture.md', () => {
  const rows = [...readProjectFile('docs/architecture.md').matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|/gm)];

  test('has every activity at its side', () => {
    const named = (side: string) =>
      rows.flatMap(([, , of, what]) => (of === side ? [...what!.matchAll(/`(\w+)`/g)].map((match) => match[1]) : []));
    const context = {} as never;
    expect(named('private').sort()).toEqual(Object.keys(createPrivateActivities(context)).sort());
    expect(named('public').sort()).toEqual(Object.keys(createPublicActivities(context)).sort());
  });

  test('has every kind of key of a store', () => {
    const code = readProjectFile('contracts/names.ts');
    const missing = (store: string, text: string) =>
      [...new Set([...text.matchAll(/[`']([a-z-]+)\//g)].map((match) => match[1]!))].filter(
        (prefix) => !rows.some(([, of, what]) => of!.includes(store) && what!.includes(`\`${prefix}/`)),
      );
    const part = (name: string) => code.slice(code.indexOf(`export const ${name}_KEYS`)).split('as const')[0]!;
    expect(missing('private', part('PRIVATE'))).toEqual([]);
    expect(missing('release', part('RELEASE'))).toEqual([]);
    expect(missing('private', '`nowhere/')).toEqual(['nowhere']);
  });
});
