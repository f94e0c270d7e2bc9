import { z } from 'zod';
import { seriesName } from './series.ts';

/** What is known of each is in counts/mechanisms/mechanisms.ts, its sentences are in certificate-statements.ts. */
export const MECHANISM_NAMES = ['stability-histogram', 'complete-domain', 'discrete-gaussian', 'sbh-2017'] as const;
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

/** Exact amounts: `8` or `36/5`. */
const amount = z
  .string()
  .max(2000)
  .regex(/^(0|[1-9]\d*)(\/[1-9]\d*)?$/, 'is not a whole number or a fraction');
/** Bounds: decimals of at most 20 significant digits. */
const bound = z
  .string()
  .max(32)
  .regex(/^\d+(\.\d+)?(e[+-]\d{1,3})?$/, 'is not a decimal number');

/** Bounds on a probability: neighbouring decimals. */
const chance = z.strictObject({ lower: bound, upper: bound });
/** How often something is shown where one unit is alone, and where nobody is. */
const shownChance = z.strictObject({ lone: chance, empty: chance });

/** Data that parameters were chosen on, in a few words for a sentence: `this week`. */
export const chosenOn = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s.]$/u,
    'is one line of plain text without a full stop',
  );

/**
 * Shares of ε, which add up to ε, or of ρ under discrete-gaussian, which add up to 1; absent means that the series has no
 * such part. `bounded` is that of the noisy count of
 * taps that the bound of a card unit leaves out, `checks` that of the noisy count of rejects.
 */
const splitOf = <Amount extends z.ZodType<string>>(amountForm: Amount) =>
  z.strictObject({
    cells: amountForm,
    time: amountForm.optional(),
    location: amountForm.optional(),
    bounded: amountForm.optional(),
    checks: amountForm.optional(),
  });

/**
 * The public parameters of a release of counts, chosen without the data (C17): the one list of them, from which
 * certificate, privacy.json, series file and command line take theirs. `amountForm`: the form of an amount.
 */
export const parameterFields = <Amount extends z.ZodType<string>>(amountForm: Amount) => ({
  mechanism: z.enum(MECHANISM_NAMES),
  unit: z.enum(UNIT_NAMES),
  /** k: at most k taps of one card are counted; for the card units only. */
  maxTaps: z.number().int().min(1).max(10_000).optional(),
  /**
   * Under discrete-gaussian: of the taps of one card one is counted in each time bin of a mode, day and end, and at most
   * this number at each location.
   */
  place: z.number().int().min(1).max(2).optional(),
  /** Of the taps of one unit that the bound leaves out, at most this many are counted; goes with `split.bounded`. */
  clamp: z.number().int().min(1).max(10_000).optional(),
  /**
   * Of each part that is named: the most rejected taps of a day, by their noisy number; above it the audit fails. Goes
   * with `split.checks`; for the units of which a row is known to hold so much at most.
   */
  rejects: z.record(seriesName, z.number().int().min(0).max(1_000_000_000)).optional(),
  neighbours: z.enum(NEIGHBOURS),
  publish: z.enum(PUBLISHED_TAPS),
  /** Matters to the unit tap alone: a value of a trip that nobody can use takes its other tap away. Absent: trips. */
  rows: z.enum(SOURCE_ROWS).optional(),
  epsilon: amountForm,
  delta: amountForm,
  split: splitOf(amountForm),
  /** F: of a complete domain only cells with a noisy count of at least this are published. Absent: every cell is. */
  floor: z.number().int().min(2).optional(),
  /** Hour rows under a floor, published from F2 on; `bins` are the time bins of a clock hour. Absent: there are none. */
  hours: z.strictObject({ floor: z.number().int().min(2), bins: z.number().int().min(2).max(12) }).optional(),
  /** The data that parameters were chosen on without a charge (C17). Absent: they were chosen on none. */
  chosenOn: chosenOn.optional(),
});

export const privacyParameters = z.strictObject(parameterFields(amount));

/** The parameters among the fields of something that has them. */
export const parametersOf = <Asked extends object>(fields: Asked): Pick<Asked, keyof Asked & keyof PrivacyParameters> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => name in privacyParameters.shape && value !== undefined),
  ) as Pick<Asked, keyof Asked & keyof PrivacyParameters>;

export const CERTIFICATE_FORMAT = 'opaline-certificate/5';

/**
 * The proof object for (ε, δ) of one release (C10): nothing missing, nothing unknown. Numbers that are not small integers
 * are text: exact rationals as `p/q`, bounds as decimals rounded outward.
 */
export const certificateShape = z.strictObject({
  /** The sentences of both lists belong to it. */
  format: z.literal(CERTIFICATE_FORMAT),
  ...privacyParameters.shape,
  /** Total L1 change of all counts of the release when one unit changes (C1). */
  d1: z.number().int().positive(),
  /** Scale of the noise on cells, b = D1/ε_cells; σ² under discrete-gaussian, here and below. */
  scale: amount,
  /** Scales of the noisy margins, D1/ε_margin. */
  marginScales: z.strictObject({ time: amount.optional(), location: amount.optional() }),
  /** Scale of the noise on taps in no count, beyond the bound or rejected: their own L1 change by their share. */
  leftOutScale: amount.optional(),
  /** ρ of the whole release, exactly; under discrete-gaussian alone. */
  rho: amount.optional(),
  /** A noisy count is published iff it is at least this: T, or the floor. Null: every cell of the domain is published. */
  threshold: z.number().int().positive().nullable(),
  /** α = e^(−1/b) of discrete Laplace noise on cells. */
  alphaLower: bound.optional(),
  alphaUpper: bound.optional(),
  /** The tight δ at the stated T, or at ε under discrete-gaussian, is in [deltaLower, deltaUpper]. */
  deltaUpper: bound,
  deltaLower: bound,
  /** Under a floor: the chances that a cell, or an hour row, with m taps of one unit or with none is published. */
  shown: z.strictObject({ cell: shownChance, hour: shownChance.optional() }).optional(),
  /** Counts of the cells that vanish with the unit, in the worst case. */
  worstPattern: z.array(z.number().int().positive()),
  /** What anyone can check again from the manifest. */
  rechecked: z.array(z.string()),
  /** What the publisher attests and nobody outside can check. */
  assumptions: z.array(z.string()),
});

/** Shares in the order in which texts name them. */
export const SHARES = privacyParameters.shape.split.keyof().options;

export type ChanceText = z.infer<typeof chance>;
export type ShownChance = z.infer<typeof shownChance>;
export type EpsilonSplit = PrivacyParameters['split'];
export type Share = keyof EpsilonSplit;
export type PrivacyParameters = z.infer<typeof privacyParameters>;
export type Certificate = z.infer<typeof certificateShape>;
