import { z } from 'zod';
import { NEIGHBOURS } from '../../contracts/certificate.ts';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import type { Hole, Run } from '../../contracts/stages.ts';
import { windowDays } from '../../core/calendar/window.ts';
import { RIDE_MECHANISM_NAMES } from '../../core/occupancy/ride-mechanism.ts';
import type { OccupancySeries } from './series.ts';

/** privacy.json: the public parameters of a release of occupancy (C17), and how to read its statuses. */
export const occupancyPrivacySchema = z.strictObject({
  format: z.literal('opaline-occupancy-privacy/1'),
  release: z.string(),
  parameters: z.strictObject({
    unit: z.literal('ride'),
    mechanism: z.enum(RIDE_MECHANISM_NAMES),
    neighbours: z.enum(NEIGHBOURS),
    epsilon: z.string(),
    delta: z.string(),
  }),
  domain: z.strictObject({
    timeZone: z.string(),
    days: z.array(z.iso.date()),
    parts: z.array(z.string()),
    /** SHA-256 of timetable.csv. */
    timetable: z.string(),
    shapes: z.array(z.strictObject({ vehicle: z.string(), departures: z.int() })),
  }),
  /** Partitions without data: every departure of them says NO_DATA_AVAILABLE. */
  holes: z.array(z.string()),
  reading: z.array(z.string()),
});

export type OccupancyPrivacyFile = z.output<typeof occupancyPrivacySchema>;

export function occupancyPrivacyFile(series: OccupancySeries, run: Run, holes: readonly Hole[]): OccupancyPrivacyFile {
  const { unit, mechanism, neighbours, epsilon, delta } = series.privacy;
  return {
    format: 'opaline-occupancy-privacy/1',
    release: releasePath(run),
    parameters: { unit, mechanism, neighbours, epsilon, delta },
    domain: {
      timeZone: series.timeZone,
      days: windowDays(series, run.window),
      parts: [...series.parts].sort(),
      timetable: series.timetable,
      shapes: [...series.shapes],
    },
    holes: holes.map(partitionPath).sort(),
    reading: [...READING[mechanism], ...READING_ALL],
  };
}

const READING: Readonly<Record<OccupancySeries['privacy']['mechanism'], readonly string[]>> = {
  'each-stop': [
    'Each status was drawn by itself: certificate.json has, for each vehicle and length of a run, the chance of each status for each number of passengers (weight/2^40).',
    'So a status that differs from those before and after it may be chance.',
  ],
  tree: [
    'The passengers aboard are the sum of boardings minus alightings; sums of these over parts of a run have discrete Laplace noise of the scale in certificate.json, and the status is the category of the noisy number.',
    'Statuses of one run share noise: where one is too full, its neighbours are too.',
  ],
};

const READING_ALL = [
  'Statuses of one run may contradict each other; nothing is done to them after the draw.',
  'Every scheduled departure has a status. NO_DATA_AVAILABLE says that an object with the events of the whole part and day is missing or damaged, and nothing of passengers. A departure that was not counted has a status as well.',
];
