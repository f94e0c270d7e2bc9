import type { Database } from '../../../activities/sql/duckdb.ts';
import type { Partition } from '../../../contracts/names.ts';
import type { CellColumns } from '../../../core/mechanisms/cell-counts.ts';

/** The cells of one partition, ascending. */
export type PartitionCells = { partition: Partition; cells: CellColumns };

/**
 * The cells that all objects gave together, partition by partition: one pass orders them, and what is in memory at a
 * time are the cells of one partition. A partition without taps is not among them.
 */
export async function* countedCells(database: Database): AsyncGenerator<PartitionCells> {
  const [modes, days, taps, times, locations] = await Promise.all(
    ['mode_name', 'day_name', 'tap_name', 'time_name', 'location_name'].map((type) => namesOf(database, type)),
  );
  const size = taps!.length * times!.length * locations!.length;
  const cellsOf = (number: number, open: Open): PartitionCells => ({
    partition: { part: modes![Math.floor(number / days!.length)]!, day: days![number % days!.length]! },
    cells: { taps: taps!, ...withoutOthers({ times: times!, locations: locations! }, open) },
  });
  let [current, open]: [number, Open] = [-1, { places: [], counts: [] }];
  const pieces = database.numbers(`SELECT CAST(cell AS DOUBLE), CAST(sum(count) AS DOUBLE)
    FROM (SELECT (CAST(enum_code(mode) AS BIGINT) * ${days!.length} + enum_code(day)) * ${size}
      + (CAST(enum_code(tap) AS BIGINT) * ${times!.length} + enum_code(time)) * ${locations!.length}
      + enum_code(location) AS cell, count FROM cells)
    GROUP BY cell ORDER BY cell`);
  for await (const [cells, counts] of pieces) {
    // There are millions: nothing is made for one.
    for (let at = 0; at < cells!.length; at++) {
      const part = Math.floor(cells![at]! / size);
      if (part !== current) {
        if (current >= 0) yield cellsOf(current, open);
        [current, open] = [part, { places: [], counts: [] }];
      }
      open.places.push(cells![at]! - part * size);
      open.counts.push(counts![at]!);
    }
  }
  if (current >= 0) yield cellsOf(current, open);
}

/** What was read so far of a partition. */
type Open = { places: number[]; counts: number[] };

/** The names of one of the types of public-tables.ts, in order. */
export async function namesOf(database: Database, type: string): Promise<string[]> {
  const [row] = await database.rows(`SELECT enum_range(CAST(NULL AS ${type}))`);
  return row![0] as string[];
}

/** The same places in lists that name only what has a cell: those of all modes can be many. */
function withoutOthers(
  { times, locations }: Pick<CellColumns, 'times' | 'locations'>,
  { places, counts }: Open,
): Omit<CellColumns, 'taps'> {
  const met = new Uint8Array(locations.length);
  for (const place of places) met[place % locations.length] = 1;
  const kept = locations.filter((_, location) => met[location]);
  const numbers = new Map(kept.map((location, number) => [location, number]));
  const renumbered = locations.map((location) => numbers.get(location) ?? 0);
  const keptPlaces = new Uint32Array(places.length);
  for (let at = 0; at < places.length; at++) {
    const row = Math.floor(places[at]! / locations.length);
    keptPlaces[at] = row * kept.length + renumbered[places[at]! - row * locations.length]!;
  }
  return { times, locations: kept, places: keptPlaces, counts: new Float64Array(counts) };
}
