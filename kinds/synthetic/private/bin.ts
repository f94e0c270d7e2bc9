import { partitionPath } from '../../../contracts/names.ts';
import type { PrivateKind } from '../../../custodian/private-context.ts';
import { countRows } from '../../../custodian/source/counted-rows.ts';
import { distinctObjects } from '../../../custodian/source/inventory.ts';
import { cellOfValues } from '../mechanism/workload.ts';
import { publicAttributes } from '../public-attributes.ts';
import { syntheticSeries } from '../series.ts';
import { syntheticKind } from '../series-kind.ts';
import { partitionCells } from './row-counts.ts';

/**
 * Counts the rows of the named partitions in the cells of the public domain. A row is of the part and day that its object
 * names; of objects with equal bytes the first by key is read. Throws SERIES_INVALID for a series that does not fit its
 * lists.
 *
 * @contract C3
 * @contract C4
 */
export const binRows: PrivateKind['bin'] = async (context, input, document) => {
  const series = syntheticSeries(document);
  const attributes = await publicAttributes(context.releaseStore, series);
  const tallies = new Map(input.partitions.map((one) => [partitionPath(one), new Map<number, number>()]));
  return countRows(context, input, {
    kind: syntheticKind,
    series,
    columns: [...new Set(attributes.map(({ column }) => column))],
    objects: (pins) => distinctObjects(series, pins),
    take: ({ partitions: [first] }) => {
      const tally = first && tallies.get(partitionPath(first));
      return (fields) => {
        const values = attributes.map(({ column, placeOf }) => placeOf(fields.get(column)!));
        const cell = cellOfValues(series.shape, values);
        tally?.set(cell, (tally.get(cell) ?? 0) + 1);
      };
    },
    counts: (partition) => partitionCells(tallies.get(partitionPath(partition))!),
  });
};
