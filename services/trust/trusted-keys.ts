import { EVERYWHERE, type TrustVersion } from '../../contracts/formats/trust.ts';
import { keyIdOfPem } from '../signing/keys.ts';

/** A key of a trust file with the entries of ledgers between which it is valid. */
export type TrustedKey = TrustVersion['publishers'][number];

type Limited = Pick<TrustedKey, 'valid'>;

/** A place in the ledger of a population. */
export type LedgerPlace = { population: string; sequence: number };

/** Is a key valid for what was signed when the ledger of the population had this many entries? Both ends are included. */
export function isValidAt({ valid }: Limited, { population, sequence }: LedgerPlace): boolean {
  if (valid === EVERYWHERE) return true;
  const interval = Object.hasOwn(valid, population) ? valid[population] : undefined;
  if (!interval) return false;
  return sequence >= (interval.from ?? 0) && sequence <= (interval.until ?? Number.MAX_SAFE_INTEGER);
}

/** May a key sign what speaks of now for a population? Not one that a version ends: it could say nothing new for ever. */
export const isCurrent = ({ valid }: Limited, population: string): boolean =>
  valid === EVERYWHERE || (Object.hasOwn(valid, population) && valid[population]!.until === undefined);

/** Does a version end a key in every population that it names? */
export const isRetired = ({ valid }: Limited): boolean =>
  valid !== EVERYWHERE && Object.values(valid).every(({ until }) => until !== undefined);

/** The public keys of those that are valid at a place. */
export const keysValidAt = (keys: readonly TrustedKey[], place: LedgerPlace): string[] =>
  keys.filter((key) => isValidAt(key, place)).map(({ key }) => key);

/** The one of these keys that has an id, or null. */
export const keyWithId = <Key extends TrustedKey>(keys: readonly Key[], keyid: string): Key | null =>
  keys.find(({ key }) => keyIdOfPem(key) === keyid) ?? null;
