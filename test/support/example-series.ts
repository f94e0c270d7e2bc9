import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import type { SmallSeries } from './small-series.ts';
import { approverKey, TEST_APPROVER } from './test-trust.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

/** Copies the series file of an example, with its dictionaries, and names the approver of the tests. */
export async function copyExampleSeries(name: string, folder: string): Promise<SmallSeries> {
  await mkdir(folder, { recursive: true });
  await cp(join(EXAMPLES, 'dictionaries'), join(folder, 'dictionaries'), { recursive: true });
  const key = approverKey(TEST_APPROVER);
  const document = parseDocument(await readFile(join(EXAMPLES, `${name}.yaml`), 'utf8'));
  document.setIn(['gate', 'approvers', 0], { subject: TEST_APPROVER });
  const file = join(folder, 'series.yaml');
  await writeFile(file, document.toString());
  return { file, key };
}
