import { ATTACK_MUTANTS } from './attack-mutants.ts';
import { AUDITED_MUTANTS } from './audited-mutants.ts';
import { CERTIFICATE_MUTANTS } from './certificate-mutants.ts';
import { CONSOLE_MUTANTS } from './console-mutants.ts';
import { CUSTODY_MUTANTS } from './custody-mutants.ts';
import { FLOOR_MUTANTS } from './floor-mutants.ts';
import { GENERATION_MUTANTS } from './generation-mutants.ts';
import { HOLE_MUTANTS } from './hole-mutants.ts';
import { MECHANISM_MUTANTS } from './mechanism-mutants.ts';
import type { Mutant } from './mutant.ts';
import { NOISE_MUTANTS } from './noise-mutants.ts';
import { OCCUPANCY_MUTANTS } from './occupancy-mutants.ts';
import { ONCE_MUTANTS } from './once-mutants.ts';
import { PASSKEY_MUTANTS } from './passkey-mutants.ts';
import { PEOPLE_MUTANTS } from './people-mutants.ts';
import { PUBLICATION_MUTANTS } from './publication-mutants.ts';
import { SOURCE_MUTANTS } from './source-mutants.ts';
import { SYNTHETIC_MUTANTS } from './synthetic-mutants.ts';
import { TAMPERING_MUTANTS } from './tampering-mutants.ts';
import { TRUST_MUTANTS } from './trust-mutants.ts';

/** Every bug that real systems have had, and others that would break a clause of the contract; each has its killer. */
export const MUTANTS: readonly Mutant[] = [
  ...CERTIFICATE_MUTANTS,
  ...NOISE_MUTANTS,
  ...MECHANISM_MUTANTS,
  ...FLOOR_MUTANTS,
  ...PEOPLE_MUTANTS,
  ...ONCE_MUTANTS,
  ...SOURCE_MUTANTS,
  ...PUBLICATION_MUTANTS,
  ...OCCUPANCY_MUTANTS,
  ...SYNTHETIC_MUTANTS,
  ...TRUST_MUTANTS,
  ...PASSKEY_MUTANTS,
  ...ATTACK_MUTANTS,
  ...CUSTODY_MUTANTS,
  ...AUDITED_MUTANTS,
  ...HOLE_MUTANTS,
  ...TAMPERING_MUTANTS,
  ...GENERATION_MUTANTS,
  ...CONSOLE_MUTANTS,
];
