import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { readVersion, signVersion } from '../../client/trust/sign-version.ts';
import { type Draft, endKey, firstDraft, nextDraft, readDraft } from '../../client/trust/trust-draft.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { TRUST_FILE_FORMAT, type TrustVersion } from '../../contracts/formats/trust.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { refuseOldFile, replaceFile, writeNewFile } from '../../services/files/new-file.ts';
import { keyIdOfPem } from '../../services/signing/keys.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { newestVersion, requireNext, requirePin, type TrustChain } from '../../services/trust/trust-chain.ts';
import { readTrustFile } from '../../services/trust/trust-file.ts';
import { define } from '../command.ts';
import { confirmedByReader } from '../confirmation.ts';
import { releaseStore } from '../deployment.ts';
import { type KeyOptions, readKey, withKey } from '../key-file.ts';
import { type OutputOptions, print } from '../terminal.ts';
import { changeLines, versionLines } from '../trust-text.ts';

export function trustCommand(): Command {
  return new Command('trust')
    .description('the trust file: whom readers and workers believe; write a version, sign it, look at it')
    .addCommand(initCommand())
    .addCommand(endCommand('retire'))
    .addCommand(endCommand('rotate'))
    .addCommand(signCommand())
    .addCommand(checkCommand());
}

/** Where the newest entries of ledgers are read. */
type CopiesOptions = { copies?: string };

const COPIES_OPTION = [
  '--copies <folder>',
  'folder with copies of the ledgers, ledger/POPULATION/…; the release store of the deployment otherwise',
] as const;

const copiesOf = async ({ copies }: CopiesOptions): Promise<ObjectStore> =>
  copies === undefined ? releaseStore() : new FolderStore(copies);

type InitOptions = OutputOptions &
  CopiesOptions & {
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
    .option(...COPIES_OPTION)
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
  return define(command, example, async ([path], options: InitOptions) => {
    refuseOldFile(path!);
    const draft =
      options.after === undefined
        ? await firstOf(options)
        : await nextDraft(await readTrustFile(options.after), await copiesOf(options));
    await writeNewFile(path!, `${JSON.stringify(draft, null, 2)}\n`, 0o644);
    const text = `The draft of version ${draft.number} is in ${path}. Change it as you need; then each root signs it: opaline trust sign TRUST-FILE ${path} --key KEY.`;
    print(options, { draft: path, number: draft.number }, text);
  });
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

type EndOptions = OutputOptions & CopiesOptions & { stolen?: boolean };

/** `retire` ends a key, `rotate` gives it a successor. */
function endCommand(name: 'retire' | 'rotate'): Command {
  const rotates = name === 'rotate';
  const command = new Command(name)
    .description(
      `write the draft of the next version, in which a key ends at the newest entries of the ledgers${rotates ? ' and another takes its place' : ''}`,
    )
    .argument('<file>', 'the trust file')
    .argument('<key>', 'the file of its public key, or the beginning of its id');
  if (rotates) command.argument('<new-key>', 'the file of the new public key');
  command
    .argument('<draft>', 'the new file of the draft')
    .option('--stolen', 'take the key out: nothing that it ever signed counts')
    .option(...COPIES_OPTION);
  const example = `opaline trust ${name} trust.json ben.pem.pub ${rotates ? 'ben-2.pem.pub ' : ''}version-2.json`;
  return define(command, example, async ([file, key, ...others], options: EndOptions) => {
    const path = others.at(-1)!;
    refuseOldFile(path);
    const chain = await readTrustFile(file!);
    const newest = newestVersion(chain);
    const keyid = await readKeyId(key!, newest);
    const successor = rotates ? await readKey(others[0]!) : null;
    const next = await nextDraft(chain, await copiesOf(options));
    const draft = endKey(next, { keyid, successor, isStolen: options.stolen === true });
    await writeNewFile(path, `${JSON.stringify(draft, null, 2)}\n`, 0o644);
    const changes = changeLines(versionLines(newest), versionLines(draft));
    const head = `The draft of version ${draft.number} is in ${path}; each root signs it with opaline trust sign. What changes:`;
    const text = [head, ...changes].join('\n');
    print(options, { draft: path, number: draft.number, changes }, text);
  });
}

/** The id of a key in a file, or of the one key whose id begins so. Throws KEY_INVALID and USAGE. */
async function readKeyId(text: string, { roots, ledgers, publishers, approvers }: TrustVersion): Promise<string> {
  if (existsSync(text) || !/^[0-9a-f]{8,64}$/.test(text)) return keyIdOfPem(await readKey(text));
  const keys = [...roots.keys, ...[...ledgers, ...publishers, ...approvers].map(({ key }) => key)];
  const [found, ...others] = keys.map(keyIdOfPem).filter((id) => id.startsWith(text));
  if (found !== undefined && others.length === 0) return found;
  throw new OpalineError('USAGE', `The trust file names ${found ? 'several keys' : 'no key'} whose id begins so.`);
}

type SignOptions = OutputOptions & KeyOptions & { yes?: boolean };

function signCommand(): Command {
  const base = new Command('sign')
    .description(
      'show what a draft changes, and sign it with a root key; with enough signatures it becomes the newest version of the file',
    )
    .argument('<file>', 'the trust file; a first version makes it')
    .argument('<draft>', 'what init, retire or rotate wrote, or what other roots have signed')
    .option('--yes', 'sign without asking: somebody has read what changes');
  const command = withKey(base, 'your root key, PKCS#8 PEM; it may be encrypted');
  const example = 'opaline trust sign trust.json version-1.json --key root.pem';
  return define(command, example, async ([file, path], options: SignOptions) => {
    const chain = existsSync(file!) ? await readTrustFile(file!) : [];
    const draft = await readDraft(path!);
    const changes = draftChanges(chain, draft);
    const privateKey = await readKey(options.key, options);
    if (!(await confirmedByReader([...changes, 'You are about to sign this.'].join('\n'), options))) return;
    const { envelope, missing, version } = signVersion(chain, draft, privateKey);
    if (version === null) {
      await replaceFile(path!, `${JSON.stringify(envelope, null, 2)}\n`);
      const text = `Your signature is in ${path}. It needs ${missing} more; give it to the next root.`;
      return print(options, { file, missing, version, changes }, [...changes, text].join('\n'));
    }
    const before = chain.length > 0 ? JSON.parse(await readFile(file!, 'utf8')).versions : [];
    const whole = { format: TRUST_FILE_FORMAT, versions: [...before, envelope] };
    await replaceFile(file!, `${JSON.stringify(whole, null, 2)}\n`);
    const text = `Version ${version.number} is in ${file}. Pin it in deployments: "pin": ${JSON.stringify(version)}`;
    print(options, { file, missing, version, changes }, [...changes, text].join('\n'));
  });
}

/** What a root is to read before signing. Throws TRUST_INVALID when the draft does not follow the file. */
function draftChanges(chain: TrustChain, draft: Draft): string[] {
  const version = draft.version ?? readVersion(draft.envelope);
  requireNext(chain, version);
  const before = chain.at(-1);
  return [
    before ? `What version ${version.number} changes:` : 'The first version, which says:',
    ...changeLines(before ? versionLines(before) : [], versionLines(version)),
  ];
}

type CheckOptions = OutputOptions & { pin?: string };

function checkCommand(): Command {
  const command = new Command('check')
    .description('walk the chain of a trust file, and say whom it names')
    .argument('<file>')
    .option('--pin <n:digest>', 'the version that has to be in it');
  return define(command, 'opaline trust check trust.json', async ([file], options: CheckOptions) => {
    const chain = await readTrustFile(file!);
    if (options.pin !== undefined) requirePin(chain, readPin(options.pin));
    const newest = newestVersion(chain);
    const head = `Trust file of ${newest.organisation}, version ${newest.number}; the chain holds.`;
    const digest = `Digest of version ${newest.number}: ${newest.digest}`;
    const lines = versionLines(newest);
    print(options, { ...newest, lines }, [head, digest, ...lines].join('\n'));
  });
}

/** Reads `NUMBER:DIGEST`. Throws USAGE. */
function readPin(text: string): { number: number; digest: string } {
  const match = /^([1-9]\d{0,5}):([0-9a-f]{64})$/.exec(text);
  if (!match) throw new OpalineError('USAGE', '--pin takes the number of a version and its digest, as 3:0a1b….');
  return { number: Number(match[1]), digest: match[2]! };
}
