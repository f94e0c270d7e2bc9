import { z } from 'zod';
import { digestText, exactAmounts, formatName, ledgerTip, numbered } from './common.ts';

/**
 * Entries of the ledger (C12), in two generations. What is written is the second, and each of its entries is a signed
 * document; the first is read for ever, is not signed, and is given in the form of the second: the part of a block is
 * what it calls its mode, and what it does not say is null. A chain may begin in the first generation and goes on in the
 * second with a takeover.
 */

const amounts = z.strictObject(exactAmounts);
const caps = z.strictObject({ block: amounts, year: amounts });
const partition = { part: z.string(), day: z.iso.date() };

/** The charge of one block (population, part, day). The part is `all` where one unit may be in all parts. */
const blockCharge = z.strictObject({ ...partition, ...exactAmounts });
const blockChargeOfFirst = z
  .strictObject({ mode: z.string(), day: z.iso.date(), ...exactAmounts })
  .transform(({ mode, ...block }) => ({ part: mode, ...block }));

/** `format` is the schema of its name. */
function head<Format extends z.ZodType<string>>(format: Format) {
  return {
    format,
    population: z.string(),
    /** Place in the chain, from 1; part of the key. */
    sequence: z.number().int().positive(),
    /** SHA-256 of the stored bytes of the entry before; null for the first. */
    previous: digestText.nullable(),
  };
}

/** The kinds that both generations have. A kind never changes its meaning; unknown ones are refused. */
function endings<Format extends z.ZodType<string>>(format: Format) {
  const ended = { ...head(format), charge: z.uuid(), release: z.string() };
  return [
    /** The release ended with its draws stored. */
    z.strictObject({ ...ended, kind: z.literal('commit') }),
    /** The release ended without publication; reserved budget stays spent. */
    z.strictObject({ ...ended, kind: z.literal('withhold'), reason: z.string() }),
    /** An attempt was refused by a cap. */
    z.strictObject({
      ...head(format),
      kind: z.literal('refuse'),
      release: z.string(),
      code: z.string(),
      subject: z.string(),
      reason: z.string(),
    }),
  ] as const;
}

const FIRST = z.literal('opaline-ledger/1');

const reserveOfFirst = z
  .strictObject({
    ...head(FIRST),
    kind: z.literal('reserve'),
    charge: z.uuid(),
    release: z.string(),
    unit: z.string(),
    blocks: z.array(blockChargeOfFirst).min(1),
    caps,
  })
  .transform((entry) => ({
    ...entry,
    neighbours: null,
    series: null,
    policy: null,
    trust: null,
    order: null,
    redrawn: null,
  }));

/** The format of entries that are written now. */
export const LEDGER_FORMAT = 'opaline-ledger/2';

const SECOND = formatName(LEDGER_FORMAT);

/** Who was believed when an entry was written: number and digest of the policy and of the trust file. */
const believed = { policy: numbered, trust: numbered };

const second = z.discriminatedUnion('kind', [
  /** The charge of every block of a release, before any draw. */
  z.strictObject({
    ...head(SECOND),
    ...believed,
    kind: z.literal('reserve'),
    charge: z.uuid(),
    release: z.string(),
    /** What the amounts protect, and between which data sets: those of the population. */
    unit: z.string(),
    neighbours: z.string(),
    /** The series file that it runs under, with the number that its signature has. */
    series: z.strictObject({ name: z.string(), digest: digestText, number: z.number().int().positive() }),
    /** Digest of the order that allowed it; null where the policy itself does. */
    order: digestText.nullable(),
    /** The partitions that a correction draws; null: all of the window. */
    redrawn: z.array(z.strictObject(partition)).nullable(),
    blocks: z.array(blockCharge).min(1),
    /** The caps that it was held against: of policy and series the smaller ones. */
    caps,
  }),
  /** The rules of the population from here on; there before the first reserve, and whenever the policy changes. */
  z.strictObject({
    ...head(SECOND),
    ...believed,
    kind: z.literal('policy'),
    unit: z.string(),
    neighbours: z.string(),
    caps,
  }),
  /**
   * The ledger goes on from the entry before because a policy key said so: its store was restored, or it is of an
   * earlier build. Charges for draws that no entry explains count as spent.
   */
  z.strictObject({
    ...head(SECOND),
    ...believed,
    kind: z.literal('takeover'),
    order: digestText,
    tip: ledgerTip.nullable(),
    /** The mark of the worker that was given up; null: none. */
    mark: ledgerTip.nullable(),
    /** The series files of releases that entries of the first generation charged. */
    releases: z.array(z.strictObject({ release: z.string(), seriesDigest: digestText })),
    unexplained: z.array(z.strictObject({ release: z.string(), blocks: z.array(blockCharge).min(1) })),
  }),
  ...endings(SECOND),
]);

/** What is signed now. */
export const signedEntrySchema = second;

/** Entries of the first generation, which are stored as they are. */
export const firstEntrySchema = z.discriminatedUnion('kind', [reserveOfFirst, ...endings(FIRST)]);

export type BlockCharge = z.output<typeof blockCharge>;
export type LedgerEntry = z.output<typeof second> | z.output<typeof firstEntrySchema>;
export type SignedEntry = z.output<typeof second>;
