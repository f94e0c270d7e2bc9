import type { Certificate } from '../../../contracts/certificate.ts';
import { partitionPath } from '../../../contracts/names.ts';
import type { Correction } from '../../../contracts/stages.ts';
import { certificateOf } from '../certificate.ts';
import type { TapsSeries } from '../series.ts';

/** What is charged for the same people in a ledger of another unit is no part of this one (C12). */
const OTHER_LEDGERS =
  'Losses add up: people who are in another ledger too, such as one of rides for occupancy, lose what is charged there as well.';

/**
 * The certificate of a release. One that corrects an earlier version says so among its assumptions: that the choice of
 * what is drawn anew does not depend on anybody's data is attested, not provable (C13).
 *
 * @contract C13
 */
export function releaseCertificate(series: TapsSeries, correction: Correction | null): Certificate {
  const made = certificateOf(series);
  const certificate = { ...made, assumptions: [...made.assumptions, OTHER_LEDGERS] };
  if (!correction) return certificate;
  const redrawn = correction.partitions.map(partitionPath).sort().join(', ');
  const choice = `People chose from object-level notices alone what version ${correction.of} needs drawn anew (${redrawn}); everything else is carried over byte for byte.`;
  return { ...certificate, assumptions: [...certificate.assumptions, choice] };
}
