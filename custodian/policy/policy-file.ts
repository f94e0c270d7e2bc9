import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { Numbered } from '../../contracts/formats/common.ts';
import { type Policy, type PolicyPower, type PopulationPolicy, policySchema } from '../../contracts/formats/policy.ts';
import { PRIVATE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { ReportIssue } from '../../contracts/series-issue.ts';
import { accountingOf, measuresOf } from '../../core/accounting/charged-amount.ts';
import { compare, formatRational, parseRational } from '../../core/rational/rational.ts';
import { readPeopleFile } from '../../services/files/people-file.ts';
import { greatestCharge } from '../../services/orders/takeover-order.ts';
import { keyIdOfPem } from '../../services/signing/keys.ts';
import { findSigners } from '../../services/signing/signed-document.ts';
import { jsonBytes, keysBelow, sha256 } from '../../services/stores/json-objects.ts';

/** A policy as it was read, with exact amounts in lowest terms, and with what ledgers name it by. */
export type ReadPolicy = { policy: Policy; numbered: Numbered };

/**
 * Reads the policy file of a custodian. Its digest is that of its content, however the file is laid out. Throws
 * POLICY_INVALID that names every mistake with its line and field; no key material is repeated.
 *
 * @contract C11a
 */
export const readPolicyFile = async (path: string): Promise<ReadPolicy> =>
  numberPolicy(
    await readPeopleFile(path, 'POLICY_INVALID', policySchema, (policy, report) => {
      checkKeys(policy, report);
      checkPopulations(policy, report);
    }),
  );

/** A policy with the digest that ledgers name it by. Throws RangeError for an amount that is no number. */
export function numberPolicy(input: Policy): ReadPolicy {
  const policy = inLowestTerms(input);
  return { policy, numbered: { number: policy.number, digest: sha256(jsonBytes(policy)) } };
}

/**
 * What a private worker does before it charges: it says in the private store by which number of the policy it goes, and
 * looks whether another one goes by a higher one. Throws TRUST_BEHIND.
 */
export async function settlePolicy(store: ObjectStore, { numbered }: ReadPolicy): Promise<void> {
  const own = PRIVATE_KEYS.policyNumber(numbered.number);
  const keys = await keysBelow(store, PRIVATE_KEYS.policyNumbers);
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
  const ids = new Set<string>();
  for (const [place, { key }] of keys.entries()) {
    try {
      const id = keyIdOfPem(key);
      if (ids.has(id)) report(['keys', place, 'key'], 'This key is here twice; name it once with all that it may.');
      ids.add(id);
    } catch {
      report(['keys', place, 'key'], 'This is no Ed25519 public key in PEM; `opaline keygen` makes one.');
    }
  }
}

/** One source store belongs to one population (C12). */
function checkPopulations({ populations }: Policy, report: ReportIssue): void {
  const owners = new Map<string, string>();
  for (const [name, one] of Object.entries(populations)) {
    const { sources, caps } = one;
    for (const [place, source] of sources.entries()) {
      const owner = owners.get(source);
      if (owner !== undefined)
        report(
          ['populations', name, 'sources', place],
          `The source ${source} belongs to ${owner} already; one source store holds one population.`,
        );
      owners.set(source, name);
    }
    const at = ['populations', name];
    const wrong = accountingMistake(one);
    if (wrong) {
      report([...at, wrong.field], wrong.sentence);
      continue;
    }
    for (const cap of ['block', 'year'] as const)
      for (const { sign, pair } of measuresOf(greatestCharge(one), caps[cap]))
        if (compare(parseRational(pair[0]), parseRational(pair[1])) > 0)
          report(
            [...at, 'release', FIELDS[sign]],
            `One release may cost more than the cap of a ${cap}; lower it, or raise the cap.`,
          );
  }
}

const FIELDS = { ε: 'epsilon', δ: 'delta', ρ: 'rho' } as const;

/** Mechanisms of which a ρ is charged (C12). */
const MECHANISMS_OF_RHO: readonly string[] = ['complete-domain', 'discrete-gaussian'];

/** What does not fit the way in which a population counts; null where all does. */
function accountingMistake({ accounting, release, caps, mechanisms }: PopulationPolicy) {
  const mistake = (field: 'release' | 'caps' | 'mechanisms', sentence: string) => ({ field, sentence });
  if (accountingOf(caps.block) !== accounting)
    return mistake(
      'caps',
      `The accounting is ${accounting}: write the caps in ${accounting === 'rho' ? 'rho' : 'epsilon and delta'}.`,
    );
  if ((release.rho !== undefined) !== (accounting === 'rho'))
    return mistake('release', 'release.rho, the greatest ρ of one release, goes with accounting: rho.');
  if (accounting === 'pure') return null;
  if (parseRational(release.delta).numerator === 0n)
    return mistake('release', 'ε is shown beside ρ at release.delta, which has to be above 0, such as 1e-8.');
  return mechanisms.every((name) => MECHANISMS_OF_RHO.includes(name))
    ? null
    : mistake('mechanisms', `A population that counts ρ has ${MECHANISMS_OF_RHO.join(' and ')} alone.`);
}

/** Every amount of a group in lowest terms. */
const lowest = <Amounts extends object>(amounts: Amounts): Amounts =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, text]: [string, string | undefined]) => [
      name,
      text && formatRational(parseRational(text)),
    ]),
  ) as Amounts;

function inLowestTerms(policy: Policy): Policy {
  const populations = Object.entries(policy.populations).map(([name, one]) => [
    name,
    { ...one, release: lowest(one.release), caps: { block: lowest(one.caps.block), year: lowest(one.caps.year) } },
  ]);
  return { ...policy, populations: Object.fromEntries(populations) };
}

/** Has a key of the policy that may sign such a thing, and is not revoked, signed it? Throws SIGNATURE_INVALID. */
export function isSignedByPolicy({ keys }: Policy, power: PolicyPower, envelope: Envelope): boolean {
  const able = keys.filter(({ may, revoked }) => may.includes(power) && !revoked).map(({ key }) => key);
  return findSigners(envelope, able).size > 0;
}
