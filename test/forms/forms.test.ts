import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { productionFiles, readProjectFile } from '../tidy/source-files.ts';
import { RETIRED } from './retired-names.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FORMS = 'test/forms/forms.json';

/** By kind and key of an object: its form. */
type Forms = Record<string, Record<string, string>>;

/** Names of formats in a text: quoted, whatever quotes they are. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/['"`](opaline-[a-z-]+\/\d+(?:-draft)?|https:\/\/opaline\.example\/[a-z-]+\/v\d+)['"`]/g)].map(
    ([, name]) => name!,
  );

const isRetired = (name: string): boolean => RETIRED.includes(name) || name.endsWith('-draft');

test('no format of production has a name that was given up', () => {
  const used = productionFiles().flatMap((file) => namesIn(readProjectFile(file)));
  expect(used).toContain('opaline-ledger/7');
  expect(used.filter(isRetired)).toEqual([]);
  // Broken twins.
  expect(namesIn('format: \'opaline-manifest/1\', as: "opaline-ledger/2-draft"').filter(isRetired)).toHaveLength(2);
  expect(namesIn('`https://opaline.example/decision/v1`').filter(isRetired)).toHaveLength(1);
});

/** Objects with a format whose form is another one, and whose format is not. */
const changedAlone = (before: Forms, after: Forms): string[] =>
  Object.entries(before).flatMap(([kind, forms]) =>
    Object.entries(forms).flatMap(([key, form]) => {
      const now = after[kind]?.[key];
      const names = (text: string): string => [...new Set(namesIn(text))].sort().join();
      const isAlone = now !== undefined && now !== form && names(form) !== '' && names(now) === names(form);
      return isAlone ? [`${kind}: ${key}`] : [];
    }),
  );

/** The forms of the last commit; null in a folder without a history, and before there was this file. */
const committed = (): Promise<Forms | null> =>
  promisify(execFile)('git', ['-C', ROOT, 'show', `HEAD:${FORMS}`], { maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => JSON.parse(stdout),
    () => null,
  );

test('a form that is another one than at the last commit has another name', async (context) => {
  const form = (name: string, member: string) => ({
    taps: { 'a.json': `canonical {format:"${name}",${member}:string}` },
  });
  expect(changedAlone(form('opaline-a/1', 'a'), form('opaline-a/1', 'b'))).toEqual(['taps: a.json']);
  expect(changedAlone(form('opaline-a/1', 'a'), form('opaline-a/2', 'b'))).toEqual([]);
  const before = await committed();
  if (!before) return context.skip('there is no commit with forms to compare with');
  expect(changedAlone(before, JSON.parse(await readFile(new URL('forms.json', import.meta.url), 'utf8')))).toEqual([]);
});
