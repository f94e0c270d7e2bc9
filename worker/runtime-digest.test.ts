import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newFolder } from '../test/support/new-folder.ts';
import { runtimeDigest } from './source-digest.ts';

test('the digest is that of the binary which runs, and another binary has another', async () => {
  const own = createHash('sha256')
    .update(await readFile(process.execPath))
    .digest('hex');
  expect(await runtimeDigest()).toBe(own);
  const folder = newFolder();
  const changed = join(folder, 'node');
  await copyFile(process.execPath, changed);
  await appendFile(changed, ' ');
  const module = fileURLToPath(new URL('./source-digest.ts', import.meta.url));
  const code = `import { runtimeDigest } from ${JSON.stringify(module)}; console.log(await runtimeDigest())`;
  const said = execFileSync(changed, ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim();
  expect(said).toBe(
    createHash('sha256')
      .update(await readFile(changed))
      .digest('hex'),
  );
  expect(said).not.toBe(own);
});
