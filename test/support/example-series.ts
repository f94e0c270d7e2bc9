import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { generateSigningKey } from '../../activities/signing/keys.ts';
import type { SmallSeries } from './small-series.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

/** Copies the series file of an example, with its dictionaries, and names a fresh key as its approver. */
export async function copyExampleSeries(name: string, folder: string): Promise<SmallSeries> {
  await mkdir(folder, { recursive: true });
  await cp(join(EXAMPLES, 'dictionaries'), join(folder, 'dictionaries'), { recursive: true });
  const key = generateSigningKey();
  const document = parseDocument(await readFile(join(EXAMPLES, `${name}.yaml`), 'utf8'));
  document.setIn(['gate', 'approvers', 0, 'key'], key.publicKey);
  const file = join(folder, 'series.yaml');
  await writeFile(file, document.toString());
  return { file, key };
}
