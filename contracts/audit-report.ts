import { z } from 'zod';
import { digestText } from './formats/common.ts';

export const VERDICTS = ['pass', 'attention', 'fail'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * What a check found: it held, somebody has to look, or it is broken; `not-tried` where there was nothing to try it on,
 * which counts as neither. An attack that does not succeed is a check that holds.
 */
export const FINDINGS = [...VERDICTS, 'not-tried'] as const;
export type FindingVerdict = (typeof FINDINGS)[number];

/** One attack or check of the audit. */
export const auditCheckSchema = z.strictObject({
  /** Stable name, kebab-case; approvers acknowledge attention points by it. */
  id: z.string(),
  /** What was tried. */
  attack: z.string(),
  verdict: z.enum(FINDINGS),
  statistic: z.number().nullable(),
  bound: z.number().nullable(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  pValue: z.number().nullable(),
  /** One sentence that a release manager understands. */
  sentence: z.string(),
});

/** Days that are not like others of their weekday: holidays, closures, and weeks that people found odd. */
export const unusualDays = z.strictObject({
  from: z.iso.date(),
  /** The last of them. */
  to: z.iso.date(),
  /** Absent: all. */
  parts: z.array(z.string().max(200)).min(1).max(500).optional(),
  /** In a few words, for readers. */
  reason: z.string().min(1).max(200),
});
export type UnusualDays = z.infer<typeof unusualDays>;

/**
 * Earlier publications of the series that totals were compared with, newest first, by the digests of their manifest
 * and of totals.csv: whoever has them makes the finding again.
 */
const auditHistory = z.strictObject({
  read: z.array(z.strictObject({ release: z.string(), manifest: digestText, totals: digestText })).max(100),
  /** Those that should be there, or should not, or count otherwise: each with the reason in a few words. */
  left: z.array(z.strictObject({ release: z.string(), reason: z.string() })).max(100_000),
  unusual: z.array(unusualDays).max(1000),
  /** Published totals of each part and day beside those of its weekday before, newest first, and the usual range. */
  days: z.array(
    z.strictObject({
      partition: z.string(),
      count: z.int(),
      before: z.array(z.int()).readonly(),
      usual: z.tuple([z.int(), z.int()]).nullable(),
    }),
  ),
  /** Places that changed most against the newest of them, by more than noise; both noisy, over the same weekdays. */
  places: z.array(z.strictObject({ part: z.string(), place: z.string(), count: z.int(), before: z.int() })).max(100),
});

export const auditReportSchema = z.strictObject({
  format: z.literal('opaline-audit/2'),
  release: z.string(),
  verdict: z.enum(VERDICTS),
  checks: z.array(auditCheckSchema),
  /** Absent where the kind compares no totals. */
  history: auditHistory.optional(),
  /** Only in a second audit (C15): the series file whose declaration it went by, and in what that differs. */
  corrected: z
    .strictObject({
      declaration: digestText,
      /** Whose key of the policy signed that file. */
      by: z.string().max(200),
      fields: z.array(
        z.strictObject({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
      ),
    })
    .optional(),
});

export type AuditCheck = z.infer<typeof auditCheckSchema>;
export type AuditReport = z.infer<typeof auditReportSchema>;
