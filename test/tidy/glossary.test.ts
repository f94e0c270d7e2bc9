import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, readProjectFile } from './source-files.ts';

/** A word of the glossary, and the names that a file of the project declares for it. */
type GlossaryRow = { word: string; file: string; names: string[] };

/** The rows of the glossary's tables. Throws for one that does not end with names in a file. */
function glossaryRows(text: string): GlossaryRow[] {
  const rows = [...text.matchAll(/^\| (.+?) \| .+ \| (.+?) \|$/gm)].filter(([, word]) => !/^(word|-+)$/.test(word!));
  return rows.map(([, word, where]) => {
    const marked = [...where!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
    const [file, ...more] = marked.filter((name) => name.includes('/'));
    const names = marked.filter((name) => !name.includes('/'));
    if (file === undefined || more.length > 0 || names.length === 0) throw new Error(`${word} names no type in a file`);
    return { word: word!, file, names };
  });
}

/** Does TypeScript text declare the name: as a type, a constant, a function, or a member of one of them? */
const declares = (text: string, name: string): boolean =>
  new RegExp(
    `^(?:export )?(?:async )?(?:type|interface|const|function|class) ${name}\\b|^ +'?${name}'?\\??[:(]`,
    'm',
  ).test(text);

describe('docs/glossary.md', () => {
  const rows = glossaryRows(readProjectFile('docs/glossary.md'));

  test('has words, in order, each once', () => {
    const words = rows.map(({ word }) => word.toLowerCase());
    expect(words.length).toBeGreaterThan(0);
    expect(words).toEqual([...new Set(words)].sort());
  });

  test.each(rows)('$word: what is named exists', ({ file, names }) => {
    expect(existsSync(posix.join(ROOT, file))).toBe(true);
    expect(names.filter((name) => !declares(readProjectFile(file), name))).toEqual([]);
  });

  test('a row is read, and a name that is not declared is caught', () => {
    expect(
      glossaryRows('| word | meaning | where |\n| --- | --- | --- |\n| a b | It is. | `X` and `y` in `core/z.ts` |\n'),
    ).toEqual([{ word: 'a b', file: 'core/z.ts', names: ['X', 'y'] }]);
    expect(() => glossaryRows('| word | meaning | where |\n| --- | --- | --- |\n| a | It is. | nowhere |\n')).toThrow(
      'a',
    );
    expect(declares('export type Series = 1;', 'Series')).toBe(true);
    expect(declares('// Series\nconst text = Series;', 'Series')).toBe(false);
  });
});
