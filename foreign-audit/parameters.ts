import type { AuditCheck } from '../contracts/audit-report.ts';
import { report } from '../core/verdict/finding.ts';
import { certificateProblems } from '../counts/audit/checks/certificate-check.ts';
import type { ForeignSubject } from './foreign-subject.ts';
import type { Declaration } from './foreign-table.ts';

/** What a reader needs of each table to judge its protection and its noise. */
const NEEDED = ['scale', 'threshold', 'delta'] as const;

const isUndeclared = (declaration: Declaration): boolean =>
  declaration.certificate === null && NEEDED.some((name) => declaration[name] === null);

/**
 * A publication is unfit when nobody outside can say what it protects: each table needs a declared scale, threshold and
 * δ. Numbers that are declared without a certificate are a claim without a proof, and a point for attention; a
 * certificate is computed again. Statistic: tables without parameters, or problems of certificates.
 */
export function checkParameters({ tables }: ForeignSubject): AuditCheck {
  const attack = 'Look for what the publication says of its own protection, and compute it again.';
  const gaps = tables.filter(({ declared }) => isUndeclared(declared));
  const problems = [
    ...new Set(
      tables.flatMap(({ declared: { certificate } }) => (certificate ? certificateProblems(certificate) : [])),
    ),
  ];
  const claims = tables.filter(({ declared }) => declared.certificate === null).length;
  const isFail = gaps.length > 0 || problems.length > 0;
  return report('parameters', attack, {
    verdict: isFail ? 'fail' : claims > 0 ? 'attention' : 'pass',
    statistic: gaps.length + problems.length,
    bound: 0,
    sentence:
      gaps.length > 0
        ? `Scale, threshold and δ are not all declared for ${gaps.map(({ name }) => name).join(', ')}, and there is no certificate: nobody can tell what is protected, or how far a count is off.`
        : problems.length > 0
          ? `The certificate does not hold: ${problems.join(' ')}`
          : claims > 0
            ? 'Scale, threshold and δ are declared, but no certificate proves that they fit together.'
            : 'The certificate holds: its numbers come out again when they are computed in another way.',
  });
}
