import { randomFillSync } from 'node:crypto';
import { OpalineError } from '../../contracts/errors.ts';
import type { RandomSource } from '../../core/random/random-source.ts';

/** Words fetched at a time: a call into the operating system costs as much as a thousand words. */
const POOL_WORDS = 4096;

/** The sources that operatingSystemRandom made in this process; a look-alike is not among them. */
const genuine = new WeakSet<RandomSource>();

/**
 * The random bits of production (C7): the cryptographic generator of the operating system's library, through a pool.
 * Every call makes a source with a pool of its own, in this process and thread. A word is cleared as it is handed
 * out, so it is not handed out twice and cannot be read from memory later.
 *
 * @contract C7
 */
export function operatingSystemRandom(): RandomSource {
  const source = pooledRandom(randomFillSync, () => process.pid);
  genuine.add(source);
  return source;
}

/**
 * The source itself, if it is one of operatingSystemRandom. Throws RANDOMNESS_REFUSED for any other, seeded or not.
 *
 * @contract C7
 */
export function requireProductionRandom(source: RandomSource): RandomSource {
  if (genuine.has(source)) return source;
  throw new OpalineError(
    'RANDOMNESS_REFUSED',
    `This worker was given a source of randomness that is ${source.kind === 'seeded' ? 'seeded' : 'not its own'}; start it without one.`,
  );
}

/**
 * A source over a pool that `fill` fills. Words belong to the process that fetched them: in a process with another id
 * (a copy, whose parent holds the same words) what is left in the pool is thrown away before the next word.
 */
export function pooledRandom(fill: (words: Uint32Array) => void, processId: () => number): RandomSource {
  const pool = new Uint32Array(POOL_WORDS);
  let next = POOL_WORDS;
  let owner = processId();
  return {
    kind: 'operating-system',
    uint32() {
      if (next === POOL_WORDS || processId() !== owner) {
        owner = processId();
        fill(pool);
        next = 0;
      }
      const word = pool[next]!;
      pool[next] = 0;
      next += 1;
      return word;
    },
    fill,
  };
}
