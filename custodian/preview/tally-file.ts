import { z } from 'zod';
import { PRIVATE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import { jsonBytes, putOnce } from '../../services/stores/json-objects.ts';
import type { PrivateContext } from '../context.ts';

const whole = z.number().int().nonnegative();

/**
 * What the counting of one object found: exact, and for custodians alone (C5). It is written once, beside the list of
 * rejects, and is a function of the object's bytes and of public parameters.
 */
export const tallySchema = z.strictObject({
  format: z.literal('opaline-tally/1'),
  /** Keys of the objects with these bytes; the first was read. */
  objects: z.array(z.string()).min(1),
  /** Rows that were read as rows. */
  rows: whole,
  /** Lines that were none. */
  lines: whole,
  /** Taps that could not be counted, by reason. */
  rejected: z.record(z.string(), whole),
  /** Taps of each part and day, `unknown` those of places that no list names; days outside the window among them. */
  taps: z.array(z.strictObject({ part: z.string(), day: z.string(), taps: whole, unknown: whole })),
});

export type Tally = z.infer<typeof tallySchema>;

/** Keeps the tally of an object in the private store. */
export const putTally = (context: PrivateContext, run: ReleaseReference, round: number, number: number, tally: Tally) =>
  putOnce(context.privateStore, PRIVATE_KEYS.tally(run, round, number), jsonBytes(tally));
