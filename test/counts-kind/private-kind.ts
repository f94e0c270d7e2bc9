import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PRIVATE_KEYS } from '../../contracts/names.ts';
import { discreteLaplace } from '../../core/random/discrete-laplace.ts';
import { parseRational } from '../../core/rational/rational.ts';
import { matchObject } from '../../core/source-pattern/pattern.ts';
import type { PrivateKind } from '../../custodian/private-context.ts';
import { type Pin, readInventory } from '../../custodian/source/inventory.ts';
import { linkCopy } from '../../custodian/source/scratch-copy.ts';
import { withScratchFolder } from '../../services/files/scratch-folder.ts';
import { jsonBytes, readBytes } from '../../services/stores/json-objects.ts';
import { type CountsSeries, type CountsTable, countsKind, countsSeries, scaleOf } from './series.ts';

/** Exact counts of the public values, in the order of the list. */
type Exact = number[];

async function countRows(path: string, { source, values }: CountsSeries): Promise<Exact> {
  const counts: Exact = values.map(() => 0);
  let column: number | null = null;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const fields = line.split(',');
    if (column === null) column = fields.indexOf(source.column);
    else if (values.includes(fields[column] ?? '')) counts[values.indexOf(fields[column]!)]! += 1;
  }
  return counts;
}

export const privateCounts: PrivateKind = {
  ...countsKind,
  bin: async (context, input, stored) => {
    const series = countsSeries(stored);
    const store = context.sourceStore(series.source.store);
    const { objects, faults } = await readInventory(context, input, input.round);
    for (const { day, part } of input.partitions) {
      const totals: Exact = series.values.map(() => 0);
      const ofDay = (pin: Pin): boolean => matchObject(series.source.pattern, pin.key)?.date === day;
      for (const pin of objects.filter(ofDay)) {
        const counts = await withScratchFolder(context.scratch, async (folder) => {
          const path = join(folder, 'object');
          await linkCopy({ scratch: context.scratch, release: input, store }, pin, path);
          return countRows(path, series);
        });
        for (const [index, count] of counts.entries()) totals[index]! += count;
      }
      await context.privateStore.putIfAbsent(PRIVATE_KEYS.cells(input, input.round, { part, day }), jsonBytes(totals));
    }
    return { faults };
  },
  counts: async (context, input, stored) => {
    const series = countsSeries(stored);
    const key = PRIVATE_KEYS.cells(input, input.round, input.partition);
    const exact: Exact = JSON.parse((await readBytes(context.privateStore, key)).toString('utf8'));
    const draw = async (): Promise<Buffer> => {
      const noise = discreteLaplace(parseRational(scaleOf(series)), context.random);
      const counts = series.values.map((value, index): [string, number] => [value, exact[index]! + noise.draw()]);
      const table: CountsTable = { format: 'counts-table/1', day: input.partition.day, counts };
      return jsonBytes(table);
    };
    const { privacy, values } = series;
    return { input: exact, parameters: { privacy, values }, draw };
  },
  shadow: async () => ({}),
};
