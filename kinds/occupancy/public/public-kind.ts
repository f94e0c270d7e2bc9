import type { PublicKind } from '../../../services/release/public-context.ts';
import { occupancySeries } from '../series.ts';
import { occupancyKind } from '../series-kind.ts';
import { auditOccupancy } from './audit.ts';
import { deriveOccupancy } from './derive.ts';
import { occupancyTexts } from './texts.ts';

/** Occupancy on the public side. */
export const publicOccupancy: PublicKind = {
  ...occupancyKind,
  derive: (context, input, series) => deriveOccupancy(context, input, occupancySeries(series)),
  audit: (context, input, series, data) => auditOccupancy(context, input, occupancySeries(series), data),
  texts: occupancyTexts,
};
