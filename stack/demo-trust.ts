import { mkdir, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import { firstDraft } from '../client/trust/trust-draft.ts';
import { POLICY_FORMAT, POLICY_POWERS, type Policy, policySchema } from '../contracts/formats/policy.ts';
import { TRUST_FILE_FORMAT } from '../contracts/formats/trust.ts';
import { canonicalJson } from '../core/json/canonical.ts';
import { generateSigningKey, keyIdOf, publicKeyOf, readPublicKey, type SigningKey } from '../services/signing/keys.ts';
import { signDocument } from '../services/signing/signed-document.ts';
import { DEMO_ROLES, type DemoRole, type EmbeddedFiles, textOrNull } from './embedded-files.ts';

/** What the trust file and the policy of an embedded stack say beyond its own keys. */
export type DemoTrust = {
  /** People who may decide beside the approver of the examples. */
  approvers: readonly { subject: string; publicKey: string }[];
  /** Approvals that every release needs at least. */
  required: number;
  populations: Policy['populations'];
};

/** The approver of the examples, whose key the embedded stack makes. */
export const DEMO_APPROVER = 'demo-approver';

/**
 * Makes the keys of every role, a trust file and a policy for the embedded stack, all marked as a demo. What is there
 * stays; a policy that lacks a population, or has it otherwise, is written again under the next number.
 */
export async function provideDemoTrust(files: EmbeddedFiles, demo: DemoTrust): Promise<void> {
  const keys = {} as Record<DemoRole, SigningKey>;
  for (const role of DEMO_ROLES) keys[role] = await demoKey(files, role);
  if ((await textOrNull(files.trust)) === null)
    await writeFile(files.trust, demoTrustFile(keys, demo), { mode: 0o600 });
  await writePolicy(files, keys.policy, demo.populations);
}

/** The key of a role; made on this computer when it is not there. */
export async function demoKey(files: EmbeddedFiles, role: DemoRole): Promise<SigningKey> {
  const path = files.key(role);
  const privateKey = await textOrNull(path);
  if (privateKey !== null) {
    const publicKey = publicKeyOf(privateKey);
    return { privateKey, publicKey, keyid: keyIdOf(readPublicKey(publicKey)) };
  }
  const key = generateSigningKey();
  await mkdir(files.keys, { recursive: true, mode: 0o700 });
  await writeFile(path, key.privateKey, { mode: 0o600 });
  await writeFile(`${path}.pub`, key.publicKey);
  return key;
}

function demoTrustFile(keys: Record<DemoRole, SigningKey>, { approvers, required }: DemoTrust): string {
  const everybody = [{ subject: DEMO_APPROVER, publicKey: keys.demo.publicKey }, ...approvers];
  const version = firstDraft({
    organisation: 'Demo on this computer',
    required,
    demo: true,
    roots: { keys: [keys.root.publicKey], threshold: 1 },
    ledgers: [keys.ledger.publicKey],
    publishers: [keys.publisher.publicKey],
    approvers: everybody.map(({ subject, publicKey: key }) => ({ subject, key })),
  });
  const file = { format: TRUST_FILE_FORMAT, versions: [signDocument(version, keys.root.privateKey)] };
  return `${JSON.stringify(file, null, 2)}\n`;
}

async function writePolicy(files: EmbeddedFiles, key: SigningKey, populations: Policy['populations']): Promise<void> {
  const text = await textOrNull(files.policy);
  const before = text === null ? null : policySchema.parse(parse(text));
  const all = { ...before?.populations, ...populations };
  if (before !== null && canonicalJson(before.populations) === canonicalJson(all)) return;
  const policy: Policy = {
    format: POLICY_FORMAT,
    number: (before?.number ?? 0) + 1,
    demo: true,
    keys: [{ name: 'demo policy key', key: key.publicKey, may: [...POLICY_POWERS], revoked: false }],
    revokedSeries: [],
    populations: all,
  };
  // Aliases are not allowed in a policy, and equal rules of two populations may be one object here.
  await writeFile(files.policy, stringify(policy, { aliasDuplicateObjects: false }), { mode: 0o600 });
}
