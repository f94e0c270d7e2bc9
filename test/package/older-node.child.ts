import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

/** Loaded before a program (`--import`): takes away what a Node 20 has not got, so that nobody relies on it. */
const none = undefined as never;
zlib.zstdDecompressSync = none;
zlib.zstdCompressSync = none;
fs.glob = none;
syncBuiltinESMExports();
for (const [owner, names] of [
  [Map, ['groupBy']],
  [Object, ['groupBy']],
  [Promise, ['withResolvers', 'try']],
  [Array, ['fromAsync']],
  [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']],
  [
    Object.getPrototypeOf(Object.getPrototypeOf([].values())),
    ['map', 'filter', 'take', 'drop', 'toArray', 'some', 'every'],
  ],
  [URL, ['parse']],
] as const)
  for (const name of names) Reflect.deleteProperty(owner, name);
