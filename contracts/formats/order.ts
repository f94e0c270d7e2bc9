import { z } from 'zod';
import { seriesName } from '../series.ts';
import { CORRECTION_REASONS } from '../stages.ts';
import { digestText, exactAmounts, formatName, ledgerTip } from './common.ts';

/** What a key of the policy signs: that a series file may be run, and that something beyond the policy may be done. */

export const SERIES_SIGNATURE_FORMAT = 'opaline-series-signature/1';

/** A series file may be run. `number` grows with each change of it; a lower one than was run before is refused. */
export const seriesSignatureSchema = z.strictObject({
  format: formatName(SERIES_SIGNATURE_FORMAT),
  series: seriesName,
  number: z.number().int().positive(),
  /** Digest of the stored series file. */
  digest: digestText,
});

export const ORDER_FORMAT = 'opaline-order/1';

const order = { format: formatName(ORDER_FORMAT), id: z.uuid() };
const ofSeries = { series: seriesName, seriesDigest: digestText };

/**
 * A release of an earlier build: `draws` is the SHA-256 of the lines `<sha256> <part>/<day>` of its privatized tables, in
 * the order of their keys.
 */
export const takenRelease = z.strictObject({ release: z.string(), seriesDigest: digestText, draws: digestText });

const partition = z.strictObject({ part: z.string(), day: z.iso.date() });

export const orderSchema = z.discriminatedUnion('kind', [
  /** One further version of a window; with a correction, what it draws anew. */
  z.strictObject({
    ...order,
    kind: z.literal('version'),
    ...ofSeries,
    window: z.iso.date(),
    version: z.number().int().positive(),
    correction: z
      .strictObject({
        of: z.number().int().positive(),
        reason: z.enum(CORRECTION_REASONS),
        partitions: z.array(partition).min(1).max(100_000),
      })
      .nullable(),
  }),
  /** First versions of all windows that begin on these days or between them, however old they are. */
  z.strictObject({ ...order, kind: z.literal('windows'), ...ofSeries, from: z.iso.date(), to: z.iso.date() }),
  /** The ledger goes on from this tip, which the private store had lost or never had. */
  z.strictObject({
    ...order,
    kind: z.literal('ledger'),
    population: seriesName,
    tip: ledgerTip.nullable(),
    /** The mark of the worker that is given up, when no store has got so far; null: none. */
    mark: ledgerTip.nullable(),
    /** Releases that unsigned entries charged, with the series file and the tables that are theirs. */
    releases: z.array(takenRelease).max(100_000),
    /** Charges for draws that no entry explains. */
    unexplained: z.array(
      z.strictObject({
        release: z.string(),
        blocks: z.array(z.strictObject({ part: z.string(), day: z.iso.date(), ...exactAmounts })).min(1),
      }),
    ),
  }),
]);

export type SeriesSignature = z.output<typeof seriesSignatureSchema>;
export type Order = z.output<typeof orderSchema>;
