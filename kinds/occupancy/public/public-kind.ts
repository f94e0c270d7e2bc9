import { FILES } from '../../../contracts/names.ts';
import type { PublicKind } from '../../../services/release/context.ts';
import { occupancyPrivacyFile } from '../privacy-file.ts';
import { occupancySeries } from '../series.ts';
import { occupancyKind } from '../series-kind.ts';
import { auditOccupancy } from './audit.ts';
import { deriveOccupancy, rideAssumptions } from './derive.ts';
import { describeOccupancy } from './description.ts';
import { occupancyStatement } from './statement.ts';
import { drawnStatuses } from './status-rows.ts';

/** Occupancy on the public side. */
export const publicOccupancy: PublicKind = {
  ...occupancyKind,
  refusal: () => null,
  derive: (context, input, series) => deriveOccupancy(context, input, occupancySeries(series)),
  audit: (context, input, series, data) => auditOccupancy(context, input, occupancySeries(series), data),
  pageNames: [FILES.statement],
  pages: async (input, series, told) => {
    const occupancy = occupancySeries(series);
    const privacy = occupancyPrivacyFile(occupancy, input, input.holes);
    const text = occupancyStatement(occupancy, privacy, rideAssumptions(input.correction), told);
    return [[FILES.statement, Buffer.from(text, 'utf8')]];
  },
  describe: async (input, series, context) => {
    const occupancy = occupancySeries(series);
    const privacy = occupancyPrivacyFile(occupancy, input, input.holes);
    return describeOccupancy(occupancy, privacy, (await drawnStatuses(context, input, occupancy)).rows);
  },
  publicLists: (series) => ({ timetable: occupancySeries(series).timetable }),
};
