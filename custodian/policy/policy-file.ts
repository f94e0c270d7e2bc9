import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { Numbered } from '../../contracts/formats/common.ts';
import { type Policy, type PolicyPower, policySchema } from '../../contracts/formats/policy.ts';
import { type FieldPath, fieldName, formatIssue, type SeriesIssue } from '../../contracts/series-issue.ts';
import { compare, formatRational, parseRational } from '../../core/rational/rational.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';
import { has } from '../../services/files/fields.ts';
import { schemaMistakes } from '../../services/files/sentences.ts';
import { readYaml } from '../../services/files/yaml.ts';
import { keyIdOf, readPublicKey } from '../../services/signing/keys.ts';
import { signingKeys } from '../../services/signing/signed-document.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';

/** A policy as it was read, with exact amounts in lowest terms, and with what ledgers name it by. */
export type ReadPolicy = { policy: Policy; numbered: Numbered };

/** A policy names some populations and keys. */
const MOST_BYTES = 2 ** 20;

type Report = (path: FieldPath, sentence: string) => void;

/**
 * Reads the policy file of a custodian. Its digest is that of its content, however the file is laid out. Throws
 * POLICY_INVALID that names every mistake with its line and field; no key material is repeated.
 *
 * @contract C11a
 */
export async function readPolicyFile(path: string): Promise<ReadPolicy> {
  const { bytes, refusal } = await readBoundedFile(path, MOST_BYTES);
  const issues: SeriesIssue[] = [];
  if (refusal !== null) {
    const sentence = refusal === 'too large' ? 'The policy is larger than 1 MiB.' : 'The policy cannot be read.';
    throw invalid([{ file: path, line: 1, column: 1, field: '', sentence }]);
  }
  const yaml = readYaml(bytes.toString('utf8'));
  issues.push(...yaml.mistakes.map((mistake) => ({ file: path, field: '', ...mistake })));
  if (issues.length > 0) throw invalid(issues);
  const report: Report = (field, sentence) => {
    issues.push({ file: path, ...yaml.locate(field), field: fieldName(field), sentence });
  };
  const parsed = policySchema.safeParse(yaml.value);
  if (!parsed.success)
    for (const { path: field, sentence } of schemaMistakes(parsed.error.issues, (at) => has(yaml.value, at)))
      report(field, sentence);
  else {
    checkKeys(parsed.data, report);
    checkPopulations(parsed.data, report);
  }
  if (!parsed.success || issues.length > 0) throw invalid(issues);
  return numberedPolicy(parsed.data);
}

/** A policy with the digest that ledgers name it by. Throws RangeError for an amount that is no number. */
export function numberedPolicy(given: Policy): ReadPolicy {
  const policy = inLowestTerms(given);
  return { policy, numbered: { number: policy.number, digest: sha256(jsonBytes(policy)) } };
}

/** Keys that a program made for a trial are in everybody's hands. Throws POLICY_INVALID unless they are allowed. */
export function refuseDemoPolicy({ policy }: ReadPolicy, allowDemoKeys: boolean): void {
  if (!policy.demo || allowDemoKeys) return;
  throw new OpalineError(
    'POLICY_INVALID',
    'The policy holds demo keys; write one with keys of your own, or set allowDemoKeys for a trial.',
  );
}

const invalid = (issues: readonly SeriesIssue[]): OpalineError =>
  new OpalineError('POLICY_INVALID', issues.map(formatIssue).join('\n'));

function checkKeys({ keys }: Policy, report: Report): void {
  const seen = new Set<string>();
  for (const [place, { key }] of keys.entries()) {
    try {
      const id = keyIdOf(readPublicKey(key));
      if (seen.has(id))
        report(['keys', place, 'key'], 'This key stands here twice; name it once with all that it may.');
      seen.add(id);
    } catch {
      report(['keys', place, 'key'], 'This is no Ed25519 public key in PEM; `opaline keygen` makes one.');
    }
  }
}

/** One source store belongs to one population (C12). */
function checkPopulations({ populations }: Policy, report: Report): void {
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

type Amounts = { epsilon: string; delta: string };

const lowest = ({ epsilon, delta }: Amounts): Amounts => ({
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
