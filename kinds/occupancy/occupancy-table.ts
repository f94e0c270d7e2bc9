import { z } from 'zod';
import type { RideMechanismName, RunMechanism } from './mechanism/ride-mechanism.ts';
import { STATUS_NAMES } from './status.ts';

const shape = { vehicle: z.string(), departures: z.int().positive() };
const amount = z.string().regex(/^\d+(\/[1-9]\d*)?$/);

/** What runs of one shape were drawn with, as kinds/occupancy/mechanism/ride-mechanism.ts has it. */
const mechanisms = {
  'each-stop': z.strictObject({
    kind: z.literal('each-stop'),
    ...shape,
    epsilon: amount,
    delta: amount,
    weights: z.array(z.array(z.string().regex(/^\d{1,13}$/))),
  }),
  tree: z.strictObject({ kind: z.literal('tree'), ...shape, arity: z.int().min(2), scale: amount }),
} satisfies { [Name in RideMechanismName]: z.ZodType<RunMechanism<Name>> };

export const runMechanismSchema = z.discriminatedUnion('kind', [mechanisms['each-stop'], mechanisms.tree]);

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
