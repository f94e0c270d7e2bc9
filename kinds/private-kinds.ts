import type { PrivateKind } from '../custodian/private-context.ts';
import { privateOccupancy } from './occupancy/private/private-kind.ts';
import { privateSynthetic } from './synthetic/private/private-kind.ts';
import { privateTaps } from './taps/private/private-kind.ts';

/** The kinds of series on the custodian side, by name. */
export const PRIVATE_KINDS: Readonly<Record<string, PrivateKind>> = {
  taps: privateTaps,
  occupancy: privateOccupancy,
  synthetic: privateSynthetic,
};
