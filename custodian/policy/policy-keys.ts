import type { Envelope } from '../../contracts/decision.ts';
import type { Policy, PolicyPower } from '../../contracts/formats/policy.ts';
import { signingKeys } from '../../services/signing/signed-document.ts';

/** Has a key of the policy that may sign such a thing, and is not revoked, signed it? Throws SIGNATURE_INVALID. */
export const isSignedByPolicy = ({ keys }: Policy, power: PolicyPower, envelope: Envelope): boolean =>
  signingKeys(
    envelope,
    keys.filter(({ may, revoked }) => may.includes(power) && !revoked).map(({ key }) => key),
  ).size > 0;
