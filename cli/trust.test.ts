import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { generateSigningKey } from '../activities/signing/keys.ts';
import { EXIT } from '../contracts/errors.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { isOneSentence, run, words } from './process.fixture.ts';

const cwd = newFolder();
const keys = ['root', 'second', 'third', 'ledger', 'publisher', 'ada', 'ben'];
beforeAll(async () => {
  for (const name of keys) {
    const { privateKey, publicKey } = generateSigningKey();
    await writeFile(join(cwd, `${name}.pem`), privateKey);
    await writeFile(join(cwd, `${name}.pub`), publicKey);
  }
});

const trust = async (line: string) => run([...words(`trust ${line}`), '--json'], { cwd });
const done = async (line: string) => {
  const { code, stdout, stderr } = await trust(line);
  expect([code, stderr]).toEqual([EXIT.done, '']);
  return JSON.parse(stdout);
};

test('a trust file is written, signed by two of three roots, checked, and goes on to its next version', async () => {
  const people = '--approver ada@example.org=ada.pub ben@example.org=ben.pub --required 2';
  await done(
    `init one.json --organisation City --root root.pub second.pub third.pub --threshold 2 --ledger ledger.pub --publisher publisher.pub ${people}`,
  );
  expect(await done('sign trust.json one.json --key root.pem')).toMatchObject({ missing: 1, version: null });
  const stranger = await trust('sign trust.json one.json --key ada.pem');
  expect(stranger).toMatchObject({ code: EXIT.badInput, stderr: expect.stringContaining('TRUST_INVALID') });
  const { version } = await done('sign trust.json one.json --key third.pem');
  expect(version).toMatchObject({ number: 1 });
  const pin = `--pin 1:${version.digest}`;
  expect(await done(`check trust.json ${pin}`)).toMatchObject({ organisation: 'City', required: 2, demo: false });

  await done('init two.json --after trust.json');
  const draft = JSON.parse(await readFile(join(cwd, 'two.json'), 'utf8'));
  await writeFile(
    join(cwd, 'two.json'),
    JSON.stringify({ ...draft, required: 1, approvers: draft.approvers.slice(1) }),
  );
  await done('sign trust.json two.json --key root.pem');
  await done('sign trust.json two.json --key second.pem');
  const checked = await done(`check trust.json ${pin}`);
  expect(checked).toMatchObject({ number: 2, required: 1, approvers: [{ subject: 'ben@example.org' }] });

  const other = await trust(`check trust.json --pin 1:${'ab'.repeat(32)}`);
  expect(other).toMatchObject({ code: EXIT.badInput, stderr: expect.stringContaining('not the one') });
  const people2 = await run(['trust', 'check', 'trust.json'], { cwd });
  expect(people2.stdout).toContain('Trust file of City, version 2; the chain holds.');
}, 60_000);

test.each([
  ['init three.json --organisation City', 'USAGE'],
  ['init ada.pub --after trust.json', 'USAGE'],
  ['check none.json', 'TRUST_INVALID'],
  ['sign other.json ada.pub --key root.pem', 'TRUST_INVALID'],
  ['check trust.json --pin first', 'USAGE'],
])('%s is refused in one sentence', async (line, code) => {
  const { stderr } = await run(words(`trust ${line}`), { cwd });
  expect(stderr.startsWith(`${code}: `)).toBe(true);
  expect(isOneSentence(stderr)).toBe(true);
});

test('what a name holds is printed, and not obeyed', async () => {
  const { stderr } = await run(['trust', 'check', 'a\u001b[2J\u202eb.json'], { cwd });
  expect(stderr).toContain('a\\u{1b}[2J\\u{202e}b.json');
  const json = await run(['trust', 'check', 'a\u009b2Jb.json', '--json'], { cwd });
  expect(json.stderr).toContain('a\\u009b2Jb.json');
  expect(JSON.parse(json.stderr).message).toContain('a\u009b2Jb.json');
});
