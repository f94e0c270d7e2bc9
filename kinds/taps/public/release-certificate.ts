import type { Certificate } from '../../../contracts/certificate.ts';
import { withCorrection } from '../../../contracts/certificate-statements.ts';
import type { Correction } from '../../../contracts/stages.ts';
import type { TapsSeries } from '../series.ts';
import { certificateOf } from '../taps-certificate.ts';

/** What is charged for the same people in a ledger of another unit is no part of this one (C12). */
const OTHER_LEDGERS =
  'Losses add up: people who are in another ledger too, such as one of rides for occupancy, lose what is charged there as well.';

/** The certificate of a release. */
export function releaseCertificate(series: TapsSeries, correction: Correction | null): Certificate {
  const certificate = certificateOf(series);
  return withCorrection({ ...certificate, assumptions: [...certificate.assumptions, OTHER_LEDGERS] }, correction);
}
