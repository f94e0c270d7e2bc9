import type { AuditCheck } from '../contracts/audit-report.ts';
import { gather } from '../core/text/paragraphs.ts';
import { report } from '../core/verdict/finding.ts';
import type { ForeignSubject } from './foreign-subject.ts';

/** What an audit of these files cannot find out, and why. */
export function notLearnt(subject: ForeignSubject): string[] {
  const { tables, pairs, timetable } = subject;
  const bare = tables.filter(({ declared }) => declared.certificate === null);
  const isSecret = bare.some(({ declared }) => declared.delta === null);
  const isApart = subject.differences.length === 0;
  const isEndless = tables.some(({ columns }) => !columns.includes('tap'));
  return gather(
    pairs.length === 0 && 'the scale of the noise (no two counts with the same truth are known)',
    isSecret && 'the ε and the δ of the release (they are no property of one output)',
    isApart && 'what was suppressed (no two tables count the same mode and day in more and in less detail)',
    isEndless && 'tap-offs of a table that does not name the end of the trip',
    timetable.length === 0 && 'which cells a single service feeds (no timetable is given)',
    bare.length > 0 &&
      'whether zeros were perturbed, rows were removed, or noise was drawn twice (the truth is not at hand)',
  );
}

/**
 * Names what could not be tried, so that nobody takes silence for a pass. A certificate answers what the files do not;
 * without one the gaps are a point for attention. Statistic: the gaps.
 */
export function checkNotLearnt(subject: ForeignSubject): AuditCheck {
  const gaps = notLearnt(subject);
  const isCertified = subject.tables.every(({ declared }) => declared.certificate !== null);
  return report('not-learnt', 'Say what these files cannot tell an attacker, or anyone.', {
    verdict: gaps.length === 0 || isCertified ? 'pass' : 'attention',
    statistic: gaps.length,
    sentence:
      gaps.length === 0 ? 'Every attack could be tried.' : `Not to be learnt from these files: ${gaps.join('; ')}.`,
  });
}
