import { z } from 'zod';
import { OpalineError } from '../../contracts/errors.ts';

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

/** The form of a draw in the private store: a line with the build that drew, then the bytes of the table. */
const DRAWN = /^opaline-draw\/1 ([0-9a-f]{64})\n/;

/** The build comes with the table in one object: whoever finds a draw says who drew it, also after a crash (C15). */
export const encodeDraw = (build: string, table: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`opaline-draw/1 ${build}\n`), table]);

/** Build and table of a stored draw. Throws COPY_DIFFERS for anything that is not one. */
export function readDrawn(draw: Buffer): { build: string; table: Buffer } {
  const [head, build] = DRAWN.exec(draw.subarray(0, 100).toString('latin1')) ?? [];
  if (head !== undefined && build !== undefined) return { build, table: draw.subarray(head.length) };
  throw new OpalineError('COPY_DIFFERS', 'The private store holds something that is no draw; find out who wrote it.');
}
