import { OpalineError } from '../../contracts/errors.ts';

/** DuckDB's time for a file grows with the square of its columns: a second for so many, minutes for ten times as many. */
export const COLUMNS_MAX = 10_000;

export const tooManyColumns = (): OpalineError =>
  new OpalineError('OBJECT_SCHEMA', `An object has more than ${COLUMNS_MAX} columns.`);
