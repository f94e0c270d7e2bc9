import { OpalineError } from '../../contracts/errors.ts';
import { sha256 } from '../stores/json-objects.ts';
import { readBoundedFile } from './bounded-file.ts';

/**
 * A reader of a file that people replace while a process runs: it looks at the file each time, and reads it as `read`
 * does when its bytes are others. A file that was good and is not any more is TRUST_BEHIND: the process goes by nothing
 * old, and another host may have the right one. Throws what `read` throws at first.
 */
export function followFile<T>(path: string, mostBytes: number, read: (path: string) => Promise<T>): () => Promise<T> {
  let last: { digest: string; value: T } | null = null;
  return async () => {
    const { bytes } = await readBoundedFile(path, mostBytes);
    const digest = bytes && sha256(bytes);
    if (last?.digest === digest && last) return last.value;
    try {
      const value = await read(path);
      if (digest) last = { digest, value };
      return value;
    } catch (error) {
      if (!last || !(error instanceof OpalineError)) throw error;
      throw new OpalineError(
        'TRUST_BEHIND',
        `The trust file, policy or key of this process was replaced by one that it cannot use (${error.code}); \`opaline check\` says why.`,
      );
    }
  };
}
