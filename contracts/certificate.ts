/** Exact rational as text: `8`, `36/5`. Always in lowest terms. */
export type RationalText = string;

/** What is known of each is in counts/mechanisms/mechanisms.ts, its sentences are in certificate-statements.ts. */
export const MECHANISM_NAMES = ['stability-histogram', 'complete-domain', 'sbh-2017'] as const;
export type Mechanism = (typeof MECHANISM_NAMES)[number];

/** What is known of each is in the table of counts/certificate/units.ts. */
export const UNIT_NAMES = ['tap', 'trip', 'card-day', 'card-window'] as const;
export type Unit = (typeof UNIT_NAMES)[number];

export const NEIGHBOURS = ['replace-one', 'add-remove'] as const;
export type Neighbours = (typeof NEIGHBOURS)[number];

/** Which ends of a trip a series publishes. */
export const PUBLISHED_TAPS = ['on', 'off', 'on+off'] as const;
export type PublishedTaps = (typeof PUBLISHED_TAPS)[number];

/** What a row of a source holds: the two ends of a trip, or one tap. */
export const SOURCE_ROWS = ['trips', 'taps'] as const;
type SourceRows = (typeof SOURCE_ROWS)[number];

/**
 * Shares of ε; absent means that the series has no such part. They add up to ε. `bounded` is that of the noisy count of
 * taps that the bound of a card unit leaves out, `checks` that of the noisy count of rejects.
 */
export type EpsilonSplit = {
  cells: RationalText;
  time?: RationalText;
  location?: RationalText;
  bounded?: RationalText;
  checks?: RationalText;
};

/** What a certificate is asked for: public parameters, chosen without the data (C17). */
export type PrivacyParameters = {
  mechanism: Mechanism;
  unit: Unit;
  /** k: at most so many taps of one card are counted; for the card units only. */
  maxTaps?: number;
  /** Of the taps of one unit that the bound leaves out at most so many are counted; goes with `split.bounded`. */
  clamp?: number;
  /**
   * Of each part that is named: the most rejected taps of a day, by their noisy number; above it the audit fails. Goes
   * with `split.checks`; for the units of which a row is known to hold so much at most.
   */
  rejects?: Readonly<Record<string, number>>;
  neighbours: Neighbours;
  publish: PublishedTaps;
  /** Matters to the unit tap alone: a value of a trip that nobody can use takes its other tap away. Absent: trips. */
  rows?: SourceRows;
  epsilon: RationalText;
  delta: RationalText;
  split: EpsilonSplit;
  /** F: of a complete domain only cells with a noisy count of at least this are published. Absent: every cell is. */
  floor?: number;
  /** Hour rows under a floor, published from F2 on; `bins` are the time bins of a clock hour. Absent: there are none. */
  hours?: { floor: number; bins: number };
  /** The data that parameters were chosen on without a charge (C17). Absent: they were chosen on none. */
  chosenOn?: string;
};

/** Bounds on a probability: neighbouring decimals. */
export type ChanceText = { lower: string; upper: string };

/** How often something is shown where one unit is alone, and where nobody is. */
export type ShownChance = { lone: ChanceText; empty: ChanceText };

export const CERTIFICATE_FORMAT = 'opaline-certificate/4';

/**
 * The proof object for (ε, δ) of one release (C10). Numbers that are not small integers are text: exact rationals as
 * `p/q`, bounds as decimals rounded outward.
 */
export type Certificate = PrivacyParameters & {
  /** The sentences of both lists belong to it. */
  format: typeof CERTIFICATE_FORMAT;
  /** Total L1 change of all counts of the release when one unit changes (C1). */
  d1: number;
  /** Scale of the noise on cells, b = D1/ε_cells. */
  scale: RationalText;
  /** Scales of the noisy margins, D1/ε_margin. */
  marginScales: { time?: RationalText; location?: RationalText };
  /** Scale of the noise on taps in no count, beyond the bound or rejected: their own L1 change by their share. */
  leftOutScale?: RationalText;
  /** A noisy count is published iff it is at least this: T, or the floor. Null: every cell of the domain is published. */
  threshold: number | null;
  alphaLower: string;
  alphaUpper: string;
  /** The tight δ at the stated T lies in [deltaLower, deltaUpper]. */
  deltaUpper: string;
  deltaLower: string;
  /** Under a floor: the chances that a cell, or an hour row, with m taps of one unit or with none is published. */
  shown?: { cell: ShownChance; hour?: ShownChance };
  /** Counts of the cells that vanish with the unit, in the worst case. */
  worstPattern: number[];
  /** What anyone can check again from the manifest. */
  rechecked: string[];
  /** What the publisher attests and nobody outside can check. */
  assumptions: string[];
};
