import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planted, readTree, type Tree } from './anchor.ts';
import { MUTANTS } from './mutants.ts';
import { pathOfTest, ROOT } from './planting.ts';

const DOMAIN = 'counts/mechanisms/complete-domain.ts';
const found = [...readTree(ROOT)].find(([file]) => file.endsWith(DOMAIN.split('/').at(-1)!))!;
const original = readFileSync(join(ROOT, found[0]), 'utf8');
const bug = MUTANTS.find(({ id }) => id === 'floor-one-off')!;
const plantedIn = (text: string, file = 'elsewhere/merged.ts'): string =>
  planted(new Map([[file, text]]), bug).get(file)!;

describe('a bug in a production function', () => {
  const names = { noisyCount: 'drawnCount', threshold: 'floor', count: 'exact', cells: 'rows' };
  const renamed = Object.entries({ ...names, isPublished: 'mayBeShown' }).reduce(
    (text, [from, to]) => text.replace(new RegExp(`(?<![.'])\\b${from}\\b(?!:)`, 'g'), to),
    original,
  );

  test('is found in another file, with locals and a called function renamed, and laid out in another way', () => {
    const spread = renamed.replace(
      /mayBeShown\(drawnCount, floor\)/,
      '(mayBeShown // as is\n(drawnCount,\n  (floor),\n))',
    );
    expect(spread).not.toBe(renamed);
    expect(plantedIn(original)).toContain('isPublished(noisyCount + 1, threshold)');
    expect(plantedIn(spread)).toContain('mayBeShown(drawnCount + 1, floor)');
  });

  test('is found where the function has another name, by names that are all as they were', () => {
    expect(plantedIn(original.replaceAll('completeDomain', 'wholeDomain'))).toContain(
      'isPublished(noisyCount + 1, threshold)',
    );
  });

  test.each([
    ['that is gone', (text: string) => text.replace('isPublished(noisyCount, threshold)', 'true'), 'it is not there'],
    [
      'in a function that is gone',
      (text: string) => text.slice(0, text.indexOf('export function completeDomain')),
      'no declaration',
    ],
    [
      'that is there twice',
      (text: string) => text.replace('isPublished(noisyCount, threshold)', '$& || $&'),
      '2 times',
    ],
  ])('broken twin: an expression %s is reported with the name of the bug', (_, broken, message) => {
    expect(broken(original)).not.toBe(original);
    expect(() => plantedIn(broken(original))).toThrow(new RegExp(`^${bug.id}: .*${message}`, 's'));
  });
});

/** What a pattern makes of the body of a function. */
const made = (body: string, from: string, to: string, others: Tree = new Map()): string => {
  const tree = new Map([...others, ['room/one.ts', `function one(a: number, list: string[]) {${body}}`]]);
  return planted(tree, { id: 'id', edits: [{ in: 'one', from, to }] }).get('room/one.ts')!;
};

describe('a pattern', () => {
  test.each([
    ['stands for one name only', 'use(x, x); use(x, y);', 'use(p, p)', 'p', 'x; use(x, y);'],
    ['keeps what holds together', 'return x * y;', 'y', 'y + 1', 'return x * (y + 1);'],
    ['takes an item with its comma', 'return [1, 2, 3];', '2', '', 'return [1,  3];'],
    ['renames in a shorthand', 'return take(width);', 'take(size)', 'take({ size })', 'take({ size: width })'],
    ['has any expression', 'return f(g(1), 2);', 'f($first, 2)', '$first', 'return g(1);'],
    [
      'has the rest of a block',
      'if (a) { b(); c(); }',
      'if (a) { $rest; }',
      'if (!a) { $rest; }',
      'if (!a) { b(); c(); }',
    ],
  ])('%s', (_, body, from, to, expected) => {
    expect(made(body, from, to)).toContain(expected);
  });

  test.each([
    ['a name that is still there is no other one', 'use(x); y();', 'use(y)', '0'],
    ['two names are not one', 'use(x, x);', 'use(p, q)', 'p'],
    ['names of properties and literals are as they are', "a.b('c');", "a.d('c')", '0'],
    ['a change has to change', 'use(a);', 'use(a)', 'use(a)'],
    ['a replacement names what is there', 'use(a);', 'use(a)', 'use(b)'],
    ['a function that is there under its name has not been renamed', 'h(a);', 'g(a)', '0'],
  ])('broken twin: %s', (_, body, from, to) => {
    const others = new Map([['room/two.ts', 'export const g = 1;\nexport const h = 2;']]);
    const imported = `${body} }\nimport { h } from './two.ts';\n{`;
    expect(() => made(imported, from, to, others)).toThrow(/^id: in one/);
  });

  test('imports what its replacement names', () => {
    const others = new Map([['other/two.ts', 'export const g = 1;']]);
    expect(made('f(a);', 'f(a)', 'g', others)).toMatch(/^import \{ g \} from '\.\.\/other\/two\.ts';/);
  });
});

test('a name that one edit has taken out is that of the next', () => {
  const tree = new Map([['room/one.ts', 'function one() { const seen = look(); log(1); return seen; }']]);
  const edits = [
    { in: 'one', from: 'const found = look();', to: '' },
    { in: 'one', from: 'log(1);', to: 'log(1); const found = look();' },
  ];
  expect(planted(tree, { id: 'id', edits }).get('room/one.ts')).toContain('log(1); const seen = look(); return seen;');
});

test('a killer is found by the name of its file, and by a folder where there are two', () => {
  expect(pathOfTest('x/a.test.ts', ['y/a.test.ts'])).toBe('y/a.test.ts');
  expect(pathOfTest('x/a.test.ts', ['x/z/a.test.ts', 'y/a.test.ts'])).toBe('x/z/a.test.ts');
  expect(() => pathOfTest('a.test.ts', ['x/a.test.ts', 'y/a.test.ts'])).toThrow('2 test files fit');
});
