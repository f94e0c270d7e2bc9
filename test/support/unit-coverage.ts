import { MECHANISM_NAMES, type PrivacyParameters, UNIT_NAMES } from '../../contracts/certificate.ts';
import { MECHANISMS } from '../../counts/mechanisms/mechanisms.ts';

/** Units, and mechanisms that releases are drawn by, of which a list of cases has none. */
export function untried(cases: readonly Pick<PrivacyParameters, 'unit' | 'mechanism'>[]): string[] {
  const released = MECHANISM_NAMES.filter((mechanism) => MECHANISMS[mechanism].whyNotReleased === null);
  const tried = new Set<string>(cases.flatMap(({ unit, mechanism }) => [unit, mechanism]));
  return [...UNIT_NAMES, ...released].filter((name) => !tried.has(name));
}
