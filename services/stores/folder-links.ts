import { realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { OpalineError } from '../../contracts/errors.ts';
import { hasCode } from '../system-error.ts';

/**
 * Symbolic links of a folder store. One that stays inside is followed. One that leads out would let whoever can write a
 * name there have any file read that the worker can read; it counts as an object that cannot be read.
 */
export function folderLinks(root: string) {
  let realRoot: string | null = null;
  const isOutside = async (real: string): Promise<boolean> => {
    // The root may be a link itself, which the operator has set.
    realRoot ??= await realOf(root);
    return realRoot !== null && !real.startsWith(withEnd(realRoot));
  };
  return {
    /** Is what is there under the path outside of the store, over whatever links? What leads nowhere is not. */
    leadsOut: async (path: string | Buffer): Promise<boolean> => {
      const real = await realOf(path);
      return real !== null && isOutside(real);
    },
    /**
     * Throws OBJECT_UNREADABLE when the path leads out of the store, or would when it was written: where nothing is
     * there, the nearest folder above it decides. Cost: one look at the file system for a path that is there.
     */
    refuseOutside: async (path: string): Promise<void> => {
      for (let there = path; there.length > root.length; there = dirname(there)) {
        const real = await realOf(there);
        if (real === null) continue;
        if (await isOutside(real)) throw unreadable('leads out of its store');
        return;
      }
    },
  };
}

const realOf = (path: string | Buffer): Promise<string | null> => realpath(path).catch(() => null);

const withEnd = (folder: string): string => (folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** A link that leads round and round is one object that cannot be read, and no fault of the store. */
export const withoutCircles = <T>(action: Promise<T>): Promise<T> =>
  action.catch((error: unknown) => {
    throw hasCode(error, 'ELOOP') ? unreadable('leads back to itself') : error;
  });

const unreadable = (what: string): OpalineError =>
  new OpalineError('OBJECT_UNREADABLE', `An object is a link that ${what}; put the file itself there.`);
