import { z } from 'zod';
import { NEIGHBOURS, UNIT_NAMES } from '../certificate.ts';
import { amount, capsOfFile, seriesName } from '../series.ts';
import { digestText, publicKeyText } from './common.ts';

/**
 * The policy: a file beside the private deployment in which the custodian says what may be drawn at all (C11a, C12). The
 * private worker asks it and nobody else.
 */

/** An ε of nothing allows nothing, and is a slip. */
const positive = amount.refine((text) => /[1-9]/.test(text.split(/[eE/]/)[0]!), 'write a number above 0');

/** The units of all kinds of series. */
const POLICY_UNITS: readonly string[] = [...UNIT_NAMES, 'ride'];

/** What a policy key may sign: series files, orders of further versions, and what stands in for a lost ledger. */
export const POLICY_POWERS = ['series', 'orders', 'ledger'] as const;

const policyKey = z.strictObject({
  name: z.string().min(1).max(200),
  key: publicKeyText,
  may: z.array(z.enum(POLICY_POWERS)).min(1),
  /** Nothing that it signed is taken any more. */
  revoked: z.boolean().default(false),
});

const population = z.strictObject({
  /** Source stores that hold these people; each belongs to one population. */
  sources: z.array(seriesName).min(1).max(1000),
  /** What the charges protect, and between which data sets: one of each for a population. */
  unit: z.string().refine((unit) => POLICY_UNITS.includes(unit), `write one of ${POLICY_UNITS.join(', ')}`),
  neighbours: z.enum(NEIGHBOURS),
  mechanisms: z.array(z.string().min(1)).min(1).max(20),
  /** How losses add up: as ε and δ, or as ρ of zero-concentrated differential privacy, for good. */
  accounting: z.enum(['pure', 'rho']).default('pure'),
  /** The greatest ε and δ of one release; where ρ is counted its greatest ρ too, and the δ at which ε is shown. */
  release: z.strictObject({ epsilon: positive, delta: amount, rho: positive.optional() }),
  /** In ε and δ, or in ρ, as the population accounts. */
  caps: capsOfFile(positive),
  /** Days after the end of a window in which its first version needs no order. */
  lateDays: z.number().int().nonnegative().max(36_600),
  /** Every window waits for a signed order that names the deliveries that count, whatever it holds. */
  clearance: z.boolean().optional(),
});

export const POLICY_FORMAT = 'opaline-policy/2';

export const policySchema = z.strictObject({
  format: z.literal(POLICY_FORMAT),
  /** Grows with each change; a worker that has acted on a later one refuses an earlier one. */
  number: z.number().int().positive(),
  /** Keys that a program made for a trial. */
  demo: z.boolean().default(false),
  keys: z.array(policyKey).min(1).max(100),
  /** Digests of signed series files that are not taken any more. */
  revokedSeries: z.array(digestText).max(10_000).default([]),
  populations: z.record(seriesName, population),
});

export type Policy = z.output<typeof policySchema>;
export type PopulationPolicy = z.output<typeof population>;
export type PolicyPower = (typeof POLICY_POWERS)[number];
