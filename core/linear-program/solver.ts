/** What a solver says of a linear program: the value of each variable under its name, when there is an optimum. */
export type LinearProgramAnswer = {
  Status: string;
  ObjectiveValue: number;
  Columns: Readonly<Record<string, { readonly Primal?: number }>>;
};

/**
 * Solves a linear program in the LP text format; the `solve` of the package highs, loaded at the edge (it is
 * WebAssembly and loads asynchronously), fits as it is. Options are those of the package.
 */
export type LinearProgramSolver = (
  program: string,
  options?: Readonly<Record<string, string | number>>,
) => LinearProgramAnswer;
