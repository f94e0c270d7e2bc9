import type { PublicKind } from '../services/release/public-context.ts';
import { publicOccupancy } from './occupancy/public/public-kind.ts';
import { publicSynthetic } from './synthetic/public/public-kind.ts';
import { publicTaps } from './taps/public/public-kind.ts';

/** The kinds of series on the public side, by name. */
export const PUBLIC_KINDS: Readonly<Record<string, PublicKind>> = {
  taps: publicTaps,
  occupancy: publicOccupancy,
  synthetic: publicSynthetic,
};
