import { z } from 'zod';
import {
  budgetFields,
  dayOfFile,
  seriesFields,
  seriesName,
  sourceFields,
  storedFields,
} from '../../contracts/series.ts';
import { amountOf } from '../../core/accounting/basic-composition.ts';
import { seriesReader } from '../../services/stores/series-objects.ts';
import { rideParameters } from './certified-rides.ts';
import type { RidePrivacy } from './mechanism/ride-mechanism.ts';
import { type VehicleModel, vehicleModel } from './mechanism/vehicle-model.ts';
import { STATUS_NAMES } from './status.ts';

/** The series file of occupancy: events of vehicles at departures become one drawn status for each of them. */

/** Columns of an event; `departure` is the scheduled time of the timetable. */
export const EVENT_COLUMNS = ['run', 'stop', 'departure', 'vehicle', 'passengers', 'boardings', 'alightings'] as const;

const column = z.string().min(1);

const source = z.strictObject({
  ...sourceFields,
  format: z.literal('csv').default('csv'),
  /** Column of an event → column of the source; passengers aboard, or boardings and alightings. */
  columns: z.strictObject({
    run: column,
    stop: column,
    departure: column,
    /** Without it, every event is taken for one of the timetable's vehicle model. */
    vehicle: column.optional(),
    passengers: column.optional(),
    boardings: column.optional(),
    alightings: column.optional(),
  }),
});

/** The most passengers that a vehicle holds. */
const LARGEST_COUNT = 10_000;
export const passengerCount = z.int().min(0).max(LARGEST_COUNT);

const vehicle = z.strictObject({
  /** Status → the smallest passenger count that has it; one begins at 0. */
  minimumCounts: z.partialRecord(z.enum(STATUS_NAMES), passengerCount),
  maximumCount: passengerCount.min(1),
});

const privacy = z.strictObject({
  ...budgetFields,
  unit: rideParameters.unit,
  mechanism: rideParameters.mechanism.default('tree'),
  neighbours: rideParameters.neighbours.default('replace-one'),
});

/** The series file as people write it, after parsing. Cross-field rules are in file/rules.ts. */
export const occupancyFileSchema = z.strictObject({
  ...seriesFields,
  kind: z.literal('occupancy'),
  source,
  day: dayOfFile,
  /** What is delivered and drawn at once: a line, a depot, the vehicles of one device. The timetable names it. */
  parts: z.array(seriesName).min(1).max(500),
  /** The public timetable (C4): a CSV of scheduled departures; see timetable.ts. */
  timetable: z.string().min(1),
  /** Vehicle models by the name that timetable and events have for them. */
  vehicles: z.record(seriesName, vehicle),
  privacy,
});

export type OccupancyFile = z.output<typeof occupancyFileSchema>;

/**
 * A series of occupancy as it is stored: the timetable is named by the SHA-256 of its bytes, and `shapes` are those of
 * the runs in it, so that the mechanism is a function of the series alone.
 */
export const occupancySeriesSchema = occupancyFileSchema.extend({
  ...storedFields,
  shapes: z.array(z.strictObject({ vehicle: seriesName, departures: z.int().positive() })),
});

export type OccupancySeries = z.output<typeof occupancySeriesSchema>;

/** A stored series as one of occupancy. Throws when it is of another kind. */
export const occupancySeries = seriesReader(occupancySeriesSchema);

/** The vehicle models of a series by name, categories in the order of their counts. */
export const vehicleModels = ({ vehicles }: Pick<OccupancyFile, 'vehicles'>): Map<string, VehicleModel> =>
  new Map(
    Object.entries(vehicles).map(([name, { minimumCounts, maximumCount }]) => [
      name,
      vehicleModel(minimumCounts, maximumCount),
    ]),
  );

/** What a series promises for one ride. */
export function ridePrivacy(series: Pick<OccupancyFile, 'privacy' | 'source'>): RidePrivacy {
  const { mechanism, neighbours } = series.privacy;
  const counts = countNumbers(series) === 1 ? 'passengers' : 'doors';
  return { mechanism, neighbours, counts, ...amountOf(series.privacy) };
}

/** Numbers of an event: passengers aboard, or boardings and alightings. */
export const countNumbers = ({ source: { columns } }: Pick<OccupancyFile, 'source'>): 1 | 2 =>
  columns.passengers === undefined ? 2 : 1;
