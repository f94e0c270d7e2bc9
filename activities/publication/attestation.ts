import { z } from 'zod';
import { ATTESTATION_TYPE, envelopeSchema, IN_TOTO_TYPE } from '../../contracts/decision.ts';
import { FILES, type ReleaseReference, releasePath } from '../../contracts/names.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * attestation.json: an in-toto statement over the manifest digest that says when it was published and who approved.
 * It carries the signed decisions themselves; it has no signature of its own.
 */
export const attestationSchema = z.strictObject({
  _type: z.literal(IN_TOTO_TYPE),
  subject: z.array(z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: digest }) })).length(1),
  predicateType: z.literal(ATTESTATION_TYPE),
  predicate: z.strictObject({
    release: z.string(),
    /** ISO 8601 with Z: the only time in a publication. */
    publishedAt: z.iso.datetime(),
    /** Series file that the release ran under. */
    seriesDigest: digest,
    /** Approvals that this series file asks for. */
    required: z.int().positive(),
    approvals: z.array(
      z.strictObject({
        subject: z.string(),
        /** The key that the series file names for the subject, SPKI PEM. */
        publicKey: z.string(),
        /** Series file whose approvers were asked. */
        seriesDigest: digest,
        envelope: envelopeSchema,
      }),
    ),
  }),
});

export type Attestation = z.infer<typeof attestationSchema>;
export type Approval = Attestation['predicate']['approvals'][number];

/** The attestation of a publication. */
export const attestationOf = (
  release: ReleaseReference,
  manifestDigest: string,
  predicate: Omit<Attestation['predicate'], 'release'>,
): Attestation => ({
  _type: IN_TOTO_TYPE,
  subject: [{ name: `${releasePath(release)}/${FILES.manifest}`, digest: { sha256: manifestDigest } }],
  predicateType: ATTESTATION_TYPE,
  predicate: { ...predicate, release: releasePath(release) },
});
