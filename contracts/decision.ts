import { z } from 'zod';
import { digestText, fileVersion, ledgerTip } from './formats/common.ts';
import { ASSERTION_CHARACTERS } from './passkey.ts';
import { GATES } from './release-state.ts';
import { publicLine } from './series.ts';

/**
 * Closed list of public reasons (C16). Free text stays private, beside the decision in the release store; only a
 * retraction can have one sentence that its signer means for everybody.
 */
export const DECISION_REASONS = {
  approve: ['audit-passed', 'attention-accepted'],
  reject: ['audit-attention', 'utility-too-low', 'input-in-doubt', 'not-needed', 'other'],
  retract: ['privacy-in-doubt', 'data-wrong', 'input-in-doubt', 'licence', 'other'],
  withdraw: ['signed-by-mistake', 'not-what-was-shown', 'input-in-doubt', 'not-needed', 'other'],
  reopen: ['not-decided-in-time'],
} as const;

/** What people can say of a manifest: `retract` of one that is public, the others of one at a gate. */
export const DECISIONS = ['approve', 'reject', 'retract', 'withdraw', 'reopen'] as const;
export type DecisionKind = (typeof DECISIONS)[number];

/** What a person says to everybody with a retraction. */
export const publicSentence = publicLine(500);

export const IN_TOTO_TYPE = 'https://in-toto.io/Statement/v1';
export const DECISION_TYPE = 'https://opaline.example/decision/v4';
export const DSSE_PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Type of what is signed and is no in-toto statement: the formats of contracts/formats, each named by its `format`. */
export const OPALINE_PAYLOAD_TYPE = 'application/vnd.opaline+json';

/** What an authenticator signed beside the challenge (WebAuthn, section 6.3.3), each in base64. */
const assertion = z.strictObject({
  authenticatorData: z.base64().max(ASSERTION_CHARACTERS.authenticatorData),
  clientDataJSON: z.base64().max(ASSERTION_CHARACTERS.clientDataJSON),
});

/**
 * A DSSE envelope: base64 payload, with signatures over its pre-authentication encoding. That of a key file is Ed25519;
 * that of a passkey is over the assertion, whose challenge is the SHA-256 of the encoding. `keyid`: SHA-256 of the SPKI
 * DER of the public key. `sig`: 64 bytes, of ES256 r and s with the low s.
 */
export const envelopeSchema = z.strictObject({
  payloadType: z.enum([DSSE_PAYLOAD_TYPE, OPALINE_PAYLOAD_TYPE]),
  payload: z.base64(),
  signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.base64(), passkey: assertion.optional() })).min(1),
});

/**
 * What an approver signs: an in-toto statement over the manifest digests of one release, or of all the releases of a
 * back-fill that are decided together. `releases` names them in the order of the subjects.
 */
export const decisionSchema = z.strictObject({
  _type: z.literal(IN_TOTO_TYPE),
  subject: z
    .array(z.strictObject({ name: z.string().max(200), digest: z.strictObject({ sha256: digestText }) }))
    .min(1)
    .max(10_000),
  predicateType: z.literal(DECISION_TYPE),
  predicate: z.strictObject({
    releases: z.array(z.string().max(200)).min(1).max(10_000),
    subject: z.string().max(200),
    gate: z.enum(GATES),
    decision: z.enum(DECISIONS),
    reason: z.enum(DECISIONS.flatMap((decision) => [...DECISION_REASONS[decision]])),
    /** To retract with alone; signed, and published for ever. */
    sentence: publicSentence.optional(),
    acknowledged: z.array(z.string().max(200)).max(1000),
    basis: z.literal('decided on the release folder alone'),
    /** Version of the trust file that the person went by. */
    trust: fileVersion,
    /** The population's ledger when the person signed: a key that is retired later cannot be used for the past. */
    ledger: ledgerTip,
    /** Approvals without which the person does not want it published, or retracted. */
    required: z.number().int().positive().max(100),
    /** How many of these no single host of a page for signing may have had in hand. */
    elsewhere: z.number().int().nonnegative().max(100),
    /**
     * Envelopes by which people withdrew or reopened this gate before, as far as the person knew: a decision that does
     * not name every withdrawal is of the time before it, and does not count.
     */
    after: z.array(digestText).max(100),
  }),
});

export type Reason = Decision['predicate']['reason'];
export type Envelope = z.infer<typeof envelopeSchema>;
export type Decision = z.infer<typeof decisionSchema>;
