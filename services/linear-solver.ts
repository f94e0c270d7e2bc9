import type { LinearProgramSolver } from '../core/linear-program/solver.ts';

/** The solver of the package highs. It is WebAssembly, and its declared types do not fit how it runs: it is a module. */
export async function loadSolver(): Promise<LinearProgramSolver> {
  const { default: load }: { default: unknown } = await import('highs');
  if (typeof load !== 'function') throw new TypeError('highs has no loader');
  const solver: { solve: LinearProgramSolver } = await load();
  return (program, options) => solver.solve(program, options);
}
