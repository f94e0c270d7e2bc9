import { type Envelope, envelopeSchema } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { EVERYWHERE, TRUST_FORMAT, type TrustVersion, trustVersionSchema } from '../../contracts/formats/trust.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { nesting } from '../../core/json/nesting.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';
import { walkLedger } from '../../services/ledger/ledger.ts';
import { listPopulations } from '../../services/ledger/populations.ts';
import { type Credential, credentialKeyId } from '../../services/signing/credential.ts';
import { keyIdOfPem } from '../../services/signing/keys.ts';
import { jsonOrNull } from '../../services/stores/json-objects.ts';
import { everyAppliedSeries } from '../../services/stores/series-objects.ts';
import { ledgerKeysOf } from '../../services/trust/ledger-keys.ts';
import { mistakeOf, newestVersion, TRUST_FILE_BYTES, type TrustChain } from '../../services/trust/trust-chain.ts';
import type { TrustedKey } from '../../services/trust/trusted-keys.ts';

/** What a first version says: everything that people choose. Keys are public ones, SPKI PEM. */
export type TrustTerms = Pick<TrustVersion, 'organisation' | 'roots' | 'required' | 'demo'> & {
  ledgers: string[];
  publishers: string[];
  approvers: (Credential & { subject: string })[];
};

/** The deepest version of a trust file has five levels. */
const LEVELS = 16;

/** A first version, for its roots to sign. Throws TRUST_INVALID. */
export const firstDraft = ({ ledgers, publishers, approvers, ...terms }: TrustTerms): TrustVersion =>
  sound({
    format: TRUST_FORMAT,
    number: 1,
    previous: null,
    tips: {},
    ...terms,
    ledgers: ledgers.map((key) => ({ key, valid: EVERYWHERE })),
    publishers: publishers.map((key) => ({ key, valid: EVERYWHERE })),
    approvers: approvers.map((approver) => ({ ...approver, valid: EVERYWHERE })),
  });

/**
 * The version that follows a file, with what its newest one says, and the tips of the ledgers of which copies are in a
 * store, which are 0 where a series is applied and nothing is charged: people change it, and then the roots sign it.
 * Throws LEDGER_BROKEN, and TRUST_INVALID when the copies end before what the newest version names.
 */
export async function nextDraft(chain: TrustChain, copies: ObjectStore): Promise<TrustVersion> {
  const { digest, envelope, ...newest } = newestVersion(chain);
  const tips: TrustVersion['tips'] = {};
  for (const population of await listPopulations(copies, await everyAppliedSeries(copies)))
    tips[population] = (await walkLedger(copies, population, ledgerKeysOf(chain))).entries.length;
  for (const [population, sequence] of Object.entries(newest.tips))
    if ((tips[population] ?? 0) < sequence)
      throw invalid(
        `The ledger of ${population} ends at entry ${tips[population] ?? 0}, and the trust file names entry ${sequence}; take a whole copy.`,
      );
  return { ...newest, number: newest.number + 1, previous: digest, tips };
}

/**
 * What becomes of a key: it holds up to the tips of the draft and `grace` entries more, or when it was stolen for nothing
 * that it ever signed. Grace null: as much as `GRACE` for the key of a worker that has a successor, else none.
 */
export type Ending = { keyid: string; isStolen: boolean; successor: string | null; grace: number | null };

/**
 * Entries that workers may append between the draft and the moment in which the first of them has the file: it stops the
 * others. With fewer an entry of the old key would break the ledger; a back-fill of hundreds of windows needs an hour.
 */
export const GRACE = 1000;

type Validity = Pick<TrustedKey, 'valid'>;

/**
 * A draft in which a key is ended, and another (SPKI PEM) takes its place if there is one, with the same name and series.
 * Throws TRUST_INVALID when the draft does not name the key, when it is ended already, and for a stolen key of a ledger.
 */
export function endKey(draft: TrustVersion, { keyid, isStolen, successor, grace }: Ending): TrustVersion {
  const { roots, ledgers, publishers, approvers, tips } = draft;
  const isIt = (key: string): boolean => keyIdOfPem(key) === keyid;
  const isOf = (one: Credential): boolean => credentialKeyId(one) === keyid;
  const entry = [...ledgers, ...publishers, ...approvers].find(isOf);
  if (!entry && !roots.keys.some(isIt)) throw invalid('The trust file does not name the key.');
  const tipOf = (name: string): number => tips[name] ?? 0;
  const hasEnded = ({ valid }: Validity): boolean =>
    valid !== EVERYWHERE && Object.entries(valid).every(([name, { until = Infinity }]) => until <= tipOf(name));
  if (entry && hasEnded(entry)) throw invalid('The key is retired already.');
  if (isStolen && ledgers.some(({ key }) => isIt(key)))
    throw invalid('Every ledger hangs on the keys that signed it: retire this one, and never take it out.');
  const isOfWorker = [...ledgers, ...publishers].some(isOf);
  const more = grace ?? (isOfWorker && successor !== null ? GRACE : 0);
  const everyLedger = Object.fromEntries(Object.keys(tips).map((name) => [name, {}]));
  const replaceKey = <Key extends Credential & Validity>(
    keys: readonly Key[],
    renew: (one: Key, key: string, valid: TrustedKey['valid']) => Key,
  ): Key[] =>
    keys.flatMap((one) => {
      if (!isOf(one)) return [one];
      const places = Object.entries<{ until?: number }>(one.valid === EVERYWHERE ? everyLedger : one.valid);
      const limits = Object.fromEntries(
        places.map(([name, place]) => [
          name,
          { ...place, until: Math.min(place.until ?? Infinity, tipOf(name) + more) },
        ]),
      );
      const rest = Object.fromEntries(places.flatMap(([name, { until }]) => (until === undefined ? [[name, {}]] : [])));
      const old = isStolen ? [] : [{ ...one, valid: limits }];
      const valid = one.valid === EVERYWHERE ? EVERYWHERE : rest;
      return successor === null ? old : [...old, renew(one, successor, valid)];
    });
  const ofWorker = (one: TrustedKey, key: string, valid: TrustedKey['valid']): TrustedKey => ({ ...one, key, valid });
  return sound({
    ...draft,
    roots: { ...roots, keys: roots.keys.flatMap((key) => (isIt(key) ? (successor ?? []) : [key])) },
    ledgers: replaceKey(ledgers, ofWorker),
    publishers: replaceKey(publishers, ofWorker),
    // A key file takes the place of a passkey too.
    approvers: replaceKey(approvers, ({ subject, series }, key, valid) => ({
      subject,
      ...(series && { series }),
      key,
      valid,
    })),
  });
}

/** A version that people wrote, or one that some roots have signed. */
export type Draft = { version: TrustVersion; envelope: null } | { version: null; envelope: Envelope };

/** Reads a draft from a file. Throws TRUST_INVALID with every field that is not as it has to be. */
export async function readDraft(path: string): Promise<Draft> {
  const { bytes } = await readBoundedFile(path, TRUST_FILE_BYTES);
  if (!bytes) throw invalid(`${path} cannot be read; name the draft of a version.`);
  const text = bytes.toString('utf8');
  const value = nesting(text) > LEVELS ? null : jsonOrNull(text);
  const envelope = envelopeSchema.safeParse(value);
  if (envelope.success) return { version: null, envelope: envelope.data };
  const version = trustVersionSchema.safeParse(value);
  if (version.success) return { version: sound(version.data), envelope: null };
  const fields = version.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
  throw invalid(`${path} is no version of a trust file. ${fields.join('; ')}.`);
}

function sound(version: TrustVersion): TrustVersion {
  const mistake = mistakeOf(version);
  if (mistake) throw invalid(`The version is not sound: ${mistake}`);
  return version;
}

const invalid = (sentence: string): OpalineError => new OpalineError('TRUST_INVALID', sentence);
