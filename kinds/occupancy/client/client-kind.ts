import { runCheck } from '../../../contracts/series-issue.ts';
import type { ClientKind } from '../../client-kind.ts';
import { OCCUPANCY_RULES } from '../file/rules.ts';
import { loadTimetable } from '../file/timetable-file.ts';
import { certifyRides } from '../mechanism/ride-certificate.ts';
import { mechanismsOf } from '../run-mechanisms.ts';
import {
  type OccupancyFile,
  occupancyFileSchema,
  occupancySeries,
  occupancySeriesSchema,
  ridePrivacy,
  vehicleModels,
} from '../series.ts';
import { occupancyKind } from '../series-kind.ts';
import { shapesOf } from '../timetable.ts';
import { rideInWords, ridesInWords } from '../words.ts';
import { occupancyDifferences } from './differences.ts';

/** Occupancy on the side of people. */
export const occupancyForClients: ClientKind = {
  ...occupancyKind,
  fileSchema: occupancyFileSchema,
  check: async (fields, check) => {
    const parts: Partial<OccupancyFile> = fields;
    for (const rule of OCCUPANCY_RULES) rule(parts, check.report);
    const bundle = await loadTimetable(check, parts);
    const { privacy, source, vehicles } = parts;
    const shapes = bundle ? shapesOf(bundle.timetable) : [];
    if (privacy && source && vehicles && check.isSound()) {
      // What cannot be drawn or certified is refused before anything is charged (C10).
      const refusal: unknown = await mechanismsOf({ privacy, source, vehicles, shapes })
        .then((runs) => void certifyRides(ridePrivacy({ privacy, source }), vehicleModels({ vehicles }), runs))
        .catch((error: unknown) => error);
      runCheck(check.report, ['privacy'], () => {
        if (refusal !== undefined) throw refusal;
      });
    }
    return {
      lists: bundle ? [bundle.list] : [],
      stored: (file) => occupancySeriesSchema.parse({ ...file, timetable: bundle?.list.digest, shapes }),
    };
  },
  protection: (series) => {
    const occupancy = occupancySeries(series);
    const { epsilon, delta } = occupancy.privacy;
    return {
      certificate: { epsilon, delta },
      inWords: rideInWords(ridePrivacy(occupancy), occupancy.shapes),
      yearInWords: () => ridesInWords({ epsilon }),
    };
  },
  differences: occupancyDifferences,
};
