import { z } from 'zod';

/** Closed list of public reasons (C16); free text stays private, in the decision of the release store's custodians. */
export const DECISION_REASONS = {
  approve: ['audit-passed', 'attention-accepted'],
  reject: ['audit-attention', 'utility-too-low', 'input-in-doubt', 'not-needed', 'other'],
  retract: ['privacy-in-doubt', 'data-wrong', 'input-in-doubt', 'licence', 'other'],
} as const;

/** What people can say of a manifest: `retract` of one that is public, the others of one at its gate. */
export const DECISIONS = ['approve', 'reject', 'retract'] as const;
export type DecisionKind = (typeof DECISIONS)[number];

export const IN_TOTO_TYPE = 'https://in-toto.io/Statement/v1';
export const DECISION_TYPE = 'https://opaline.example/decision/v1';
export const ATTESTATION_TYPE = 'https://opaline.example/attestation/v1';
export const DSSE_PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Type of what is signed and is no in-toto statement: the formats of contracts/formats, each named by its `format`. */
export const OPALINE_PAYLOAD_TYPE = 'application/vnd.opaline+json';

/** A DSSE envelope: base64 payload, Ed25519 signatures over its pre-authentication encoding. */
export const envelopeSchema = z.strictObject({
  payloadType: z.enum([DSSE_PAYLOAD_TYPE, OPALINE_PAYLOAD_TYPE]),
  payload: z.base64(),
  signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.base64() })).min(1),
});

/**
 * What an approver signs: an in-toto statement over the manifest digests of one release, or of all the releases of a
 * back-fill that are decided together. `releases` names them in the order of the subjects.
 */
export const decisionSchema = z.strictObject({
  _type: z.literal(IN_TOTO_TYPE),
  subject: z
    .array(z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }) }))
    .min(1),
  predicateType: z.literal(DECISION_TYPE),
  predicate: z.strictObject({
    releases: z.array(z.string()).min(1),
    subject: z.string(),
    decision: z.enum(DECISIONS),
    reason: z.enum([...DECISION_REASONS.approve, ...DECISION_REASONS.reject, ...DECISION_REASONS.retract]),
    acknowledged: z.array(z.string()),
    basis: z.literal('decided on the release folder alone'),
  }),
});

export type Envelope = z.infer<typeof envelopeSchema>;
export type Decision = z.infer<typeof decisionSchema>;
