import { beforeAll, describe, expect, test } from 'vitest';
import type { LinearProgramSolver } from '../../core/audit/attacks/linear-bounds.ts';
import { auditRelease, REGISTRY, type Registry } from '../../core/audit/verdict.ts';
import { seededSource } from '../../core/random/seeded-source.ts';
import { honestDraw, honestMechanism, loadSolver, releaseOf, shadowOf } from './honest-release.fixture.ts';
import { MUTANTS, type Mutant } from './mutants.fixture.ts';

let solve: LinearProgramSolver;
beforeAll(async () => {
  solve = await loadSolver();
});

/** Seeds of the normal run; each mutant has to be caught with every one of them. */
const SEEDS = [1, 2];
/** Fewer tables than in production: the mutants are coarse. */
const TABLES = 12;

const honestShadow = shadowOf(honestMechanism(seededSource(100)), TABLES);

const HONEST: Mutant = { check: '', name: 'the production code' };

function auditOf(
  { draw = honestDraw, subject = (one) => one, mechanism = honestMechanism }: Mutant,
  seed: number,
  registry: Registry,
) {
  const random = seededSource(seed);
  const released = subject(releaseOf(draw(random), draw(random), solve));
  const shadow = mechanism === honestMechanism ? honestShadow : shadowOf(mechanism(random), TABLES);
  return auditRelease(released, shadow, registry);
}

const caughtBy = (mutant: Mutant, seed: number, registry: Registry = REGISTRY): string[] =>
  auditOf(mutant, seed, registry)
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id }) => id);

const ids = auditOf(HONEST, 1, REGISTRY).checks.map(({ id }) => id);
const { output, mechanism } = REGISTRY;
/** The registry without the check at a place of the report. */
const without = (place: number): Registry => ({
  output: output.filter((_, index) => index !== place),
  mechanism: mechanism.filter((_, index) => index + output.length !== place),
});

describe('the checks of the audit', () => {
  test('each has a name of its own and a mutant that it has to catch', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(MUTANTS.map(({ check }) => check).sort()).toEqual(ids.toSorted());
  });

  // A check whose decision is turned round would fail here.
  test.each(SEEDS)('all pass the production code (seed %i)', (seed) => {
    expect(caughtBy(HONEST, seed)).toEqual([]);
  });
});

describe.each(MUTANTS)('$check, against $name', (mutant) => {
  test('catches it, and no check that has nothing to do with it does', () => {
    for (const seed of SEEDS) {
      const found = caughtBy(mutant, seed);
      expect(found).toContain(mutant.check);
      const others = found.filter((id) => id !== mutant.check && !mutant.seenBy?.includes(id));
      expect(others).toEqual([]);
    }
  });

  test('is needed: without it nothing, or only what overlaps with it, is left', () => {
    const rest = caughtBy(mutant, SEEDS[0]!, without(ids.indexOf(mutant.check)));
    expect(rest).not.toContain(mutant.check);
    if (!mutant.seenBy) expect(rest).toEqual([]);
  });
});
