import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { EXIT } from '../contracts/errors.ts';
import { appendToLedger } from '../services/ledger/ledger.ts';
import { generateSigningKey, type SigningKey } from '../services/signing/keys.ts';
import { FolderStore } from '../services/stores/folder-store.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { widePopulation } from '../test/support/test-trust.ts';
import { isOneSentence, run, words } from './process.fixture.ts';

const cwd = newFolder();
const keys = ['root', 'second', 'third', 'ledger', 'publisher', 'ada', 'ben', 'other'];
const made = new Map<string, SigningKey>();
const keyIdOf = (name: string): string => made.get(name)!.keyid;
const REFUSAL = { kind: 'refuse', release: 'taps/a/v1', code: 'X', subject: 'someone', reason: 'over-cap' } as const;
beforeAll(async () => {
  for (const name of keys) {
    const key = generateSigningKey();
    const { privateKey, publicKey } = key;
    made.set(name, key);
    await writeFile(join(cwd, `${name}.pem`), privateKey);
    await writeFile(join(cwd, `${name}.pub`), publicKey);
  }
});

const writer = () => {
  const { privateKey, publicKey } = made.get('ledger')!;
  return { privateKey, keys: () => [publicKey] };
};

const command = async (line: string) => run([...words(line), '--json'], { cwd });
const trust = (line: string) => command(`trust ${line}`);
const done = async (line: string, group = 'trust ') => {
  const { code, stdout, stderr } = await command(`${group}${line}`);
  expect([code, stderr]).toEqual([EXIT.done, '']);
  return JSON.parse(stdout);
};

test('a trust file is written, signed by two of three roots, checked, and goes on to its next version', async () => {
  const people = '--approver ada@example.org=ada.pub ben@example.org=ben.pub --required 2';
  await done(
    `init one.json --organisation City --root root.pub second.pub third.pub --threshold 2 --ledger ledger.pub --publisher publisher.pub ${people}`,
  );
  expect(await done('sign trust.json one.json --key root.pem --yes')).toMatchObject({ missing: 1, version: null });
  const stranger = await trust('sign trust.json one.json --key ada.pem --yes');
  expect(stranger).toMatchObject({ code: EXIT.badInput, stderr: expect.stringContaining('TRUST_INVALID') });
  const { version } = await done('sign trust.json one.json --key third.pem --yes');
  expect(version).toMatchObject({ number: 1 });
  const pin = `--pin 1:${version.digest}`;
  expect(await done(`check trust.json ${pin}`, '')).toMatchObject({ organisation: 'City', required: 2, demo: false });

  for (let entry = 0; entry < 2; entry += 1)
    await appendToLedger({ store: new FolderStore(join(cwd, 'copies')), ...writer() }, 'riders', () => REFUSAL);
  await done('init two.json --after trust.json --copies copies');
  const draft = JSON.parse(await readFile(join(cwd, 'two.json'), 'utf8'));
  await writeFile(
    join(cwd, 'two.json'),
    JSON.stringify({ ...draft, required: 1, approvers: draft.approvers.slice(1) }),
  );
  const unread = await trust('sign trust.json two.json --key root.pem');
  expect(unread).toMatchObject({ code: EXIT.badInput, stderr: expect.stringContaining('--yes') });
  const { changes } = await done('sign trust.json two.json --key root.pem --yes');
  expect(changes).toEqual([
    'What version 2 changes:',
    `  - Approver ada@example.org, key ${keyIdOf('ada')}: holds everywhere`,
    '  - Approvals that every release needs at least: 2',
    '  - Of these, made elsewhere than at one host of pages: 1',
    '  + Approvals that every release needs at least: 1',
    '  + Of these, made elsewhere than at one host of pages: 0',
    '  + Binds what is charged after entry 2 of riders',
  ]);
  await done('sign trust.json two.json --key second.pem --yes');
  const checked = await done(`check trust.json ${pin}`, '');
  expect(checked).toMatchObject({ number: 2, required: 1, approvers: [{ subject: 'ben@example.org' }] });

  const other = await command(`check trust.json --pin 1:${'ab'.repeat(32)}`);
  expect(other).toMatchObject({ code: EXIT.badInput, stderr: expect.stringContaining('not the one') });
  const people2 = await run(['check', 'trust.json'], { cwd });
  expect(people2.stdout).toContain('Trust file of City, version 2; the chain holds.');

  const retired = await trust('retire trust.json ben.pub three.json --copies copies');
  expect(retired).toMatchObject({ code: EXIT.badInput, stderr: expect.stringContaining('it names 0 approvers') });
  const rotated = await done(
    `retire trust.json ${keyIdOf('ben').slice(0, 16)} three.json --successor ada.pub --copies copies`,
  );
  expect(rotated.changes).toEqual([
    `  - Approver ben@example.org, key ${keyIdOf('ben')}: holds everywhere`,
    `  + Approver ben@example.org, key ${keyIdOf('ben')}: holds in riders up to entry 2 and nowhere else`,
    `  + Approver ben@example.org, key ${keyIdOf('ada')}: holds everywhere`,
  ]);
  const three = JSON.parse(await readFile(join(cwd, 'three.json'), 'utf8'));
  const twin = {
    ...three.approvers[1],
    subject: 'b\u0435n@example.com',
    key: await readFile(join(cwd, 'other.pub'), 'utf8'),
  };
  await writeFile(join(cwd, 'four.json'), JSON.stringify({ ...three, approvers: [...three.approvers, twin] }));
  const signed = await done('sign trust.json four.json --key root.pem --yes');
  expect(signed.changes.join()).toContain('CAREFUL: mixes Latin and Cyrillic letters: \u0435 is U+0435');
  twin.subject = 'b\u0435n@example.org';
  await writeFile(join(cwd, 'five.json'), JSON.stringify({ ...three, approvers: [...three.approvers, twin] }));
  const alike = await trust('sign trust.json five.json --key root.pem --yes');
  expect(alike).toMatchObject({ code: EXIT.badInput, stderr: expect.stringContaining('look alike') });
}, 240_000);

test.each([
  ['trust init three.json --organisation City', 'USAGE'],
  ['trust init ada.pub --after trust.json', 'USAGE'],
  ['trust retire trust.json none.pub six.json', 'KEY_INVALID'],
  ['trust retire trust.json 00000000 six.json', 'USAGE'],
  ['check none.json', 'TRUST_INVALID'],
  ['trust sign other.json ada.pub --key root.pem --yes', 'TRUST_INVALID'],
  ['check trust.json --pin first', 'USAGE'],
])('%s is refused in one sentence', async (line, code) => {
  const { stderr } = await run(words(line), { cwd });
  expect(stderr.startsWith(`${code}: `)).toBe(true);
  expect(isOneSentence(stderr)).toBe(true);
});

test('what a name holds is printed, and not obeyed', async () => {
  const { stderr } = await run(['check', 'a\u001b[2J\u202eb.json'], { cwd });
  expect(stderr).toContain('a\\u{1b}[2J\\u{202e}b.json');
  const json = await run(['check', 'a\u009b2Jb.json', '--json'], { cwd });
  expect(json.stderr).toContain('a\\u009b2Jb.json');
  expect(JSON.parse(json.stderr).message).toContain('a\u009b2Jb.json');
});

test('check of a policy shows what changes since the policy before it, and refuses a number that does not grow', async () => {
  const key = { name: 'ada', key: made.get('ada')!.publicKey, may: ['series'] };
  const policy = {
    format: 'opaline-policy/2',
    number: 3,
    keys: [key],
    populations: { riders: widePopulation(['trips']) },
  };
  const write = (name: string, content: object) =>
    writeFile(join(cwd, name), stringify(content, { aliasDuplicateObjects: false }));
  await write('before.yaml', policy);
  const added = { name: '\u0430da', key: made.get('ben')!.publicKey, may: ['orders'] };
  await write('after.yaml', { ...policy, number: 4, keys: [{ ...key, revoked: true }, added] });
  const check = (files: string) => run(words(`check ${files}`), { cwd });
  const { stdout, code } = await check('after.yaml --before before.yaml');
  expect([code, stdout.split('\n').slice(1, -1)]).toEqual([
    EXIT.done,
    [
      'What changes since number 3:',
      `  - Key of ada, ${keyIdOf('ada')}: may sign series`,
      `  + Key of ada, ${keyIdOf('ada')}: revoked`,
      `  + Key of \u0430da (CAREFUL: mixes Latin and Cyrillic letters: \u0430 is U+0430), ${keyIdOf('ben')}: may sign orders`,
    ],
  ]);
  expect(await check('before.yaml --before after.yaml')).toMatchObject({
    code: EXIT.badInput,
    stderr: expect.stringContaining('raise the number'),
  });
}, 240_000);
