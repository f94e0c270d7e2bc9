import { z } from 'zod';
import { envelopeSchema } from '../decision.ts';
import { publishedWords } from '../series.ts';
import { OBJECT_CODES } from '../stages.ts';
import { digestText, fileVersion, ledgerTip, partitionFields } from './common.ts';
import { correctionFields } from './ledger-entry.ts';

/** One staged file. */
const manifestFile = z.strictObject({ name: z.string(), sha256: digestText, bytes: z.number().int() });

export const MANIFEST_FORMAT = 'opaline-manifest/5';

/**
 * The form of all texts, pages and metadata beside the data: whoever makes the same form makes the same bytes from the
 * data, the audits, and `texts` in the manifest. One that is worded or laid out in another way takes the next number, and
 * so does one that another version of the drawing library makes, and a finding that readers make again (C15).
 */
export const TEXTS_FORM = 5;

/**
 * Digests of all that a release holds. Written last in the audit stage, over every staged file; it holds no clock and no
 * host. Approvals and the attestation are over the SHA-256 of its bytes.
 */
export const manifestSchema = z.strictObject({
  format: z.literal(MANIFEST_FORMAT),
  series: z.string(),
  window: z.iso.date(),
  version: z.number().int().positive(),
  population: z.string(),
  /** Digest of the parsed series file. */
  seriesDigest: digestText,
  charge: z.uuid(),
  /** Set in a version that corrects another: the partitions drawn again; the others are carried over (C13). */
  correction: z.strictObject({ ...correctionFields, redrawn: z.array(z.string()) }).nullable(),
  files: z.array(manifestFile),
  /** What is special to the series; see docs/architecture.md, *Kinds*. */
  kind: z.string(),
  /** Public lists and domains (C4), by the name that the kind gives them. */
  publicLists: z.record(z.string(), digestText),
  partitions: z.array(
    z.strictObject({
      ...partitionFields,
      /** Digest of the privatized table of one that was drawn; the code of one that is a hole. */
      privatizedTable: digestText.nullable(),
      hole: z.enum(OBJECT_CODES).nullable(),
      /** The private worker's word that it is so: readers have no release store. */
      receipt: envelopeSchema,
    }),
  ),
  /** What the texts are made from besides the data and the audits, and their form. */
  texts: z.strictObject({
    form: z.int().positive(),
    publication: publishedWords,
    /** Sentences on the earlier versions of the window, on what all of them cost, and on the caps of the charge. */
    versions: z.array(z.string().max(10_000)).max(1000),
    /** Day by which the next window should be public; null without a schedule. */
    nextExpected: z.iso.date().nullable(),
  }),
  /** What ran: digest of the sources of both workers, and of the program that ran them (null: unknown). */
  build: z.strictObject({ sources: z.string(), runtime: digestText.nullable() }),
  /** Version of the trust file under which the release came to its gate (C16). */
  trust: fileVersion,
  /** Digest of the custodian's policy under which it was charged (C11a). */
  policyDigest: digestText.nullable(),
  /** The population's ledger, as far as it went then (C12). */
  ledger: ledgerTip,
});

export type Manifest = z.output<typeof manifestSchema>;
