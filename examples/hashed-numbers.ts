import { createHash } from 'node:crypto';
import type { RandomSource } from '../core/random/random-source.ts';

/** Numbers that follow from a name: everybody makes the same data of an example. */
export function numbersOf(name: string): RandomSource {
  let count = 0;
  const uint32 = (): number => {
    count += 1;
    return createHash('sha256').update(`${name} ${count}`).digest().readUInt32BE();
  };
  return { kind: 'seeded', uint32, fill: (target) => target.set(Array.from(target, () => uint32() >>> 16)) };
}
