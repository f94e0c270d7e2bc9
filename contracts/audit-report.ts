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

export const auditReportSchema = z.strictObject({
  format: z.literal('opaline-audit/1'),
  release: z.string(),
  verdict: z.enum(VERDICTS),
  checks: z.array(auditCheckSchema),
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
