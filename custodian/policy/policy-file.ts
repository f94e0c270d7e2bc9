import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { Numbered } from '../../contracts/formats/common.ts';
import { type Policy, type PolicyPower, policySchema } from '../../contracts/formats/policy.ts';
import { PRIVATE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { ReportIssue } from '../../contracts/series-issue.ts';
import { compare, formatRational, parseRational } from '../../core/rational/rational.ts';
import { readPeopleFile } from '../../services/files/people-file.ts';
import { keyIdOfPem } from '../../services/signing/keys.ts';
import { signingKeys } from '../../services/signing/signed-document.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';

/** A policy as it was read, with exact amounts in lowest terms, and with what ledgers name it by. */
export type ReadPolicy = { policy: Policy; numbered: Numbered };

/**
 * Reads the policy file of a custodian. Its digest is that of its content, however the file is laid out. Throws
 * POLICY_INVALID that names every mistake with its line and field; no key material is repeated.
 *
 * @contract C11a
 */
export const readPolicyFile = async (path: string): Promise<ReadPolicy> =>
  numberedPolicy(
    await readPeopleFile(path, 'POLICY_INVALID', policySchema, (policy, report) => {
      checkKeys(policy, report);
      checkPopulations(policy, report);
    }),
  );

/** A policy with the digest that ledgers name it by. Throws RangeError for an amount that is no number. */
export function numberedPolicy(given: Policy): ReadPolicy {
  const policy = inLowestTerms(given);
  return { policy, numbered: { number: policy.number, digest: sha256(jsonBytes(policy)) } };
}

/**
 * What a private worker does before it charges: it says in the private store by which number of the policy it goes, and
 * looks whether another one goes by a higher one. Throws TRUST_BEHIND.
 */
export async function settlePolicy(store: ObjectStore, { numbered }: ReadPolicy): Promise<void> {
  const own = PRIVATE_KEYS.policyNumber(numbered.number);
  const keys: string[] = [];
  for await (const { key } of store.list(PRIVATE_KEYS.policyNumbers)) keys.push(key);
  if (keys.some((key) => key > own))
    throw new OpalineError(
      'TRUST_BEHIND',
      `The policy of this worker has number ${numbered.number}, and another private worker goes by a later one; take the newest file.`,
    );
  if (!keys.includes(own)) await store.putIfAbsent(own, jsonBytes(numbered));
}

/** Keys that a program made for a trial are in everybody's hands. Throws POLICY_INVALID unless they are allowed. */
export function refuseDemoPolicy({ policy }: ReadPolicy, allowDemoKeys: boolean): void {
  if (!policy.demo || allowDemoKeys) return;
  throw new OpalineError(
    'POLICY_INVALID',
    'The policy holds demo keys; write one with keys of your own, or set allowDemoKeys for a trial.',
  );
}

function checkKeys({ keys }: Policy, report: ReportIssue): void {
  const seen = new Set<string>();
  for (const [place, { key }] of keys.entries()) {
    try {
      const id = keyIdOfPem(key);
      if (seen.has(id))
        report(['keys', place, 'key'], 'This key stands here twice; name it once with all that it may.');
      seen.add(id);
    } catch {
      report(['keys', place, 'key'], 'This is no Ed25519 public key in PEM; `opaline keygen` makes one.');
    }
  }
}

/** One source store belongs to one population (C12). */
function checkPopulations({ populations }: Policy, report: ReportIssue): void {
  const owners = new Map<string, string>();
  for (const [name, { sources, release, caps }] of Object.entries(populations)) {
    for (const [place, source] of sources.entries()) {
      const owner = owners.get(source);
      if (owner !== undefined)
        report(
          ['populations', name, 'sources', place],
          `The source ${source} belongs to ${owner} already; one source store holds one population.`,
        );
      owners.set(source, name);
    }
    for (const amount of ['epsilon', 'delta'] as const)
      for (const cap of ['block', 'year'] as const)
        if (compare(parseRational(release[amount]), parseRational(caps[cap][amount])) > 0)
          report(
            ['populations', name, 'release', amount],
            `One release may cost more than the cap of a ${cap}; lower it, or raise the cap.`,
          );
  }
}

const lowest = ({ epsilon, delta }: { epsilon: string; delta: string }) => ({
  epsilon: formatRational(parseRational(epsilon)),
  delta: formatRational(parseRational(delta)),
});

function inLowestTerms(policy: Policy): Policy {
  const populations = Object.entries(policy.populations).map(([name, one]) => [
    name,
    { ...one, release: lowest(one.release), caps: { block: lowest(one.caps.block), year: lowest(one.caps.year) } },
  ]);
  return { ...policy, populations: Object.fromEntries(populations) };
}

/** Has a key of the policy that may sign such a thing, and is not revoked, signed it? Throws SIGNATURE_INVALID. */
export const isSignedByPolicy = ({ keys }: Policy, power: PolicyPower, envelope: Envelope): boolean =>
  signingKeys(
    envelope,
    keys.filter(({ may, revoked }) => may.includes(power) && !revoked).map(({ key }) => key),
  ).size > 0;
