import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withFaultyServer } from '../../services/stores/faulty-s3-server.fixture.ts';
import { ROOT } from '../package/package.fixture.ts';

/** As a container runs it: by a number that the system has no name for, without HOME. What a module answers, as text. */
async function asNobody(module: string, expression: string): Promise<string> {
  const program = `const module = await import(${JSON.stringify(join(ROOT, module))}); console.log(await ${expression});`;
  const words = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, words, { uid: 10001, gid: 10001, cwd: '/', env: {} });
  return stdout.trim();
}

test.skipIf(process.getuid?.() !== 0)(
  'a user without a name and a home reaches stores, and gets a console',
  async () => {
    await withFaultyServer({}, async ({ configuration }) => {
      const store = `new module.S3Store(${JSON.stringify(configuration)})`;
      expect(await asNobody('services/stores/s3-store.ts', `${store}.putIfAbsent('a', Buffer.from('x'))`)).toBe(
        'created',
      );
    });
    expect(await asNobody('cli/commands/console-command.ts', 'module.accountName()')).toBe('uid-10001');
  },
);
