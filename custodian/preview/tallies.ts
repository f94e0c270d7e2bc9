import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  type Partition,
  PRIVATE_KEYS,
  partitionPath,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { jsonBytes, keysBelow, putOnce, readJson } from '../../services/stores/json-objects.ts';
import type { PartitionTotal, PrivateContext } from '../private-context.ts';
import { SKETCH_ROWS } from './likeness.ts';

const whole = z.number().int().nonnegative();

/**
 * What the counting of one object found: exact, and for custodians alone (C5). It is written once, beside the list of
 * rejects, and is a function of the object's bytes and of public parameters.
 */
const tallySchema = z.strictObject({
  format: z.literal('opaline-tally/2'),
  /** Keys of the objects with these bytes; the first was read. */
  objects: z.array(z.string()).min(1),
  /** Rows that were read as rows. */
  rows: whole,
  /** Lines that were none. */
  lines: whole,
  /** Taps that could not be counted, by reason. */
  rejected: z.record(z.string(), whole),
  /** Lowest keyed hashes of its rows. */
  sketch: z.array(whole).max(SKETCH_ROWS),
  /** Taps of each part and day, `unknown` those of places that no list names; days outside the window among them. */
  taps: z.array(z.strictObject({ part: z.string(), day: z.string(), taps: whole, unknown: whole })),
});

export type Tally = z.infer<typeof tallySchema>;

/** Keeps the tally of an object in the private store. */
export const putTally = (context: PrivateContext, run: ReleaseReference, round: number, number: number, tally: Tally) =>
  putOnce(context.privateStore, PRIVATE_KEYS.tally(run, round, number), jsonBytes(tally));

/**
 * The secret key of the sketches of a release, from the key of the worker: who delivers objects cannot make rows for it,
 * and sketches of two releases cannot be compared.
 */
export const sketchKey = ({ ledgerKey }: Pick<PrivateContext, 'ledgerKey'>, release: ReleaseReference): string =>
  createHmac('sha256', ledgerKey)
    .update(`opaline-sketch/1 ${releasePath(release)}`)
    .digest('hex');

/** A tally with its place among those of its round. */
export type NumberedTally = { round: number; number: number; tally: Tally };

/** The tallies of one round, in the order of its objects. */
async function talliesOf(context: PrivateContext, release: ReleaseReference, round: number): Promise<NumberedTally[]> {
  const keys = await keysBelow(context.privateStore, PRIVATE_KEYS.tallies(release, round));
  const tallies = await mapAtOnce(keys, 1, async (key) => {
    const tally = await readJson(context.privateStore, key, tallySchema);
    return { round, number: Number(/(\d+)\.json$/.exec(key)?.[1]), tally };
  });
  return tallies.sort((a, b) => a.number - b.number);
}

/** The newest tally of each object over all rounds up to this one: a retry reads again only what was at fault. */
export async function newestTallies(
  context: PrivateContext,
  release: ReleaseReference,
  round: number,
): Promise<NumberedTally[]> {
  const newest = new Map<string, NumberedTally>();
  for (let one = round; one >= 0; one -= 1)
    for (const entry of await talliesOf(context, release, one)) {
      const name = entry.tally.objects[0]!;
      if (!newest.has(name)) newest.set(name, entry);
    }
  return [...newest.values()].sort((a, b) => (a.tally.objects[0]! < b.tally.objects[0]! ? -1 : 1));
}

/** One object of a release: what was read of it and what was not. */
export type ObjectReport = ReturnType<typeof objectReport>;

/** `own`: the partitions whose taps count, by `part/day`; without it those of all days that the object holds. */
export function objectReport(
  { objects, rows, lines, rejected, taps }: Omit<Tally, 'format' | 'sketch'>,
  own?: ReadonlySet<string>,
) {
  const ofThem = taps.filter((one) => own?.has(partitionPath(one)) ?? true);
  return {
    objects,
    rows,
    lines,
    rejected,
    /** What can be counted of its rows. */
    counted: total(ofThem.map((one) => one.taps)),
    /** How much of that is at places that no public list names. */
    unknown: total(ofThem.map((one) => one.unknown)),
  };
}

/** The totals of partitions over the tallies of all objects. */
export const partitionTotals = (
  partitions: readonly Partition[],
  tallies: readonly Pick<Tally, 'taps'>[],
): PartitionTotal[] =>
  partitions.map(({ part, day }) => {
    const own = tallies.flatMap(({ taps }) => taps.filter((one) => one.part === part && one.day === day));
    return {
      part,
      day,
      counted: total(own.map(({ taps }) => taps)),
      unknown: total(own.map(({ unknown }) => unknown)),
    };
  });

export const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
