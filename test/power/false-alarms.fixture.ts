import type { LinearProgramSolver } from '../../core/linear-program/solver.ts';
import { auditRelease } from '../../counts/audit/audit-release.ts';
import { inColumns } from '../support/row-subject.ts';
import { seededSource } from '../support/seeded-source.ts';
import { honestDraws, honestMechanism, releaseOf, shadowOf } from './honest-release.fixture.ts';

/** A tenth of the shadow tables: p-values are valid for samples of any size. */
const TABLES = 48;

/** What honest releases, each drawn again, gave: the p-values of each check, and the runs that did not pass. */
export type HonestRuns = { pValues: Map<string, number[]>; notPassed: { seed: number; ids: string[] }[] };

export function honestRuns(runs: number, firstSeed: number, solve: LinearProgramSolver | null): HonestRuns {
  const result: HonestRuns = { pValues: new Map(), notPassed: [] };
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const random = seededSource(seed);
    const released = releaseOf(honestDraws(random), solve);
    const { verdict, checks } = auditRelease(inColumns(released), shadowOf(honestMechanism(random), TABLES));
    for (const { id, pValue } of checks)
      if (pValue !== null) result.pValues.set(id, [...(result.pValues.get(id) ?? []), pValue]);
    if (verdict !== 'pass')
      result.notPassed.push({
        seed,
        ids: checks.filter((check) => check.verdict === 'fail' || check.verdict === 'attention').map(({ id }) => id),
      });
  }
  return result;
}

/** Checks with more p-values at or under the level than a valid p-value gives, by four standard errors. */
export const tooOften = ({ pValues }: HonestRuns, level: number): string[] =>
  [...pValues].flatMap(([id, values]) => {
    const most = values.length * level + 4 * Math.sqrt(values.length * level * (1 - level));
    return values.filter((pValue) => pValue <= level).length > most ? [id] : [];
  });
