import { expect } from 'vitest';
import { CANARY, type Format } from './formats.fixture.ts';
import { numbers } from './mutation.fixture.ts';

/** The longest that one meal of inputs may take on a busy machine, in milliseconds: what takes longer hangs. */
const HANGS_MS = 150_000;

/**
 * Feeds `count` mutated inputs to a format: none crashes or hangs what reads it, none puts the canary of the data into
 * an answer, and none changes the prototype of all objects. Gives how many answers there were. A failure names its
 * seed.
 */
export async function feedMutated(format: Format, count: number, seed: number): Promise<number> {
  const fed = await format.open();
  let meals = 0;
  for (let from = 0; from < count; from += format.atOnce, meals += 1) {
    const inputs = Array.from({ length: Math.min(format.atOnce, count - from) }, (_, place) =>
      fed.mutated(numbers(seed * 1_000_003 + from + place)),
    );
    const began = performance.now();
    const answer = await fed.feed(inputs).catch((error: unknown) => {
      throw new Error(`${format.name}, seed ${seed}, input ${from}: ${String(error)}`, { cause: error });
    });
    expect(performance.now() - began, `${format.name}, seed ${seed}, input ${from}`).toBeLessThan(HANGS_MS);
    expect(answer, `${format.name}, seed ${seed}, input ${from}`).not.toContain(CANARY);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }
  return meals;
}
