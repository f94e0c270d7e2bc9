/** The part of yauzl that is used here; the package brings no types. */
declare module 'yauzl' {
  import type { Readable } from 'node:stream';

  export type Entry = { readonly fileName: string; readonly uncompressedSize: number; isEncrypted(): boolean };
  export type ZipFile = {
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<Readable>;
    close(): void;
  };
  export function openPromise(path: string, options?: { autoClose?: boolean }): Promise<ZipFile>;
}
