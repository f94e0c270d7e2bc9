import type { PublicKind } from '../../../activities/public/context.ts';
import { FILES } from '../../../contracts/names.ts';
import { occupancyPrivacyFile } from '../privacy-file.ts';
import { occupancySeries } from '../series.ts';
import { occupancyKind } from '../series-kind.ts';
import { auditOccupancy } from './audit.ts';
import { deriveOccupancy, rideAssumptions } from './derive.ts';
import { occupancyStatement } from './statement.ts';

/** Occupancy on the public side. */
export const publicOccupancy: PublicKind = {
  ...occupancyKind,
  refusal: () => null,
  derive: (context, input, series) => deriveOccupancy(context, input, occupancySeries(series)),
  audit: (context, input, series, data) => auditOccupancy(context, input, occupancySeries(series), data),
  pageNames: [FILES.statement],
  pages: async (input, series, audit) => {
    const occupancy = occupancySeries(series);
    const privacy = occupancyPrivacyFile(occupancy, input, input.holes);
    const text = occupancyStatement(occupancy, privacy, rideAssumptions(input.correction), audit);
    return [[FILES.statement, Buffer.from(text, 'utf8')]];
  },
  publicLists: (series) => ({ timetable: occupancySeries(series).timetable }),
};
