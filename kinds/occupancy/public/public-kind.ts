import type { PublicKind } from '../../../services/release/public-context.ts';
import { occupancyKind } from '../series-kind.ts';
import { auditOccupancy } from './audit.ts';
import { deriveOccupancy } from './derive.ts';
import { occupancyTexts } from './texts.ts';

/** Occupancy on the public side. */
export const publicOccupancy: PublicKind = {
  ...occupancyKind,
  derive: deriveOccupancy,
  audit: auditOccupancy,
  texts: occupancyTexts,
};
