import type { z } from 'zod';
import { OpalineError } from '../contracts/errors.ts';
import { type Partition, partitionPath, RELEASE_KEYS } from '../contracts/names.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import type { DeriveInput } from '../contracts/stages.ts';
import { makeCache, oncePer } from '../core/memory/function-cache.ts';
import { mapAtOnce } from '../services/at-once.ts';
import { readBytes, sha256 } from '../services/stores/json-objects.ts';

/**
 * What the bytes of a digest were read as, for as long as one activity holds its input: it reads its tables more than
 * once, and to parse them is dearer than to read and hash them.
 */
const parsedTables = oncePer((_: DeriveInput) => makeCache<unknown>());

/** Tables that are read at a time: the next ones come while one is parsed. */
const TABLES_AT_ONCE = 4;

/** The refusal of a stored table that is not what was drawn for a partition. */
export const notDrawn = (partition: Partition): OpalineError =>
  new OpalineError(
    'VERIFICATION_FAILED',
    `The stored privatized table of ${partitionPath(partition)} is not the one that was drawn; find out who wrote it.`,
  );

/**
 * The privatized tables of a release in the order of its draws, each checked against the digest that privatize returned.
 * Throws VERIFICATION_FAILED when a stored table is a different one: nothing else may stand for the one draw (C11).
 */
export function readDrawnTables<Table extends Partition>(
  releaseStore: ObjectStore,
  input: DeriveInput,
  schema: z.ZodType<Table>,
): Promise<Table[]> {
  const cache = parsedTables(input);
  return mapAtOnce(input.draws, TABLES_AT_ONCE, async ({ partition, digest }) => {
    const bytes = await readBytes(releaseStore, RELEASE_KEYS.privatized(input, partition));
    if (sha256(bytes) !== digest) throw notDrawn(partition);
    const table = cache(digest, () => schema.parse(JSON.parse(bytes.toString('utf8')))) as Table;
    if (table.part !== partition.part || table.day !== partition.day) throw notDrawn(partition);
    return table;
  });
}
