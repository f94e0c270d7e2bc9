import { partitionPath } from '../../../contracts/names.ts';
import type { PrivateKind } from '../../../custodian/private-context.ts';
import { countRows } from '../../../custodian/source/counted-rows.ts';
import { distinctObjects } from '../../../custodian/source/inventory.ts';
import { publicTimetable } from '../public-timetable.ts';
import { EVENT_COLUMNS, occupancySeries, vehicleModels } from '../series.ts';
import { occupancyKind } from '../series-kind.ts';
import { runsOf } from '../timetable.ts';
import { departuresOf, eventOf, listColumns } from './events.ts';
import { emptyTally, partitionCounts, tallyEvent } from './run-counts.ts';

/**
 * Tallies the events of the named partitions, with every scheduled run in them. Throws SERIES_INVALID for a series that
 * is not of its timetable.
 *
 * @contract C4
 */
export const binEvents: PrivateKind['bin'] = async (context, input, document) => {
  const series = occupancySeries(document);
  const timetable = await publicTimetable(context.releaseStore, series);
  const numbers = listColumns(series).length;
  const tallies = new Map(
    input.partitions.map((one) => [partitionPath(one), emptyTally(runsOf(timetable, one), numbers)]),
  );
  const models = vehicleModels(series);
  return countRows(context, input, {
    kind: occupancyKind,
    series,
    columns: EVENT_COLUMNS.flatMap((column) => series.source.columns[column] ?? []),
    // Double deliveries change no tally, and each is read under its own name.
    objects: (pins) => pins.flatMap((pin) => distinctObjects(series, [pin])),
    take: ({ wanted }, rejects) => {
      const departures = departuresOf(wanted.flatMap((partition) => runsOf(timetable, partition)));
      const targets = wanted.map((partition) => tallies.get(partitionPath(partition))!);
      return (fields, line) => {
        const event = eventOf(fields, series, departures, models);
        if (typeof event === 'string') rejects.add(event, line);
        else for (const tally of targets) tallyEvent(tally, event);
      };
    },
    counts: (partition) => partitionCounts(tallies.get(partitionPath(partition))!),
  });
};
