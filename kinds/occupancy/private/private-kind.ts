import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import type { PrivateKind } from '../../../custodian/private-context.ts';
import { jsonBytes, readJson } from '../../../services/stores/json-objects.ts';
import { publicTimetable } from '../public-timetable.ts';
import { mechanismsOf } from '../run-mechanisms.ts';
import { countNumbers, occupancySeries, vehicleModels } from '../series.ts';
import { occupancyKind } from '../series-kind.ts';
import { runsOf } from '../timetable.ts';
import { binEvents } from './bin.ts';
import { drawStatuses } from './draw.ts';
import { partitionCountsSchema } from './run-counts.ts';
import { shadowOfOccupancy } from './shadow.ts';

/** The counts of a partition, on their way into the draw. */
const countsOf: PrivateKind['counts'] = async (context, input, document) => {
  const { partition, round } = input;
  const key = PRIVATE_KEYS.cells(input, round, partition);
  const counts = await readJson(context.privateStore, key, partitionCountsSchema);
  const series = occupancySeries(document);
  const { privacy, vehicles, timetable: list, shapes } = series;
  const parameters = { privacy, numbers: countNumbers(series), vehicles, timetable: list, shapes };
  const draw = async (): Promise<Buffer> => {
    const timetable = await publicTimetable(context.releaseStore, series);
    const models = vehicleModels(series);
    const mechanisms = await mechanismsOf(series);
    const drawnWith = { models, mechanisms, source: context.random };
    return jsonBytes(drawStatuses(partition, runsOf(timetable, partition), counts, drawnWith));
  };
  return { input: counts, parameters, draw };
};

/** Occupancy on the custodian side. */
export const privateOccupancy: PrivateKind = {
  ...occupancyKind,
  bin: binEvents,
  counts: countsOf,
  shadow: (world, series) => shadowOfOccupancy(world, occupancySeries(series)),
};
