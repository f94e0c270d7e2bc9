import { formatRational } from '../../core/rational/rational.ts';
import type { RoundAmounts } from './mechanism/synthetic-privacy.ts';
import type { SyntheticTable } from './synthetic-table.ts';

/** What a partition is drawn with, as it is stored beside its draw. */
export const amountTexts = ({ selection, measurementScale, rowsScale }: RoundAmounts): SyntheticTable['amounts'] => ({
  selection: formatRational(selection),
  measurementScale: formatRational(measurementScale),
  rowsScale: rowsScale && formatRational(rowsScale),
});
