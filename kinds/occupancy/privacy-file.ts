import { z } from 'zod';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import type { DerivedRun } from '../../contracts/stages.ts';
import { windowDays } from '../../core/calendar/window.ts';
import { rideParameters } from './certified-rides.ts';
import { RIDE_MECHANISMS } from './ride-mechanisms.ts';
import type { OccupancySeries } from './series.ts';

const parameters = z.strictObject(rideParameters);

/** privacy.json: the public parameters of a release of occupancy (C17), and how to read its statuses. */
export const occupancyPrivacySchema = z.strictObject({
  format: z.literal('opaline-occupancy-privacy/1'),
  release: z.string(),
  parameters,
  domain: z.strictObject({
    timeZone: z.string(),
    days: z.array(z.iso.date()).max(366),
    parts: z.array(z.string()).max(500),
    /** SHA-256 of timetable.csv. */
    timetable: z.string(),
    shapes: z.array(z.strictObject({ vehicle: z.string(), departures: z.int() })),
  }),
  /** Partitions without data: every departure of them says NO_DATA_AVAILABLE. */
  holes: z.array(z.string()),
  reading: z.array(z.string()),
});

export type OccupancyPrivacyFile = z.output<typeof occupancyPrivacySchema>;

export const occupancyPrivacyFile = (series: OccupancySeries, input: DerivedRun): OccupancyPrivacyFile => ({
  format: 'opaline-occupancy-privacy/1',
  release: releasePath(input),
  parameters: parameters.strip().parse(series.privacy),
  domain: {
    timeZone: series.timeZone,
    days: windowDays(series, input.window),
    parts: [...series.parts].sort(),
    timetable: series.timetable,
    shapes: [...series.shapes],
  },
  holes: input.holes.map(partitionPath).sort(),
  reading: [...RIDE_MECHANISMS[series.privacy.mechanism].reading, ...READING_ALL],
});

const READING_ALL = [
  'Statuses of one run may contradict each other; nothing is done to them after the draw.',
  'Every scheduled departure has a status. NO_DATA_AVAILABLE says that an object with the events of the whole part and day is missing or damaged, and nothing of passengers. A departure that was not counted has a status as well.',
];
