import type { AuditCheck } from '../../contracts/audit-report.ts';
import type { LinearProgramSolver } from '../../core/linear-program/solver.ts';
import { auditRelease, REGISTRY, type Registry } from '../../counts/audit/audit-release.ts';
import { countInterference } from '../../counts/audit/mechanism/interference.ts';
import { inColumns } from '../support/row-subject.ts';
import { seededSource } from '../support/seeded-source.ts';
import {
  type Guarantee,
  HISTOGRAM,
  honestDraw,
  honestDraws,
  honestMechanism,
  releaseOf,
  shadowOf,
} from './honest-release.fixture.ts';
import type { Mutant } from './mutants/mutant.fixture.ts';

/** Shadow tables of one run: 32 noise values of large counts each. Production draws 480. */
export const TABLES = 48;

/** How often each check did not pass, over `runs` seeded runs of one mutant. */
export type MatrixRow = { mutant: Mutant; runs: number; caught: ReadonlyMap<string, number> };

/** Answers for a subject that several runs share are worked out once. */
const remembered = <Subject extends object, Rest extends unknown[]>(
  check: (subject: Subject, ...rest: Rest) => AuditCheck,
): ((subject: Subject, ...rest: Rest) => AuditCheck) => {
  const known = new WeakMap<Subject, Map<string, AuditCheck>>();
  return (subject, ...rest) => {
    const answers = known.get(subject) ?? new Map<string, AuditCheck>();
    known.set(subject, answers);
    const level = String(rest.at(-1));
    const answer = answers.get(level) ?? check(subject, ...rest);
    answers.set(level, answer);
    return answer;
  };
};
/** Warnings are of deliveries, not of the guarantee: counts/audit/warnings/warnings.test.ts shows what they find. */
const registry: Registry = {
  output: REGISTRY.output.map(remembered),
  mechanism: REGISTRY.mechanism.map(remembered),
  warnings: [],
};

/** The honest half of a run: what is not broken is drawn once and shared. */
const honestHalf = ({ certificate, ...guarantee }: Guarantee) => ({
  released: releaseOf(honestDraws(seededSource(100), certificate), null, {
    certificate,
    ...guarantee,
  }),
  shadow: shadowOf(honestMechanism(seededSource(102), certificate), TABLES, { certificate, ...guarantee }),
});
const halves = new Map<Guarantee, ReturnType<typeof honestHalf>>();
function sharedHalf(guarantee: Guarantee) {
  const half = halves.get(guarantee) ?? honestHalf(guarantee);
  halves.set(guarantee, half);
  return half;
}

/** The ids of the checks that do not pass a mutant. Linear programs take longest and run only where it is their turn. */
export function caughtBy(mutant: Mutant, seed: number, solver: LinearProgramSolver): string[] {
  const { guarantee = HISTOGRAM, draw, subject, mechanism, underNoise, tables = TABLES } = mutant;
  const random = seededSource(seed);
  const { certificate } = guarantee;
  const drawOf = draw ?? ((source: typeof random) => honestDraw(source, certificate));
  const solve = mutant.check === 'linear-bounds' ? solver : null;
  const draws = () => ({
    now: drawOf(random, seed),
    earlier: drawOf(random, seed),
    sibling: honestDraw(random, certificate),
  });
  const fresh = () => releaseOf(draws(), solve, guarantee);
  const released = draw || subject ? (subject ?? ((one) => one))(fresh(), random) : sharedHalf(guarantee).released;
  const shadow = mechanism ? shadowOf(mechanism(random, seed), tables, guarantee) : sharedHalf(guarantee).shadow;
  const interference = underNoise ? countInterference(certificate, random, underNoise) : guarantee.interference;
  const seen = underNoise ? { ...shadow, interference } : shadow;
  return notPassed(auditRelease(inColumns(released), seen, registry).checks);
}

/** The ids of the checks that do not pass an honest release, of which everything is drawn again. */
export function alarmsAt(seed: number, solver: LinearProgramSolver | null = null): string[] {
  const random = seededSource(seed);
  const released = releaseOf(honestDraws(random), solver);
  return notPassed(auditRelease(inColumns(released), shadowOf(honestMechanism(random), TABLES)).checks);
}

const notPassed = (checks: readonly AuditCheck[]): string[] =>
  checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'attention').map(({ id }) => id);

/** Runs a mutant with a number of seeds. */
export function matrixRow(mutant: Mutant, runs: number, solver: LinearProgramSolver): MatrixRow {
  const caught = new Map<string, number>();
  for (let seed = 1; seed <= runs; seed += 1)
    for (const id of caughtBy(mutant, seed, solver)) caught.set(id, (caught.get(id) ?? 0) + 1);
  return { mutant, runs, caught };
}

/** How many of a number of honest releases did not pass. */
export const honestAlarms = (runs: number): number =>
  Array.from({ length: runs }, (_, index) => alarmsAt(index + 1)).filter((ids) => ids.length > 0).length;

/** Every check of the audit, in the order of the report. */
export const CHECK_IDS: readonly string[] = auditRelease(
  inColumns(sharedHalf(HISTOGRAM).released),
  sharedHalf(HISTOGRAM).shadow,
  registry,
).checks.map(({ id }) => id);
