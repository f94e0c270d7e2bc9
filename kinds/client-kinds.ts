import type { ClientKind } from './client-kind.ts';
import { occupancyForClients } from './occupancy/client-kind.ts';
import { syntheticForClients } from './synthetic/client-kind.ts';
import { tapsForClients } from './taps/client-kind.ts';

/** The kinds of series that people can write files of, by name. */
export const CLIENT_KINDS: Readonly<Record<string, ClientKind>> = {
  taps: tapsForClients,
  occupancy: occupancyForClients,
  synthetic: syntheticForClients,
};
