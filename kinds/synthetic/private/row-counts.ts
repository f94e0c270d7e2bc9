import { z } from 'zod';

export const cellCountsSchema = z.strictObject({
  format: z.literal('opaline-synthetic-counts/1'),
  /** Cells with rows, in their order, and how many. */
  cells: z.array(z.tuple([z.int().min(0), z.int().min(1)])),
});

/** The exact counts of one partition, as they are kept on the custodian side. */
export type CellCounts = z.output<typeof cellCountsSchema>;

/** Counts by cell in the order of the cells, whatever order rows came in. */
export const partitionCells = (tally: ReadonlyMap<number, number>): CellCounts => ({
  format: 'opaline-synthetic-counts/1',
  cells: [...tally].sort(([a], [b]) => a - b),
});

/** Counts of all cells of a domain. */
export function everyCell({ cells }: CellCounts, domain: number): Float64Array {
  const counts = new Float64Array(domain);
  for (const [cell, rows] of cells) counts[cell] = rows;
  return counts;
}
