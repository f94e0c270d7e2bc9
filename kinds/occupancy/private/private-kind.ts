import type { PrivateKind } from '../../../activities/private/context.ts';
import { askedAnew } from '../../../activities/private/randomness.ts';
import { jsonBytes, readJson } from '../../../activities/stores/json-objects.ts';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import { mechanismsOf } from '../mechanisms.ts';
import { publicTimetable } from '../public-timetable.ts';
import { occupancySeries, vehicleModels } from '../series.ts';
import { occupancyKind } from '../series-kind.ts';
import { runsOf } from '../timetable.ts';
import { binEvents } from './bin.ts';
import { drawStatuses } from './draw.ts';
import { partitionCountsSchema } from './run-counts.ts';
import { shadowOfOccupancy } from './shadow.ts';

/** The counts of a partition, on their way into the draw. */
const countsOf: PrivateKind['counts'] = async (context, input, stored) => {
  const { partition, round } = input;
  const key = PRIVATE_KEYS.cells(input, round, partition);
  const counts = await readJson(context.privateStore, key, partitionCountsSchema);
  const draw = async (): Promise<Buffer> => {
    const series = occupancySeries(stored);
    const timetable = await publicTimetable(context.releaseStore, series);
    const models = vehicleModels(series);
    const mechanisms = await mechanismsOf(series);
    const source = askedAnew(context.random);
    return jsonBytes(drawStatuses(partition, runsOf(timetable, partition), counts, { models, mechanisms, source }));
  };
  return { input: counts, draw };
};

/** Occupancy on the custodian side. */
export const privateOccupancy: PrivateKind = {
  ...occupancyKind,
  bin: (context, input, series) => binEvents(context, input, occupancySeries(series)),
  counts: countsOf,
  parameters: (stored) => {
    const { privacy, vehicles, timetable, shapes } = occupancySeries(stored);
    return { privacy, vehicles, timetable, shapes };
  },
  shadow: (context, _, series) => shadowOfOccupancy(context, occupancySeries(series)),
};
