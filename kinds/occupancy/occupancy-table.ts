import { z } from 'zod';
import { STATUS_NAMES } from './status.ts';

const shape = { vehicle: z.string(), departures: z.int().positive() };
const amount = z.string().regex(/^\d+(\/[1-9]\d*)?$/);

/** What runs of one shape were drawn with, as core/occupancy/ride-mechanism.ts has it. */
export const runMechanismSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('each-stop'),
    ...shape,
    epsilon: amount,
    delta: amount,
    weights: z.array(z.array(z.string().regex(/^\d{1,13}$/))),
  }),
  z.strictObject({ kind: z.literal('tree'), ...shape, arity: z.int().min(2), scale: amount }),
]);

/**
 * The draw of one partition, as it is stored write-once (C11): the status of every scheduled departure, by run in the
 * order of their names, and what they were drawn with. It holds nothing that is not released.
 */
export const occupancyTableSchema = z.strictObject({
  format: z.literal('opaline-occupancy-table/1'),
  part: z.string(),
  day: z.iso.date(),
  mechanisms: z.array(runMechanismSchema),
  runs: z.array(z.strictObject({ run: z.string(), statuses: z.array(z.enum(STATUS_NAMES)) })),
});

export type OccupancyTable = z.output<typeof occupancyTableSchema>;
