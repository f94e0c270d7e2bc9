import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { loadSeriesFile } from './series-file.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

test('a series of more partitions than a release can have is refused when it is checked', async () => {
  const lines = Array.from({ length: 17 }, (_, line) => `line-${line}`);
  const list = join(EXAMPLES, 'dictionaries/demo-bus.csv');
  const example = await readFile(join(EXAMPLES, 'demo.yaml'), 'utf8');
  const lists = lines.map((line) => `    ${line}: {dictionary: ${list}}\n`).join('');
  const file = join(newFolder(), 'series.yaml');
  const year = example
    .replace(/^modes:.*$/m, `modes: [${lines.join(', ')}]`)
    .replace(/^( {2}locations:\n)( {4}.*\n)+/m, `$1${lists}`)
    .replace(/^window:\n( {2}.*\n)+/m, 'window:\n  months: 12\n')
    .replace(/^schedule:\n( {2}.*\n)+/m, '')
    .replace(/^audit:\n( {2,}.*\n)+/m, '');
  await writeFile(file, year);
  await expect(loadSeriesFile(file)).rejects.toThrow('17 parts on 366 days are more than the 6000 partitions');
});
