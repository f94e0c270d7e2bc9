import type { PublishedTaps, Unit } from '../../contracts/certificate.ts';

/** The span over which the taps of one card are chosen together, over all objects and modes (C2). */
export type CardScope = 'day' | 'window';

/**
 * Either a source row holds the whole unit, which is counted by the row: then `taps` is the most of it that a release
 * counts, by the ends that it publishes. Or a unit has any number of rows, and k of its taps are chosen: then the series
 * names k as maxTaps. Its rows are known by their card, so that a unit of several cards needs a kind of its own here.
 */
type Bounding =
  | { cardScope: null; taps: Readonly<Record<PublishedTaps, number>> }
  | { cardScope: CardScope; taps: 'maxTaps' };

/** What the code has to know of a unit of protection. */
type UnitFacts = Bounding & {
  /** Can several taps of one unit fall into one cell? */
  mayMeet: boolean;
  /** Can a row of two taps hold one of this unit and one of another? */
  sharesRow: boolean;
  /**
   * The most rejects of one unit in a release, which a series may count; null where nobody can say, since a row that
   * cannot be read has no card.
   */
  rejects: number | null;
  /** What is protected, for the statement: it goes on "What is protected is". `maxTaps` is there for a card alone. */
  protects: (maxTaps?: number) => string;
};

/** Ends of a trip that a release publishes. */
export const ENDS_PUBLISHED = { on: 1, off: 1, 'on+off': 2 } as const satisfies Record<PublishedTaps, number>;

/** A trip is one row with two ends, or two rows of one tap; a tap can make both ends of its row a reject. */
const REJECTS_OF_ROWS = 2;

const OF_ROWS = { cardScope: null, mayMeet: false, rejects: REJECTS_OF_ROWS } as const;
const OF_CARDS = { taps: 'maxTaps', mayMeet: true, sharesRow: false, rejects: null } as const;

/**
 * Every unit of protection, and the one place that says what it is. To add one, name it in contracts/certificate.ts and
 * follow the compiler: whatever needs to know of it looks here, or has a switch without a default. The proof of the
 * entries is in units.proof.md.
 *
 * @contract C1
 * @contract C2
 */
export const UNITS = {
  tap: {
    ...OF_ROWS,
    taps: { on: 1, off: 1, 'on+off': 1 },
    sharesRow: true,
    protects: () => 'one tap',
  },
  trip: {
    ...OF_ROWS,
    taps: ENDS_PUBLISHED,
    sharesRow: false,
    protects: () => 'one trip, with its tap on and its tap off',
  },
  'card-day': {
    ...OF_CARDS,
    cardScope: 'day',
    protects: (maxTaps) => `one card on one day, of which at most ${maxTaps} taps are counted`,
  },
  'card-window': {
    ...OF_CARDS,
    cardScope: 'window',
    protects: (maxTaps) => `one card in the whole window, of which at most ${maxTaps} taps are counted`,
  },
} as const satisfies Record<Unit, UnitFacts>;

/** Units of which the series names how many taps count. */
export type CardUnit = { [U in Unit]: (typeof UNITS)[U]['cardScope'] extends null ? never : U }[Unit];

export const isCardUnit = (unit: Unit): unit is CardUnit => UNITS[unit].cardScope !== null;
