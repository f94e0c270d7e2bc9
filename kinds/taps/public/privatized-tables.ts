import { OpalineError } from '../../../contracts/errors.ts';
import { partitionPath, RELEASE_KEYS } from '../../../contracts/names.ts';
import type { ObjectStore } from '../../../contracts/object-store.ts';
import type { DeriveInput, Draw } from '../../../contracts/stages.ts';
import type { PrivatizedTable } from '../../../counts/tables/columns.ts';
import { mapAtOnce } from '../../../services/at-once.ts';
import { readBytes, sha256 } from '../../../services/stores/json-objects.ts';
import { privatizedTableSchema } from '../privatized-table.ts';

/**
 * What the bytes of a digest were read as, for as long as one activity holds its input: it reads its tables more than
 * once, and to parse them is dearer than to read and hash them.
 */
const parsed = new WeakMap<DeriveInput, Map<string, PrivatizedTable>>();

/** So many tables are read at a time: the next ones come while one is parsed. */
const TABLES_AT_ONCE = 4;

/**
 * The privatized tables of a release, each checked against the digest that privatize returned. Throws
 * VERIFICATION_FAILED when a stored table is another one: nothing else may stand for the one draw (C11).
 */
export async function readPrivatizedTables(releaseStore: ObjectStore, input: DeriveInput): Promise<PrivatizedTable[]> {
  const known = parsed.get(input) ?? new Map<string, PrivatizedTable>();
  parsed.set(input, known);
  return mapAtOnce(input.draws, TABLES_AT_ONCE, async (draw) => {
    const table = await readOne(releaseStore, input, draw, known);
    known.set(draw.digest, table);
    return table;
  });
}

async function readOne(
  releaseStore: ObjectStore,
  input: DeriveInput,
  { partition, digest }: Draw,
  known: ReadonlyMap<string, PrivatizedTable>,
): Promise<PrivatizedTable> {
  const bytes = await readBytes(releaseStore, RELEASE_KEYS.privatized(input, partition));
  const refuse = () =>
    new OpalineError(
      'VERIFICATION_FAILED',
      `The stored privatized table of ${partitionPath(partition)} is not the one that was drawn; find out who wrote it.`,
    );
  if (sha256(bytes) !== digest) throw refuse();
  const table = known.get(digest) ?? privatizedTableSchema.parse(JSON.parse(bytes.toString('utf8')));
  if (table.part !== partition.part || table.day !== partition.day) throw refuse();
  return table;
}
