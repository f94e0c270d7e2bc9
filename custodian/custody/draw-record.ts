import { z } from 'zod';

export const DRAW_RECORD_FORMAT = 'opaline-draw-record/2';

const recordSchema = z.looseObject({
  format: z.literal(DRAW_RECORD_FORMAT),
  input: z.string(),
  round: z.number(),
});

/**
 * What ties a partition to one draw, put before it: `input` is the digest of the counts, and `round` that of the
 * inventory they are from. It stays on the custodian side: the digest of the counts is an exact query. Throws what zod
 * and JSON do.
 */
export const readDrawRecord = (bytes: Buffer): z.output<typeof recordSchema> =>
  recordSchema.parse(JSON.parse(bytes.toString('utf8')));
