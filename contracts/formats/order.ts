import { z } from 'zod';
import { seriesName } from '../series.ts';
import { digestText, ledgerTip, partitionFields } from './common.ts';
import { correctionFields, unexplainedCharges } from './ledger-entry.ts';

/** What a key of the policy signs: that a series file may be run, and that something beyond the policy may be done. */

export const SERIES_SIGNATURE_FORMAT = 'opaline-series-signature/1';

/** A series file may be run. `number` grows with each change of it; a lower one than was run before is refused. */
export const seriesSignatureSchema = z.strictObject({
  format: z.literal(SERIES_SIGNATURE_FORMAT),
  series: seriesName,
  number: z.number().int().positive(),
  /** Digest of the stored series file. */
  digest: digestText,
});

export const ORDER_FORMAT = 'opaline-order/3';

const order = { format: z.literal(ORDER_FORMAT), id: z.uuid() };
const ofSeries = { series: seriesName, seriesDigest: digestText };

export const orderSchema = z.discriminatedUnion('kind', [
  /** One further version of a window; with a correction, what it draws again. */
  z.strictObject({
    ...order,
    kind: z.literal('version'),
    ...ofSeries,
    window: z.iso.date(),
    version: z.number().int().positive(),
    correction: z
      .strictObject({
        ...correctionFields,
        partitions: z.array(z.strictObject(partitionFields)).min(1).max(100_000),
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
    unexplained: unexplainedCharges,
  }),
  /** The population, whose charges were (ε, δ), accounts in ρ from now on, and never otherwise again (C12). */
  z.strictObject({ ...order, kind: z.literal('accounting'), population: seriesName, accounting: z.literal('rho') }),
]);

export const CLEARANCE_FORMAT = 'opaline-clearance/1';

/**
 * Which deliveries of a window count, and that no other is read. It names digests of raw data, and so it is kept in the
 * private store alone (C11).
 */
export const clearanceSchema = z.strictObject({
  format: z.literal(CLEARANCE_FORMAT),
  series: seriesName,
  window: z.iso.date(),
  version: z.number().int().positive(),
  deliveries: z
    .array(z.strictObject({ object: z.string().min(1).max(1024), sha256: digestText }))
    .min(1)
    .max(100_000),
});

export type Clearance = z.output<typeof clearanceSchema>;
export type SeriesSignature = z.output<typeof seriesSignatureSchema>;
export type Order = z.output<typeof orderSchema>;
