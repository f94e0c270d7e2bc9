import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { refuseOldFile, replaceFile, writeNewFile } from '../../activities/people-files/new-file.ts';
import { keyIdOfPem } from '../../activities/signing/keys.ts';
import { newestVersion, requirePin, type TrustChain } from '../../activities/trust/trust-chain.ts';
import { readTrustFile } from '../../activities/trust/trust-file.ts';
import { signVersion } from '../../client/trust/sign-version.ts';
import { firstDraft, nextDraft, readDraft } from '../../client/trust/trust-draft.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { TRUST_FILE_FORMAT } from '../../contracts/formats/trust.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { define } from '../command.ts';
import { type KeyOptions, readKey, withKey } from '../key-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

export function trustCommand(): Command {
  return new Command('trust')
    .description('the trust file: whom readers and workers believe; write a version, sign it, look at it')
    .addCommand(initCommand())
    .addCommand(signCommand())
    .addCommand(checkCommand());
}

type InitOptions = OutputOptions & {
  after?: string;
  organisation?: string;
  root?: string[];
  threshold: string;
  ledger?: string[];
  publisher?: string[];
  approver?: string[];
  required: string;
  demo?: boolean;
};

function initCommand(): Command {
  const command = new Command('init')
    .description('write the draft of a version for its root keys to sign: the first one, or the next one of a file')
    .argument('<draft>', 'the new file of the draft')
    .option('--after <file>', 'a trust file: the draft is its next version, and says at first what its newest does')
    .option('--organisation <name>', 'who publishes, in words for people')
    .option('--root <key...>', 'public keys (files) that sign the versions that follow')
    .option('--threshold <n>', 'how many of them have to', '1')
    .option('--ledger <key...>', 'public keys of the private worker')
    .option('--publisher <key...>', 'public keys of the public worker')
    .option('--approver <name=key...>', 'people who decide at a gate, each with the file of a public key')
    .option('--required <n>', 'approvals that every release needs at least', '1')
    .option('--demo', 'the keys are those of a trial: workers refuse them unless their deployment allows it');
  const example =
    'opaline trust init version-1.json --organisation "City transport" --root root.pem.pub --ledger ledger.pem.pub --publisher publisher.pem.pub --approver ada@example.org=ada.pem.pub';
  define(command, example, async ([path], options: InitOptions) => {
    refuseOldFile(path!);
    const draft = options.after === undefined ? await firstOf(options) : nextDraft(await readTrustFile(options.after));
    await writeNewFile(path!, `${JSON.stringify(draft, null, 2)}\n`, 0o644);
    const text = `The draft of version ${draft.number} is in ${path}. Change it as you need; then each root signs it: opaline trust sign TRUST-FILE ${path} --key KEY.`;
    print(options, { draft: path, number: draft.number }, text);
  });
  return command;
}

async function firstOf(options: InitOptions) {
  const { organisation, root, ledger, publisher, approver, demo } = options;
  if (!organisation || !root || !ledger || !publisher || !approver)
    throw new OpalineError(
      'USAGE',
      'A first version needs --organisation, --root, --ledger, --publisher and --approver; a next one --after.',
    );
  const threshold = readWholeNumber('--threshold', options.threshold, root.length);
  const required = readWholeNumber('--required', options.required, 100);
  const keys = (files: readonly string[]) => Promise.all(files.map((file) => readKey(file)));
  const approvers = await Promise.all(approver.map(readApprover));
  const roots = { keys: await keys(root), threshold };
  const workers = { ledgers: await keys(ledger), publishers: await keys(publisher) };
  return firstDraft({ organisation, roots, required, demo: demo === true, approvers, ...workers });
}

/** Reads `NAME=FILE`; a name may hold an equals sign. Throws USAGE. */
async function readApprover(text: string): Promise<{ subject: string; key: string }> {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new OpalineError('USAGE', '--approver takes a name and the file of a key: ada@example.org=ada.pub');
  return { subject: text.slice(0, at), key: await readKey(text.slice(at + 1)) };
}

type SignOptions = OutputOptions & KeyOptions;

function signCommand(): Command {
  const base = new Command('sign')
    .description('sign a draft with a root key; with enough signatures it becomes the newest version of the file')
    .argument('<file>', 'the trust file; a first version makes it')
    .argument('<draft>', 'what opaline trust init wrote, or what other roots have signed');
  const command = withKey(base, 'your root key, PKCS#8 PEM; it may be encrypted');
  const example = 'opaline trust sign trust.json version-1.json --key root.pem';
  define(command, example, async ([file, path], options: SignOptions) => {
    const chain = existsSync(file!) ? await readTrustFile(file!) : [];
    const { envelope, missing, version } = signVersion(
      chain,
      await readDraft(path!),
      await readKey(options.key, options),
    );
    if (version === null) {
      await replaceFile(path!, `${JSON.stringify(envelope, null, 2)}\n`);
      return print(
        options,
        { file, missing, version },
        `Your signature is in ${path}. It needs ${missing} more; give it to the next root.`,
      );
    }
    const before = chain.length > 0 ? JSON.parse(await readFile(file!, 'utf8')).versions : [];
    const whole = { format: TRUST_FILE_FORMAT, versions: [...before, envelope] };
    await replaceFile(file!, `${JSON.stringify(whole, null, 2)}\n`);
    print(
      options,
      { file, missing, version },
      `Version ${version.number} is in ${file}. Pin it in deployments: "pin": ${JSON.stringify(version)}`,
    );
  });
  return command;
}

type CheckOptions = OutputOptions & { pin?: string };

function checkCommand(): Command {
  const command = new Command('check')
    .description('walk the chain of a trust file, and say whom it names')
    .argument('<file>')
    .option('--pin <n:digest>', 'the version that has to be in it');
  define(command, 'opaline trust check trust.json', async ([file], options: CheckOptions) => {
    const chain = await readTrustFile(file!);
    if (options.pin !== undefined) requirePin(chain, readPin(options.pin));
    const facts = factsOf(chain);
    print(options, facts, textOf(facts));
  });
  return command;
}

/** Reads `NUMBER:DIGEST`. Throws USAGE. */
function readPin(text: string): { number: number; digest: string } {
  const match = /^([1-9]\d{0,5}):([0-9a-f]{64})$/.exec(text);
  if (!match) throw new OpalineError('USAGE', '--pin takes the number of a version and its digest, as 3:0a1b….');
  return { number: Number(match[1]), digest: match[2]! };
}

function factsOf(chain: TrustChain) {
  const { organisation, number, digest, demo, roots, ledgers, publishers, approvers, required } = newestVersion(chain);
  const id = ({ key }: { key: string }) => keyIdOfPem(key);
  return {
    organisation,
    ...{ number, digest, demo, required },
    roots: { keyids: roots.keys.map(keyIdOfPem), threshold: roots.threshold },
    ledgers: ledgers.map(id),
    publishers: publishers.map(id),
    approvers: approvers.map((approver) => ({
      subject: approver.subject,
      keyid: id(approver),
      series: approver.series ?? null,
      valid: approver.valid,
    })),
  };
}

function textOf(facts: ReturnType<typeof factsOf>): string {
  const { organisation, number, digest, demo, required, roots, ledgers, publishers, approvers } = facts;
  return [
    `Trust file of ${organisation}, version ${number}; the chain holds.`,
    ...(demo ? ['Demo keys: a program made them for a trial, and anybody on that computer has them.'] : []),
    `Digest of version ${number}: ${digest}`,
    `Root keys, ${roots.threshold} of which sign the next version: ${roots.keyids.join(', ')}`,
    `Keys of the private worker: ${ledgers.join(', ')}`,
    `Keys of publishers: ${publishers.join(', ')}`,
    `Approvers, ${required} of whom at least have to approve:`,
    ...approvers.map(
      ({ subject, keyid, series }) => `  ${subject}  ${keyid}${series ? `  only ${series.join(', ')}` : ''}`,
    ),
  ].join('\n');
}
