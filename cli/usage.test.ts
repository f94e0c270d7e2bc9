import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { ERRORS, EXIT } from '../contracts/errors.ts';
import { publicKeyOf } from '../services/signing/keys.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { readProjectFile } from '../test/tidy/source-files.ts';
import { EXIT_CODES_HELP } from './exit-codes.ts';
import { readKey } from './key-options.ts';
import { isOneSentence, offlineDeployment, run, words } from './process.fixture.ts';
import { helpText, leafCommands, listing, opaline } from './program.ts';
import { commandList, commandReference } from './reference.ts';
import { commandName } from './settled-command.ts';

const folder = newFolder();
let deployment: string;
beforeAll(async () => {
  deployment = join(folder, 'client.json');
  await writeFile(deployment, JSON.stringify(offlineDeployment(folder)));
});

const program = await opaline();
const names = leafCommands(program).map((command) => commandName(command).replace('opaline ', ''));

/** The leaf command of a name, from a program that holds as much as a process that is called by it would load. */
async function loaded(name: string): Promise<Command> {
  const called = await opaline(words(name)[0]);
  return leafCommands(called).find((command) => commandName(command) === `opaline ${name}`)!;
}

describe('help', () => {
  test.each(names)('of %s shows an example and --json', async (name) => {
    const help = helpText(await loaded(name));
    expect(help).toContain(`Example:\n  opaline ${name}`);
    expect(help).toContain('--json');
  });

  test.each(['up', 'ledger show'])('of %s is what a process prints', async (name) => {
    const { code, stdout, stderr } = await run([...words(name), '--help']);
    expect({ code, stderr }).toEqual({ code: EXIT.done, stderr: '' });
    expect(stdout).toBe(helpText(await loaded(name), 80));
  });

  test('shows the one table of exit codes', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(EXIT.done);
    expect(stdout).toContain(EXIT_CODES_HELP);
    for (const exit of Object.values(EXIT)) expect(EXIT_CODES_HELP).toContain(`${String(exit).padStart(3)}  `);
  });

  test('of the program loads no command, and lists them as they are', async () => {
    expect(helpText(listing())).toBe(helpText(await opaline()));
    const { code, stdout } = await run(['--help']);
    expect({ code, stdout }).toEqual({ code: EXIT.done, stdout: helpText(listing(), 80) });
    // Broken twin: a command that is called in another way.
    expect(helpText(listing()).replace('<series>', '[series]')).not.toBe(helpText(await opaline()));
    expect(readProjectFile('cli/command-list.ts')).toBe(await commandList());
  });

  test('docs/cli.md is what the help texts say; `node cli/reference.ts` writes it again', async () => {
    expect(readProjectFile('docs/cli.md')).toBe(await commandReference());
  });

  test.each(names)('the example of %s is one that the command takes', async (name) => {
    const parsed = await opaline();
    const command = leafCommands(parsed).find((one) => commandName(one) === `opaline ${name}`)!;
    const example = /Example:\n {2}opaline (.*)/.exec(helpText(command))?.[1] ?? '';
    let used = false;
    command.action(() => {
      used = true;
    });
    parsed.parse(example.match(/"[^"]*"|\S+/g) ?? [], { from: 'user' });
    expect({ example, used }).toEqual({ example, used: true });
  });
});

const CERTIFY = 'certify --mechanism stability-histogram --neighbours replace-one --epsilon 8 --delta 1e-6';

describe('wrong use', () => {
  test.each([
    'nonsense',
    'run series.yaml',
    'run series.yaml other.yaml --window 2026-03-02',
    'run missing.yaml --window 2026-03-02 --release-version 0',
    'show release-without-a-name',
    'approve small/2026-03-02/v1 --reason x --key missing.pem',
    'reject small/2026-03-02/v1 --key missing.pem --reason x --code audit-passed',
    'approve small/2026-03-02/v1 --key missing.pem --reason x --code audit-passed --acknowledge holes',
    'approve --backfill small/2026-03-02..2026-03-09 --key missing.pem --reason x --code attention-accepted',
    'retry small/2026-03-02/v1 --partition bus',
    'verify no-such-folder',
    'keygen',
    'keygen no-such-folder/me.pem',
    'up --example nonsense',
    `${CERTIFY} --unit trip --draws 0`,
    `${CERTIFY} --unit trip --draws few`,
    `${CERTIFY} --unit trip --hours much`,
    'risk report --bins on=15',
    'risk report nobody --draws 5',
    'order version small/2026-03-02/v1 --partition bus/2026-03-02 --key missing.pem --out order.json',
    'ledger takeover riders --key missing.pem --out order.json',
    'backfill stop small/2026-03-02..2026-03-09',
    'check series.yaml --pin first',
    'check series.yaml --like earlier',
    `${CERTIFY} --unit bus`,
    `${CERTIFY} --unit trip --epsilon much`,
    `${CERTIFY} --unit card`,
    `${CERTIFY} --unit trip --split --cells 7`,
    `${CERTIFY} --unit trip --checks 1`,
    `${CERTIFY} --unit trip --checks 1 --rejects bus`,
    'ledger nonsense',
    'ledger show nobody',
    'ledger plan missing.yaml --window 2026-03-02',
  ])('`%s` ends with 2 and one clear sentence', async (line) => {
    const { code, stdout, stderr } = await run(words(line), { cwd: folder, deployment });
    expect({ stderr, sentence: isOneSentence(stderr), code, stdout }).toEqual({
      stderr,
      sentence: true,
      code: EXIT.badInput,
      stdout: '',
    });
  });

  test('with --json it is one JSON object on standard error', async () => {
    for (const line of ['run --json', 'show nonsense --json']) {
      const { code, stdout, stderr } = await run(words(line), { cwd: folder });
      expect({ code, stdout }).toEqual({ code: EXIT.badInput, stdout: '' });
      expect(JSON.parse(stderr)).toEqual({ code: 'USAGE', message: expect.stringMatching(/\w+/) });
    }
  });
});

describe('without a running stack', () => {
  test('status and show say how to start one', async () => {
    for (const line of ['status', 'show small/2026-03-02/v1', 'ledger show']) {
      const { code, stderr } = await run(words(line), { cwd: folder });
      expect(code).toBe(ERRORS.CONFIGURATION_INVALID.exit);
      expect(stderr).toMatch(/^CONFIGURATION_INVALID: .*opaline -- up.*OPALINE_DEPLOYMENT/);
    }
  });

  test('a server that does not answer is named, with how to start it', async () => {
    const { code, stderr } = await run(['status'], { cwd: folder, deployment });
    expect(code).toBe(ERRORS.SERVER_UNAVAILABLE.exit);
    expect(stderr).toBe(
      'SERVER_UNAVAILABLE: Temporal does not answer at 127.0.0.1:1; start it (`npm run opaline -- up` for the embedded stack), or mend `temporal` in the deployment file, its `tls` too: a refused certificate looks the same.\n',
    );
  });
});

test('keygen never overwrites, and leaves nothing behind when it cannot finish', async () => {
  const made = await run(['keygen', 'me.pem', '--json'], { cwd: folder });
  expect(made.code).toBe(EXIT.done);
  expect(JSON.parse(made.stdout)).toMatchObject({ privateKey: 'me.pem', publicKey: 'me.pem.pub' });
  const key = await readFile(join(folder, 'me.pem'), 'utf8');
  const again = await run(['keygen', 'me.pem'], { cwd: folder });
  expect(again.code).toBe(EXIT.badInput);
  expect(again.stderr).toContain('me.pem is there already and is kept');
  expect(await readFile(join(folder, 'me.pem'), 'utf8')).toBe(key);
  await writeFile(join(folder, 'other.pem.pub'), 'a public key');
  expect((await run(['keygen', 'other.pem'], { cwd: folder })).code).toBe(EXIT.badInput);
  await expect(readFile(join(folder, 'other.pem'))).rejects.toThrow('ENOENT');
});

test('a reason that is empty is none', async () => {
  const line = ['approve', 'small/2026-03-02/v1', '--key', 'missing.pem', '--reason', ' '];
  const { code, stderr } = await run(line, { cwd: folder, deployment });
  expect({ code, stderr }).toEqual({
    code: EXIT.badInput,
    stderr: 'USAGE: --reason takes a few words of your own, and not none.\n',
  });
});

test('an encrypted key opens with its passphrase, and with no other', async () => {
  await writeFile(join(folder, 'secret'), 'correct horse\n');
  await writeFile(join(folder, 'wrong'), 'battery staple\n');
  expect((await run(words('keygen ada.pem --passphrase-file secret'), { cwd: folder })).code).toBe(EXIT.done);
  const pem = await readFile(join(folder, 'ada.pem'), 'utf8');
  expect(pem).toContain('BEGIN ENCRYPTED PRIVATE KEY');
  const key = await readKey(join(folder, 'ada.pem'), { passphraseFile: join(folder, 'secret') });
  expect(publicKeyOf(key)).toBe(await readFile(join(folder, 'ada.pem.pub'), 'utf8'));
  const wrong = readKey(join(folder, 'ada.pem'), { passphraseFile: join(folder, 'wrong') });
  await expect(wrong).rejects.toMatchObject({ code: 'KEY_INVALID', message: expect.not.stringContaining('staple') });
  // Nobody is there who could be asked.
  const unasked = await run(words('keygen ben.pem --encrypt'), { cwd: folder });
  expect(unasked).toMatchObject({ code: EXIT.badInput, stderr: expect.stringContaining('--passphrase-file') });
  await expect(readFile(join(folder, 'ben.pem'))).rejects.toThrow('ENOENT');
});
