import type { Carried } from './carry-through.ts';
import { differingOutputs, ledgerErrors, type Places, scratchLeftovers } from './release-checks.ts';
import type { Reliability } from './reliability-record.ts';
import type { TestStack } from './test-stack.ts';

/** What came of one release that met a fault: its row of the page, and a line for whoever has to find out why. */
export type Outcome = { row: Reliability; line: string };

/** Looks at all that an ended release left. `leftovers` are those that the caller found besides scratch. */
export async function outcomeOf(
  stack: TestStack,
  places: Places,
  { run, status, heldBack }: Carried,
  { fault, injected, seed, leftovers = [] }: { fault: string; injected: number; seed: number; leftovers?: string[] },
): Promise<Outcome> {
  const published = status.state === 'published';
  const differing = published ? await differingOutputs(places, run) : [];
  const errors = published ? await ledgerErrors(places, run) : [];
  const left = [
    ...(await scratchLeftovers(stack.files.scratch('private'))),
    ...(await scratchLeftovers(stack.files.scratch('public'))),
    ...leftovers,
  ];
  const row = {
    fault,
    injected,
    releases: 1,
    completed: published ? 1 : 0,
    failedClearly: status.state === 'failed' && status.ending ? 1 : 0,
    outputsDiffering: differing.length,
    ledgerErrors: errors.length,
    leftovers: left.length,
    seed,
  };
  const held = heldBack.size > 0 ? ` (held back by ${[...heldBack].join(', ')})` : '';
  return { row, line: `${fault}: ${status.state}${held} ${[...differing, ...errors, ...left].join(' ')}` };
}
