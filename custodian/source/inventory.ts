import { z } from 'zod';
import { ERRORS, type ErrorCode, OpalineError } from '../../contracts/errors.ts';
import { digestText } from '../../contracts/formats/common.ts';
import type { DrawScope, SeriesKind } from '../../contracts/kind.ts';
import {
  type Partition,
  PRIVATE_KEYS,
  partitionPath,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { ObjectFault, Run } from '../../contracts/stages.ts';
import { expandToScope } from '../../core/calendar/draw-scope.ts';
import { windowDays } from '../../core/calendar/window.ts';
import { partitionsFedBy, type ReadSource } from '../../core/source-pattern/expected-objects.ts';
import { matchObject, type ObjectName } from '../../core/source-pattern/pattern.ts';
import { namesBelow, readBytes, readJson, sha256 } from '../../services/stores/json-objects.ts';
import { remember } from '../../services/stores/object-cache.ts';
import type { PrivateContext } from '../private-context.ts';

const isErrorCode = (text: string): text is ErrorCode => text in ERRORS;

/** A source object as it was read at ingest. `tag` is the store's, `sha256` and `size` are of the stored bytes. */
const pinSchema = z.strictObject({
  key: z.string(),
  tag: z.string(),
  size: z.number().int().nonnegative(),
  sha256: digestText,
  /** Rows that the supplier's delivery note says; absent: it says none. */
  rows: z.number().int().nonnegative().optional(),
});

export const faultSchema = z.strictObject({
  object: z.string(),
  code: z.string().refine(isErrorCode),
  partitions: z.array(z.strictObject({ part: z.string(), day: z.string() })),
  message: z.string().optional(),
});

export const INVENTORY_FORMAT = 'opaline-inventory/3';

/** What a release reads in one round: pinned objects and faults, by key. It stays on the custodian side (C11). */
export const inventorySchema = z.strictObject({
  format: z.literal(INVENTORY_FORMAT),
  round: z.number().int().nonnegative(),
  objects: z.array(pinSchema),
  faults: z.array(faultSchema),
  /** Objects that the clearance of the window does not name: they are not read. */
  leftOut: z.array(z.string()),
});

export type Pin = z.infer<typeof pinSchema>;
export type Inventory = z.infer<typeof inventorySchema>;

/** The inventory of a round. Throws OBJECT_MISSING when the round was never ingested. */
export const readInventory = (context: PrivateContext, run: ReleaseReference, round: number): Promise<Inventory> =>
  readJson(context.privateStore, PRIVATE_KEYS.inventory(run, round), inventorySchema);

/** The inventory of the newest round of a release. Throws RELEASE_UNKNOWN. */
export async function newestInventory(context: PrivateContext, release: ReleaseReference): Promise<Inventory> {
  const rounds = (await namesBelow(context.privateStore, PRIVATE_KEYS.inventories(release))).map(Number);
  if (rounds.length > 0) return readInventory(context, release, Math.max(...rounds));
  throw new OpalineError('RELEASE_UNKNOWN', `${releasePath(release)} was never ingested here.`);
}

/** SHA-256 of the inventory of a round: what a draw is tied to (C11). Inventories are write-once, so it is kept. */
export const inventoryDigest = (context: PrivateContext, run: Run, round: number): Promise<string> =>
  digestOf(context.privateStore, PRIVATE_KEYS.inventory(run, round));

const digestOf = remember(async (store, key) => sha256(await readBytes(store, key)));

/** Times that a release is ingested at most: one more with each retry. */
const MOST_ROUNDS = 1000;

/**
 * Throws NEEDS_CORRECTION for a round that is neither there nor the next one: rounds follow each other, whatever a
 * payload names. When the very first ingest has failed, the next one may be round 1.
 */
export async function requireNextRound(context: PrivateContext, run: Run, round: number): Promise<void> {
  const isThere = async (one: number) => (await context.privateStore.head(PRIVATE_KEYS.inventory(run, one))) !== null;
  const follows = Number.isInteger(round) && round >= 0 && round <= MOST_ROUNDS;
  if (follows && (round <= 1 || (await isThere(round - 1)))) return;
  throw new OpalineError(
    'NEEDS_CORRECTION',
    `${releasePath(run)} was not ingested so often; a release that was ingested ${MOST_ROUNDS} times needs a new version.`,
  );
}

/** Keys whose content is not the same in two inventories: other bytes, new, or gone. */
export function diffKeys(before: readonly Pin[], pins: readonly Pin[]): string[] {
  const digests = (list: readonly Pin[]) => new Map(list.map(({ key, sha256 }) => [key, sha256]));
  const [old, now] = [digests(before), digests(pins)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key));
}

/** One content to read: the objects that have these bytes, by key, and what their names declare. */
export type DistinctObject = { pins: [Pin, ...Pin[]]; names: [ObjectName, ...ObjectName[]] };

/**
 * Double deliveries removed by digest, never by row (C3): of several objects with the same bytes one is read, the first
 * key if it can be. What the names of the others declare is declared for it too, so that a file delivered under a wrong
 * name and then under the right one loses nothing and counts nothing twice.
 */
export function distinctObjects({ source }: Pick<Series, 'source'>, objects: readonly Pin[]): DistinctObject[] {
  const bySha256 = Map.groupBy(objects, ({ sha256 }) => sha256).values() as Iterable<DistinctObject['pins']>;
  return Array.from(bySha256, (pins) => {
    const [name, ...others] = pins.map(({ key }) => matchObject(source.pattern, key) ?? {});
    return { pins, names: [name!, ...others] };
  });
}

/** What names say about the source of a window: its patterns, parts and days, and what is drawn together. */
export type SourceWindow = ReadSource &
  Pick<Series['source'], 'completeness'> & { days: readonly string[]; scope: DrawScope };

/** The source of one window of a series. Throws WINDOW_INVALID as windowDays does. */
export function sourceWindow(kind: SeriesKind, series: Series, window: string): SourceWindow {
  const { pattern, completeness } = series.source;
  const { parts, scope, overlaps, deliveryDays } = kind.terms(series);
  return { pattern, completeness, parts, scope, overlaps, deliveryDays, days: windowDays(series, window) };
}

/**
 * The partitions of the window that depend on an object with these names, each once: those that its rows may reach,
 * and all that are drawn together with them. So a fault holds back whole scopes, a retry reads whole scopes again, and
 * an object that has changed is refused once any partition of its scopes is drawn.
 *
 * @contract C2
 */
export function partitionsOf(source: SourceWindow, names: readonly ObjectName[]): Partition[] {
  const partitions = names.flatMap((name) => partitionsFedBy(name, source, source.days));
  return expandToScope(source, source.days, partitions);
}

export const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : 1);
export const byObject = (a: ObjectFault, b: ObjectFault): number => (a.object < b.object ? -1 : 1);

/** Do two lists of partitions share one? */
export const meet = (a: readonly Partition[], b: readonly Partition[]): boolean => {
  const paths = new Set(a.map(partitionPath));
  return b.some((partition) => paths.has(partitionPath(partition)));
};

/** The faults of an inventory that hold back some of these partitions, with those. */
export const faultsOf = ({ faults }: Inventory, targets: readonly Partition[]): ObjectFault[] =>
  faults
    .map((fault) => ({ ...fault, partitions: fault.partitions.filter((one) => meet([one], targets)) }))
    .filter(({ partitions }) => partitions.length > 0);
