import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';
import { readProjectFile } from '../tidy/source-files.ts';

const run = promisify(execFile);
const SIDES = ['private', 'public'] as const;

/** A unit as systemd reads it, with a program that is there; what it says of directives that it does not take. */
async function complaints(side: string, change: (text: string) => string = (text) => text): Promise<string> {
  const text = readProjectFile(`infra/systemd/opaline-${side}.service`);
  const file = join(newFolder(), `opaline-${side}.service`);
  await writeFile(file, change(text.replace('/usr/local/bin/opaline', '/bin/true')));
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
  return stdout + stderr;
}

test.each(SIDES)('systemd takes every line of the unit of the %s worker, and is told of a wrong one', async (side) => {
  expect(await complaints(side)).toBe('');
  expect(await complaints(side, (text) => text.replace('RestartSec=15', 'RestartSec=soon'))).toContain('soon');
  expect(await complaints(side, (text) => text.replace('ProtectHome', 'ProtectHomes'))).toContain('ProtectHomes');
});

test.each(SIDES)('the unit of the %s worker leaves little: exposure below 1.5 of 10', async (side) => {
  const file = join(newFolder(), `opaline-${side}.service`);
  const text = readProjectFile(`infra/systemd/opaline-${side}.service`);
  const judged = (unit: string) =>
    writeFile(file, unit).then(() => run('systemd-analyze', ['security', '--offline=true', '--threshold=15', file]));
  await judged(text);
  await expect(judged(text.replace('NoNewPrivileges=yes\n', '').replace(/^SystemCall.*\n/gm, ''))).rejects.toThrow();
});
