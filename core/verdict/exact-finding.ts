import type { AuditCheck } from '../../contracts/audit-report.ts';
import { report } from './finding.ts';

/** What is right or wrong with a release, in a sentence, where no chance is in it. */
export type ExactFinding = { ok: boolean; sentence: string };

/** A problem if there is one, or what is right. */
export const judge = (problem: string | null | undefined, right: string): ExactFinding => ({
  ok: (problem ?? null) === null,
  sentence: problem ?? right,
});

export const UNREADABLE: ExactFinding = { ok: false, sentence: 'A file is missing, or not of its form.' };

/** A finding as a row of the report. */
export const exact = (id: string, attack: string, { ok, sentence }: ExactFinding): AuditCheck =>
  report(id, attack, { verdict: ok ? 'pass' : 'fail', sentence });

/** What approvers have to acknowledge: partitions without data, and what the release has in their place. */
export const holesCheck = (names: readonly string[], instead: string): AuditCheck =>
  report('holes', 'List the partitions without data.', {
    verdict: names.length === 0 ? 'pass' : 'attention',
    statistic: names.length,
    sentence:
      names.length === 0
        ? 'Every part has data on every day.'
        : `Objects were missing or damaged, so that ${instead}: ${names.join(', ')}.`,
  });
