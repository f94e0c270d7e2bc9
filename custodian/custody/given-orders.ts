import { type Order, orderSchema } from '../../contracts/formats/order.ts';
import type { PolicyPower } from '../../contracts/formats/policy.ts';
import { signedBelow } from '../../services/signing/signed-objects.ts';
import type { PrivateContext } from '../context.ts';
import { isSignedByPolicy } from '../policy/policy-keys.ts';

/** An order with the digest by which ledgers name it. */
export type GivenOrder = { order: Order; digest: string };

/**
 * Orders below a prefix of the release store that are asked for and that a key of the policy has signed, by digest.
 * Anybody may have put them there; signatures are looked at last, as they cost most.
 *
 * @contract C11a
 */
export async function ordersBelow(
  { releaseStore, policy }: Pick<PrivateContext, 'releaseStore' | 'policy'>,
  prefix: string,
  power: PolicyPower,
  isAsked: (given: GivenOrder) => boolean,
): Promise<GivenOrder[]> {
  const given = await signedBelow(
    releaseStore,
    prefix,
    orderSchema,
    ({ document, digest, envelope }) =>
      isAsked({ order: document, digest }) && isSignedByPolicy(policy.policy, power, envelope),
  );
  return given.map(({ document, digest }) => ({ order: document, digest }));
}
