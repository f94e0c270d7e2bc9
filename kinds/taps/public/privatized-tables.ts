import { readBytes, sha256 } from '../../../activities/stores/json-objects.ts';
import { OpalineError } from '../../../contracts/errors.ts';
import { partitionPath, RELEASE_KEYS } from '../../../contracts/names.ts';
import type { ObjectStore } from '../../../contracts/object-store.ts';
import type { DeriveInput, Draw } from '../../../contracts/stages.ts';
import type { PrivatizedTable } from '../../../core/privatized-table/columns.ts';
import { privatizedTableSchema } from '../privatized-table.ts';

/**
 * The privatized tables of a release, each checked against the digest that privatize returned. Throws
 * VERIFICATION_FAILED when a stored table is another one: nothing else may stand for the one draw (C11).
 */
export async function readPrivatizedTables(releaseStore: ObjectStore, input: DeriveInput): Promise<PrivatizedTable[]> {
  const tables: PrivatizedTable[] = [];
  for (const draw of input.draws) tables.push(await readOne(releaseStore, input, draw));
  return tables;
}

async function readOne(releaseStore: ObjectStore, input: DeriveInput, { partition, digest }: Draw) {
  const bytes = await readBytes(releaseStore, RELEASE_KEYS.privatized(input, partition));
  const refuse = () =>
    new OpalineError(
      'VERIFICATION_FAILED',
      `The stored privatized table of ${partitionPath(partition)} is not the one that was drawn; find out who wrote it.`,
    );
  if (sha256(bytes) !== digest) throw refuse();
  const table = privatizedTableSchema.parse(JSON.parse(bytes.toString('utf8')));
  if (table.part !== partition.part || table.day !== partition.day) throw refuse();
  return table;
}
