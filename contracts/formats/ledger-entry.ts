import { z } from 'zod';
import { CORRECTION_REASONS } from '../stages.ts';
import {
  digestText,
  exactAmount,
  exactAmounts,
  exactRho,
  fileVersion,
  ledgerTip,
  partitionFields,
  publicKeyText,
} from './common.ts';

/** Entries of the ledger (C12): each is a signed document. */

/** Caps in ε and δ; or in ρ, and the δ at which people see an ε beside it: so it shows how a population accounts. */
const inPure = z.strictObject(exactAmounts);
const inRho = z.strictObject(exactRho);
const caps = z.union([
  z.strictObject({ block: inPure, year: inPure }),
  z.strictObject({ block: inRho, year: inRho, delta: exactAmount }),
]);

/** The charge of one block (population, part, day). The part is `all` where one unit may be in all parts. */
const blockCharge = z.union([
  z.strictObject({ ...partitionFields, ...exactAmounts }),
  z.strictObject({ ...partitionFields, ...exactRho }),
]);

/**
 * Charges that no entry of a ledger explains: for draws without one, and those of the ledger of an older build. A
 * mechanism of null is not known.
 */
export const unexplainedCharges = z.array(
  z.strictObject({ release: z.string(), mechanism: z.string().nullable(), blocks: z.array(blockCharge).min(1) }),
);

/** Which version a correction corrects, and why (C13). */
export const correctionFields = { of: z.number().int().positive(), reason: z.enum(CORRECTION_REASONS) };

export const LEDGER_FORMAT = 'opaline-ledger/7';

const head = {
  format: z.literal(LEDGER_FORMAT),
  population: z.string(),
  /** Place in the chain, from 1; part of the key. */
  sequence: z.number().int().positive(),
  /** SHA-256 of the stored bytes of the entry before; null for the first. */
  previous: digestText.nullable(),
};

const endFields = { ...head, charge: z.uuid(), release: z.string() };

/** Who was believed when an entry was written: number and digest of the policy and of the trust file. */
const basis = { ...head, policy: fileVersion, trust: fileVersion };

/** A kind never changes its meaning; unknown ones are refused. */
export const entrySchema = z.discriminatedUnion('kind', [
  /** The charge of every block of a release, before any draw. */
  z.strictObject({
    ...basis,
    kind: z.literal('reserve'),
    charge: z.uuid(),
    release: z.string(),
    /** What the amounts protect, and between which data sets: those of the population. */
    unit: z.string(),
    neighbours: z.string(),
    mechanism: z.string(),
    /** The series file that it runs under, with the number that its signature has. */
    series: z.strictObject({ name: z.string(), digest: digestText, number: z.number().int().positive() }),
    /** Digest of the order that allowed it; null where the policy itself does. */
    order: digestText.nullable(),
    /** What it corrects, why, and which partitions it draws again, as ordered (C13); null: it draws all of the window. */
    correction: z
      .strictObject({ ...correctionFields, partitions: z.array(z.strictObject(partitionFields)).min(1) })
      .nullable(),
    blocks: z.array(blockCharge).min(1),
    /** The caps that it was held against: of policy and series the smaller ones. */
    caps,
  }),
  /** The rules of the population from here on; there before the first reserve, and whenever the policy changes. */
  z.strictObject({
    ...basis,
    kind: z.literal('policy'),
    unit: z.string(),
    neighbours: z.string(),
    caps,
    /** Digest of the order by which a population that counted ε and δ counts ρ from here on; null where none was. */
    order: digestText.nullable(),
    /** Keys of the policy that may sign series files: the public worker learns here whom to believe. */
    signers: z.array(z.strictObject({ name: z.string().max(200), key: publicKeyText })).max(100),
  }),
  /**
   * The ledger goes on from the entry before because a policy key said so: its store was restored, or its charges are
   * in the ledger of an older build. Charges that no entry explains count as spent.
   */
  z.strictObject({
    ...basis,
    kind: z.literal('takeover'),
    order: digestText,
    tip: ledgerTip.nullable(),
    /** The mark of the worker that was given up; null: none. */
    mark: ledgerTip.nullable(),
    unexplained: unexplainedCharges,
  }),
  /** The release ended with its draws stored. */
  z.strictObject({ ...endFields, kind: z.literal('commit') }),
  /** The release ended without publication; reserved budget stays spent. */
  z.strictObject({ ...endFields, kind: z.literal('withhold'), reason: z.string() }),
  /** An attempt was refused by a cap. */
  z.strictObject({
    ...head,
    kind: z.literal('refuse'),
    release: z.string(),
    code: z.string(),
    subject: z.string(),
    reason: z.string(),
  }),
]);

export type BlockCharge = z.output<typeof blockCharge>;
export type LedgerEntry = z.output<typeof entrySchema>;
