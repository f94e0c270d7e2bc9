import { reporting } from '../../contracts/series-issue.ts';
import type { ClientKind } from '../client-kind.ts';
import { occupancyDifferences } from './differences.ts';
import { OCCUPANCY_RULES } from './file/rules.ts';
import { loadTimetable } from './file/timetable-file.ts';
import { certifyRides } from './mechanism/ride-certificate.ts';
import { mechanismsOf } from './mechanisms.ts';
import {
  type OccupancyFile,
  occupancyFileSchema,
  occupancySeries,
  occupancySeriesSchema,
  ridePrivacy,
  vehicleModels,
} from './series.ts';
import { occupancyKind } from './series-kind.ts';
import { shapesOf } from './timetable.ts';
import { rideInWords, ridesInWords } from './words.ts';

/** Occupancy on the side of people. */
export const occupancyForClients: ClientKind = {
  ...occupancyKind,
  fileSchema: occupancyFileSchema,
  check: async (fields, path, report, issues) => {
    const parts: Partial<OccupancyFile> = fields;
    let mistakes = 0;
    const counted: typeof report = (...issue) => {
      mistakes += 1;
      report(...issue);
    };
    for (const rule of OCCUPANCY_RULES) rule(parts, counted);
    const loaded = await loadTimetable(path, parts, counted, issues);
    const { privacy, source, vehicles } = parts;
    const shapes = loaded ? shapesOf(loaded.timetable) : [];
    if (privacy && source && vehicles && mistakes === 0 && issues.length === 0) {
      // What cannot be drawn or certified is refused before anything is charged (C10).
      const mechanisms = await mechanismsOf({ privacy, source, vehicles, shapes }).catch((error: unknown) => {
        reporting(counted, ['privacy'], () => {
          throw error;
        });
      });
      if (mechanisms)
        reporting(counted, ['privacy'], () =>
          certifyRides(ridePrivacy({ privacy, source }), vehicleModels({ vehicles }), mechanisms),
        );
    }
    return {
      lists: loaded ? [loaded.list] : [],
      stored: (file) => occupancySeriesSchema.parse({ ...file, timetable: loaded?.list.digest, shapes }),
    };
  },
  certificate: ({ privacy: { epsilon, delta } }) => ({ epsilon, delta }),
  inWords: (series) => {
    const occupancy = occupancySeries(series);
    return rideInWords(ridePrivacy(occupancy), occupancy.shapes);
  },
  yearInWords: (series) => ridesInWords(occupancySeries(series).privacy),
  differences: occupancyDifferences,
  attacks: null,
  fileGuide: null,
};
