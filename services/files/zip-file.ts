import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** More entries than any archive of a table or a timetable has. */
const MOST_ENTRIES = 10_000;

/** An archive that is open: the names of its files, and how to read one of them. */
export type OpenZip = { names: readonly string[]; read(name: string): Promise<Readable> };

/**
 * Opens a ZIP archive of this machine for as long as the work takes. Names of folders and of what macOS adds are left
 * out. Throws Error for a file that is no archive, is damaged, or has more entries than anybody reads.
 */
export async function withZip<T>(path: string, work: (zip: OpenZip) => Promise<T>): Promise<T> {
  const zip = await openPromise(path, { autoClose: false });
  try {
    const entries = await entriesOf(zip);
    return await work({
      names: [...entries.keys()],
      read: async (name) => {
        const entry = entries.get(name);
        if (!entry || entry.isEncrypted()) throw new Error('no such file in the archive, or an encrypted one');
        return zip.openReadStreamPromise(entry);
      },
    });
  } finally {
    zip.close();
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/') || entry.fileName.startsWith('__MACOSX/')) continue;
    entries.set(entry.fileName, entry);
    if (entries.size > MOST_ENTRIES) throw new Error('too many entries');
  }
  return entries;
}
