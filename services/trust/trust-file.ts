import type { Numbered } from '../../contracts/formats/common.ts';
import { readBoundedFile } from '../files/bounded-file.ts';
import { followFile } from '../files/changing-file.ts';
import {
  invalid,
  newestVersion,
  readTrustChain,
  requirePin,
  TRUST_FILE_BYTES,
  type TrustChain,
} from './trust-chain.ts';

/** What a deployment says of the trust file. */
export type TrustConfiguration = { file: string; pin?: Numbered | undefined };

/** Reads a trust file that a person or a deployment named, and walks its chain. Throws TRUST_INVALID. */
export async function readTrustFile(path: string): Promise<TrustChain> {
  const { bytes, refusal } = await readBoundedFile(path, TRUST_FILE_BYTES);
  if (bytes) return readTrustChain(bytes);
  throw invalid(
    refusal === 'too large'
      ? 'The trust file is larger than 8 MiB.'
      : `The trust file ${path} cannot be read; check its name.`,
  );
}

/**
 * A reader of the trust file of a deployment. It looks at the file each time, so that a new version acts at once, and
 * walks the chain when the file has changed. It throws TRUST_INVALID when the pinned version is not in it, or when its
 * keys are those of a trial and the deployment does not allow that; TRUST_BEHIND when it did so before and does not now.
 */
export const trustReader = ({ file, pin }: TrustConfiguration, allowDemoKeys: boolean): (() => Promise<TrustChain>) =>
  followFile(file, TRUST_FILE_BYTES, async () => {
    const chain = await readTrustFile(file);
    if (pin) requirePin(chain, pin);
    if (newestVersion(chain).demo && !allowDemoKeys)
      throw invalid('The keys of the trust file are those of a trial, and this deployment does not allow them.');
    return chain;
  });
