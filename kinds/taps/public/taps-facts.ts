import type { Certificate } from '../../../contracts/certificate.ts';
import type { TableTotals } from '../../../counts/derive/table-totals.ts';
import type { DayTotal } from '../../../counts/readers/shown-taps.ts';
import type { ShownTable } from '../../../services/audit-page/page-subject.ts';
import type { DataDescription } from '../../../services/metadata/data-description.ts';
import type { PrivacyFile } from './privacy-file.ts';

/** The texts about a release of taps follow from these. */
export type TapsFacts = {
  privacy: PrivacyFile;
  certificate: Certificate;
  ofDays: readonly DayTotal[];
  shown: ShownTable;
  totals: TableTotals;
  places: DataDescription['places'];
  /** Sentences on rows that are noise alone. */
  nobody: readonly string[];
};
