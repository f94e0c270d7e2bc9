import type { ClientKind } from './client-kind.ts';
import { occupancyForClients } from './occupancy/client/client-kind.ts';
import { syntheticForClients } from './synthetic/client/client-kind.ts';
import { tapsForClients } from './taps/client/client-kind.ts';

/** The kinds of series that people can write files of, by name. */
export const CLIENT_KINDS: Readonly<Record<string, ClientKind>> = {
  taps: tapsForClients,
  occupancy: occupancyForClients,
  synthetic: syntheticForClients,
};
