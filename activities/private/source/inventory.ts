import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../../contracts/errors.ts';
import { type Partition, PRIVATE_KEYS, partitionPath } from '../../../contracts/names.ts';
import type { Series } from '../../../contracts/series.ts';
import type { ObjectFault, Run } from '../../../contracts/stages.ts';
import { drawnTogether } from '../../../core/certificate/drawn-together.ts';
import { partitionsFedBy } from '../../../core/source-pattern/expected-objects.ts';
import { matchObject, type ObjectName } from '../../../core/source-pattern/pattern.ts';
import { readJson } from '../../stores/json-objects.ts';
import type { PrivateContext } from '../context.ts';

const isErrorCode = (text: string): text is ErrorCode => text in ERRORS;

/** A source object as it was read at ingest. `tag` is the store's, `sha256` and `size` are of the stored bytes. */
const pinSchema = z.strictObject({
  key: z.string(),
  tag: z.string(),
  size: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const faultSchema = z.strictObject({
  object: z.string(),
  code: z.string().refine(isErrorCode),
  partitions: z.array(z.strictObject({ mode: z.string(), day: z.string() })),
});

/** What a release reads in one round: pinned objects and faults, by key. It stays on the custodian side (C11). */
export const inventorySchema = z.strictObject({
  format: z.literal('opaline-inventory/1'),
  round: z.number().int().nonnegative(),
  objects: z.array(pinSchema),
  faults: z.array(faultSchema),
});

export type Pin = z.infer<typeof pinSchema>;
export type Inventory = z.infer<typeof inventorySchema>;

/** The inventory of a round. Throws OBJECT_MISSING when the round was never ingested. */
export const readInventory = (context: PrivateContext, run: Run, round: number): Promise<Inventory> =>
  readJson(context.privateStore, PRIVATE_KEYS.inventory(run, round), inventorySchema);

/** One content to read: the objects that have these bytes, by key, and what their names declare. */
export type DistinctObject = { pins: [Pin, ...Pin[]]; names: [ObjectName, ...ObjectName[]] };

/**
 * Double deliveries removed by digest, never by row (C3): of several objects with the same bytes one is read, the first
 * key if it can be. What the names of the others declare is declared for it too, so that a file delivered under a wrong
 * name and then under the right one loses nothing and counts nothing twice.
 */
export function distinctObjects(series: Series, objects: readonly Pin[]): DistinctObject[] {
  const bySha256 = new Map<string, DistinctObject>();
  for (const pin of objects) {
    const name = matchObject(series.source.pattern, pin.key) ?? {};
    const first = bySha256.get(pin.sha256);
    if (first) {
      first.pins.push(pin);
      first.names.push(name);
    } else {
      bySha256.set(pin.sha256, { pins: [pin], names: [name] });
    }
  }
  return [...bySha256.values()];
}

/**
 * The partitions of the window that depend on an object with these names, each once: those that its rows may reach,
 * and for the card units those that are drawn together with them. So a fault holds back whole scopes, a retry reads
 * whole scopes again, and an object that has changed is refused once any partition of its scopes is drawn.
 *
 * @contract C2
 */
export function partitionsOf(series: Series, days: readonly string[], names: readonly ObjectName[]): Partition[] {
  const fed = names.flatMap((name) => partitionsFedBy(name, days, series.modes, series.source.rows));
  return drawnTogether(series, days, fed);
}

export const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : 1);
export const byObject = (a: ObjectFault, b: ObjectFault): number => (a.object < b.object ? -1 : 1);

/** Do two lists of partitions share one? */
export const meet = (a: readonly Partition[], b: readonly Partition[]): boolean => {
  const paths = new Set(a.map(partitionPath));
  return b.some((partition) => paths.has(partitionPath(partition)));
};
