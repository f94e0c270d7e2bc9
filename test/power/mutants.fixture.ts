import { APPEARANCE_MUTANTS } from './mutants/appearance.fixture.ts';
import { CERTIFICATE_MUTANTS } from './mutants/certificate.fixture.ts';
import { DEPENDENCE_MUTANTS } from './mutants/dependence.fixture.ts';
import { FILE_MUTANTS } from './mutants/files.fixture.ts';
import type { Mutant } from './mutants/mutant.fixture.ts';
import { NOISE_MUTANTS } from './mutants/noise.fixture.ts';
import { REUSE_MUTANTS } from './mutants/reuse.fixture.ts';
import { SELECTION_MUTANTS } from './mutants/selection.fixture.ts';
import { SIBLING_MUTANTS } from './mutants/siblings.fixture.ts';
import { TABLE_MUTANTS } from './mutants/tables.fixture.ts';

/** For each check at least one release or mechanism that it has to catch. */
export const MUTANTS: readonly Mutant[] = [
  ...CERTIFICATE_MUTANTS,
  ...TABLE_MUTANTS,
  ...SIBLING_MUTANTS,
  ...FILE_MUTANTS,
  ...NOISE_MUTANTS,
  ...APPEARANCE_MUTANTS,
  ...DEPENDENCE_MUTANTS,
  ...REUSE_MUTANTS,
  ...SELECTION_MUTANTS,
];
