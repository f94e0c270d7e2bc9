import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { readVersion, signVersion } from '../../client/trust/sign-version.ts';
import { type Draft, endKey, firstDraft, nextDraft, readDraft } from '../../client/trust/trust-draft.ts';
import { wrongUse } from '../../contracts/errors.ts';
import { TRUST_FILE_FORMAT, type TrustVersion } from '../../contracts/formats/trust.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { refuseOldFile, replaceFile, writeNewFile } from '../../services/files/new-file.ts';
import { credentialKeyId } from '../../services/signing/credential.ts';
import { keyIdOfPem } from '../../services/signing/keys.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { newestVersion, requireNext, type TrustChain } from '../../services/trust/trust-chain.ts';
import { readTrustFile } from '../../services/trust/trust-file.ts';
import { releaseStore } from '../client-deployment.ts';
import { command, group } from '../command.ts';
import { askReader } from '../confirmation.ts';
import { PASSPHRASE, readKey } from '../key-options.ts';
import { changeLines, versionLines } from '../trust-text.ts';

export const trustCommand = (): Command =>
  group('trust', 'the trust file: whom readers and workers believe; write a version and sign it', [
    command('init', 'write the draft of a version for its root keys to sign: the first one, or the next one of a file')
      .argument('<draft>', 'the new file of the draft')
      .option('--after <file>', 'a trust file: the draft is its next version, and says at first what its newest does')
      .option(...COPIES)
      .option('--organisation <name>', 'who publishes, in words for people')
      .option('--root <key...>', 'public keys (files) that sign the versions that follow')
      .usual('--threshold <n>', 'how many of them have to', '1')
      .option('--ledger <key...>', 'public keys of the private worker')
      .option('--publisher <key...>', 'public keys of the public worker')
      .option('--approver <name=key...>', 'people who decide at a gate, each with the file of a public key')
      .usual('--required <n>', 'approvals that every release needs at least', '1')
      .option('--demo', 'the keys are those of a trial: workers refuse them unless their deployment allows it')
      .example(
        'opaline trust init v1.json --organisation City --root r.pub --ledger l.pub --publisher p.pub --approver ada=a.pub',
      )
      .run(async ({ draft: path }, options) => {
        refuseOldFile(path);
        const { after, organisation, root, ledger, publisher, approver, demo = false } = options;
        const keys = (files: readonly string[]) => Promise.all(files.map((file) => readKey(file)));
        const firstOne = async () => {
          if (!organisation || !root || !ledger || !publisher || !approver)
            throw wrongUse(
              'A first version needs --organisation, --root, --ledger, --publisher and --approver; a next one --after.',
            );
          const threshold = readWholeNumber('--threshold', options.threshold, root.length);
          const quorum = readWholeNumber('--required', options.required, 100);
          const approvers = await Promise.all(approver.map(readApprover));
          const roots = { keys: await keys(root), threshold };
          const workers = { ledgers: await keys(ledger), publishers: await keys(publisher) };
          return firstDraft({ organisation, roots, required: quorum, demo, approvers, ...workers });
        };
        const draft =
          after === undefined ? await firstOne() : await nextDraft(await readTrustFile(after), await copiesOf(options));
        await writeDraft(path, draft);
        const text = `The draft of version ${draft.number} is in ${path}. Change it as you need; then each root signs it: opaline trust sign TRUST-FILE ${path} --key KEY.`;
        return { value: { draft: path, number: draft.number }, text };
      }),
    command('retire', 'write the draft of the next version, in which a key ends at the newest entries of the ledgers')
      .argument('<file>', 'the trust file')
      .argument('<key>', 'the file of its public key, or the beginning of its id')
      .argument('<draft>', 'the new file of the draft')
      .option('--successor <new-key>', 'the file of the public key that takes its place')
      .option(
        '--grace <n>',
        'entries of each ledger that it may still sign; 1000 for a key of a worker with a successor, else 0',
      )
      .option('--stolen', 'take the key out: nothing that it ever signed counts')
      .option(...COPIES)
      .example('opaline trust retire trust.json ben.pem.pub version-2.json --successor ben-2.pem.pub')
      .run(async ({ file, key, draft: path }, options) => {
        refuseOldFile(path);
        const chain = await readTrustFile(file);
        const newest = newestVersion(chain);
        const keyid = await readKeyId(key, newest);
        const successor = options.successor === undefined ? null : await readKey(options.successor);
        const next = await nextDraft(chain, await copiesOf(options));
        const grace =
          options.grace === undefined ? null : readWholeNumber('--grace', options.grace, Number.MAX_SAFE_INTEGER, 0);
        const draft = endKey(next, { keyid, successor, isStolen: options.stolen === true, grace });
        await writeDraft(path, draft);
        const changes = changeLines(versionLines(newest), versionLines(draft));
        const head = `The draft of version ${draft.number} is in ${path}; each root signs it with opaline trust sign. What changes:`;
        return { value: { draft: path, number: draft.number, changes }, text: lines(head, changes) };
      }),
    command('sign', 'show what a draft changes, and sign it with a root key; enough signatures make it the newest')
      .argument('<file>', 'the trust file; a first version makes it')
      .argument('<draft>', 'what init or retire wrote, or what other roots have signed')
      .option('--yes', 'sign without asking: somebody has read what changes')
      .required('--key <file>', 'your root key, PKCS#8 PEM; it may be encrypted')
      .option(...PASSPHRASE)
      .example('opaline trust sign trust.json version-1.json --key root.pem')
      .run(async ({ file, draft: path }, options) => {
        const chain = existsSync(file) ? await readTrustFile(file) : [];
        const draft = await readDraft(path);
        const changes = draftChanges(chain, draft);
        const privateKey = await readKey(options.key, options);
        if (!(await askReader(lines(changes, 'You are about to sign this.'), options))) return;
        const { envelope, missing, version } = signVersion(chain, draft, privateKey);
        const value = { file, missing, version, changes };
        if (version === null) {
          await replaceFile(path, `${JSON.stringify(envelope, null, 2)}\n`);
          const text = `Your signature is in ${path}. It needs ${missing} more; give it to the next root.`;
          return { value, text: lines(changes, text) };
        }
        const before = chain.length > 0 ? JSON.parse(await readFile(file, 'utf8')).versions : [];
        const whole = { format: TRUST_FILE_FORMAT, versions: [...before, envelope] };
        await replaceFile(file, `${JSON.stringify(whole, null, 2)}\n`);
        const text = `Version ${version.number} is in ${file}. Pin it in deployments: "pin": ${JSON.stringify(version)}`;
        return { value, text: lines(changes, text) };
      }),
  ]);

const COPIES = [
  '--copies <folder>',
  'folder with copies of the ledgers, ledger/POPULATION/…; the release store of the deployment otherwise',
] as const;

/** Where the newest entries of ledgers are read. */
const copiesOf = async ({ copies }: { copies?: string }): Promise<ObjectStore> =>
  copies === undefined ? releaseStore() : new FolderStore(copies);

const writeDraft = (path: string, draft: TrustVersion): Promise<void> =>
  writeNewFile(path, `${JSON.stringify(draft, null, 2)}\n`, 0o644);

/** Reads `NAME=FILE`; a name may hold an equals sign. Throws USAGE. */
async function readApprover(text: string): Promise<{ subject: string; key: string }> {
  const at = text.lastIndexOf('=');
  if (at < 1) throw wrongUse('--approver takes a name and the file of a key: ada@example.org=ada.pub');
  return { subject: text.slice(0, at), key: await readKey(text.slice(at + 1)) };
}

/** The id of a key in a file, or of the one key whose id begins so. Throws KEY_INVALID and USAGE. */
async function readKeyId(text: string, { roots, ledgers, publishers, approvers }: TrustVersion): Promise<string> {
  if (existsSync(text) || !/^[0-9a-f]{8,64}$/.test(text)) return keyIdOfPem(await readKey(text));
  const keys = [...roots.keys.map((key) => ({ key })), ...ledgers, ...publishers, ...approvers];
  const [match, ...others] = keys.map(credentialKeyId).filter((id) => id.startsWith(text));
  if (match !== undefined && others.length === 0) return match;
  throw wrongUse(`The trust file names ${match ? 'several keys' : 'no key'} whose id begins so.`);
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
