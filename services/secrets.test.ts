import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../test/support/new-folder.ts';
import { readSecret } from './secrets.ts';

test('a secret is read from the environment or a file, and one that is not there is told by its field', async () => {
  const folder = newFolder();
  process.env.OPALINE_TEST_SECRET = 'of the environment';
  try {
    await writeFile(join(folder, 'secret'), 'of a file \n');
    await writeFile(join(folder, 'empty'), '\n');
    expect(await readSecret({ env: 'OPALINE_TEST_SECRET' }, 'a')).toBe('of the environment');
    expect(await readSecret({ file: join(folder, 'secret') }, 'a')).toBe('of a file ');
    for (const missing of [
      { env: 'OPALINE_TEST_NOTHING' },
      { file: join(folder, 'no') },
      { file: join(folder, 'empty') },
    ])
      await expect(readSecret(missing, 'warnings.webhook.secret')).rejects.toMatchObject({
        code: 'CONFIGURATION_INVALID',
        message: expect.stringMatching(/warnings\.webhook\.secret/),
      });
  } finally {
    delete process.env.OPALINE_TEST_SECRET;
  }
});
