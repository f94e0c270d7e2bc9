import { z } from 'zod';
import { DECISION_REASONS } from '../../contracts/decision.ts';
import { attestationSchema } from './attestation.ts';

/** RETRACTED.json: says that a publication is not to be used any more, and who said so with which public reason. */
export const retractionSchema = z.strictObject({
  format: z.literal('opaline-retraction/1'),
  release: z.string(),
  manifestDigest: z.string().regex(/^[0-9a-f]{64}$/),
  retractedAt: z.iso.datetime(),
  reasons: z.array(z.enum(DECISION_REASONS.retract)).min(1),
  approvals: attestationSchema.shape.predicate.shape.approvals,
});

export type Retraction = z.infer<typeof retractionSchema>;
