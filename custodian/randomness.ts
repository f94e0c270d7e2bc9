import { randomFillSync } from 'node:crypto';
import fs from 'node:fs';
import { OpalineError } from '../contracts/errors.ts';
import type { RandomSource } from '../core/random/random-source.ts';

/** The kernel's generator, the one behind getrandom. A kernel that learns that its machine was cloned reseeds it. */
const KERNEL = '/dev/urandom';

/** Words fetched at a time: a call into the operating system costs as much as a thousand words. */
const POOL_WORDS = 4096;

/** The sources that operatingSystemRandom made in this process; a look-alike is not among them. */
const genuine = new WeakSet<RandomSource>();

/**
 * The random bits of production (C7): the cryptographic generator of the operating system's kernel, through a pool. Not
 * Node's: that is OpenSSL's, which holds a state of its own in the process, and a clone of the machine would go on from
 * the same state. Every call makes a source with a pool of its own, in this process and thread; a stage that draws starts
 * with an empty one (withEmptyPool). A word is cleared as it is handed out, so it is not handed out twice and cannot be
 * read from memory later. Not covered: a machine that is cloned while a stage draws.
 *
 * @contract C7
 */
export function operatingSystemRandom(): RandomSource {
  const source = poolRandom(kernelFill, () => process.pid);
  genuine.add(source);
  return source;
}

/**
 * The context with an empty pool, for one stage that draws: what was fetched before a machine was cloned is not used
 * after it. A source of tests stays as it is.
 */
export const withEmptyPool = <Context extends { readonly random: RandomSource }>(context: Context): Context =>
  genuine.has(context.random) ? { ...context, random: operatingSystemRandom() } : context;

/** Fills all places from the kernel. Throws RANDOMNESS_REFUSED when its device is something else on this machine. */
function kernelFill(words: Uint32Array | Uint16Array): void {
  // OpenSSL waits until the kernel's generator has its seed, which only a machine that has just started lacks.
  randomFillSync(new Uint8Array(1));
  const device = fs.openSync(KERNEL, 'r');
  try {
    if (!fs.fstatSync(device).isCharacterDevice()) throw notTheKernel();
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    for (let at = 0; at < bytes.length; ) {
      const size = fs.readSync(device, bytes, at, bytes.length - at, null);
      if (size === 0) throw notTheKernel();
      at += size;
    }
  } finally {
    fs.closeSync(device);
  }
}

const notTheKernel = (): OpalineError =>
  new OpalineError('RANDOMNESS_REFUSED', `${KERNEL} is not the random generator of the kernel; mend the machine.`);

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
export function poolRandom(fill: (words: Uint32Array | Uint16Array) => void, processId: () => number): RandomSource {
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
