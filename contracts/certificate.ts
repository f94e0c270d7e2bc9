/** Exact rational as text: `8`, `36/5`. Always in lowest terms. */
export type RationalText = string;

/** What is known of each is in the table of core/mechanisms/mechanisms.ts. */
export const MECHANISM_NAMES = ['stability-histogram', 'complete-domain', 'sbh-2017'] as const;
export type Mechanism = (typeof MECHANISM_NAMES)[number];

/** What is known of each is in the table of core/certificate/units.ts. */
export const UNIT_NAMES = ['tap', 'trip', 'card-day', 'card-window'] as const;
export type Unit = (typeof UNIT_NAMES)[number];

export const NEIGHBOURS = ['replace-one', 'add-remove'] as const;
export type Neighbours = (typeof NEIGHBOURS)[number];

/** Which ends of a trip a series publishes. */
export const PUBLISHED_TAPS = ['on', 'off', 'on+off'] as const;
export type PublishedTaps = (typeof PUBLISHED_TAPS)[number];

/**
 * Shares of ε; absent means that the series has no such part. They add up to ε. `checks` stands in what earlier builds
 * stored: nothing was ever drawn for it, and no series file holds it anew.
 */
export type EpsilonSplit = { cells: RationalText; time?: RationalText; location?: RationalText; checks?: RationalText };

/** What a certificate is asked for: public parameters, chosen without the data (C17). */
export type PrivacyParameters = {
  mechanism: Mechanism;
  unit: Unit;
  /** k: at most so many taps of one card are counted; for the card units only. */
  maxTaps?: number;
  neighbours: Neighbours;
  publish: PublishedTaps;
  epsilon: RationalText;
  delta: RationalText;
  split: EpsilonSplit;
};

/**
 * The proof object for (ε, δ) of one release (C10). Numbers that are not small integers are text: exact rationals as
 * `p/q`, bounds as decimals rounded outward.
 */
export type Certificate = PrivacyParameters & {
  format: 'opaline-certificate/1';
  /** Total L1 change of all counts of the release when one unit changes (C1). */
  d1: number;
  /** Scale of the noise on cells, b = D1/ε_cells. */
  scale: RationalText;
  /** Scales of the noisy margins, D1/ε_margin. */
  marginScales: { time?: RationalText; location?: RationalText };
  /** A noisy count is published iff it is at least this. Null for complete-domain: every cell is published. */
  threshold: number | null;
  alphaLower: string;
  alphaUpper: string;
  /** The tight δ at the stated T lies in [deltaLower, deltaUpper]. */
  deltaUpper: string;
  deltaLower: string;
  /** Counts of the cells that vanish with the unit, in the worst case. */
  worstPattern: number[];
  /** What anyone can check again from the manifest. */
  rechecked: string[];
  /** What the publisher attests and nobody outside can check. */
  assumptions: string[];
};
