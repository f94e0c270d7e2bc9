import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, importsOf, productionFiles, readProjectFile } from './source-files.ts';

const product = productionFiles().filter((file) => !file.startsWith('bench/'));
const texts = new Map(product.map((file) => [file, readProjectFile(file)]));
const imports = [...texts].flatMap(([file, text]) => importsOf(file, text));

type Arrow = Pick<Import, 'from' | 'to'>;

/** Every name from which a way of arrows leads back to it, in the order of the names. */
function circles(arrows: readonly Arrow[]): string[] {
  const next = Map.groupBy(arrows, ({ from }) => from);
  function reached(start: string): Set<string> {
    const seen = new Set<string>();
    const open = [start];
    for (let from = open.pop(); from !== undefined; from = open.pop())
      for (const { to } of next.get(from) ?? []) {
        if (!seen.has(to)) open.push(to);
        seen.add(to);
      }
    return seen;
  }
  return [...next.keys()].filter((name) => reached(name).has(name)).sort();
}

/** Folders that import each other, `a ↔ b`. A folder and those inside it are one room with corners: they may. */
function bothWays(arrows: readonly Arrow[]): string[] {
  const inside = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`);
  const rooms = arrows
    .filter(({ to }) => texts.has(to))
    .map(({ from, to }) => [posix.dirname(from), posix.dirname(to)] as const)
    .filter(([from, to]) => !inside(from, to) && !inside(to, from));
  const known = new Set(rooms.map(([from, to]) => `${from} ↔ ${to}`));
  return [...known].filter((pair) => known.has(pair.split(' ↔ ').reverse().join(' ↔ '))).sort();
}

/** Names that two files export, with the files. One name says two things then, or one thing is said twice. */
function namedTwice(files: ReadonlyMap<string, string>): string[] {
  const exported = /^export (?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm;
  const names = [...files].flatMap(([file, text]) =>
    [...text.matchAll(exported)].map((match) => ({ name: match[1]!, file })),
  );
  return [...Map.groupBy(names, ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`);
}

/** Does a file give away what another file has, as its own? */
const passesThrough = (text: string): boolean => /^export (?:type )?(?:\{[^}]*\}|\*(?: as \w+)?) from '/m.test(text);

describe('rooms', () => {
  test('no file imports itself by a way round, types included', () => {
    expect(circles(imports)).toEqual([]);
    const arrows = ['a b', 'b c', 'c a', 'c d'].map((arrow) => ({ from: arrow[0]!, to: arrow[2]! }));
    expect(circles(arrows)).toEqual(['a', 'b', 'c']);
  });

  test('a circle of types alone is caught in the text of real files', () => {
    const back = "import type { Report } from '../core/verdict/verdict.ts';\n";
    const planted = importsOf('contracts/audit-report.ts', back);
    expect(circles([...imports, ...planted])).toContain('core/verdict/verdict.ts');
  });

  test('rooms beside each other import one way', () => {
    expect(bothWays(imports)).toEqual([]);
    const up = { from: 'services/stores/json-objects.ts', to: 'activities/public/plan.ts' };
    expect(bothWays([...imports, up])).toEqual([
      'activities/public ↔ services/stores',
      'services/stores ↔ activities/public',
    ]);
  });

  test('a name is exported by one file', () => {
    expect(namedTwice(texts)).toEqual([]);
    const twin = ['export type A = 1;', 'export async function a() {}\nexport const A = 1;'];
    expect(namedTwice(new Map(twin.map((text, place) => [`${place}.ts`, text])))).toEqual(['A: 0.ts, 1.ts']);
  });

  test('no file passes an import through; but the entry of the workflows, which Temporal reads', () => {
    const passing = [...texts].filter(([, text]) => passesThrough(text)).map(([file]) => file);
    expect(passing).toEqual(['workflows/index.ts']);
    expect(["export type { A } from './a.ts';", "export * from './a.ts';"].map(passesThrough)).toEqual([true, true]);
    expect(passesThrough("import { a } from './a.ts';\nexport const b = a;")).toBe(false);
  });
});
