import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { reportNone } from '../../../core/verdict/finding.ts';
import { checkCertificate } from '../../certificate-check/check-certificate.ts';
import { MECHANISMS } from '../../mechanisms/mechanisms.ts';
import type { AuditSubject } from '../subject.ts';

/** What is wrong with a certificate by itself (C10), or why nothing may be published from it (C8). */
export function certificateProblems(certificate: Certificate): string[] {
  const { whyNotReleased } = MECHANISMS[certificate.mechanism];
  return [...checkCertificate(certificate), ...(whyNotReleased === null ? [] : [whyNotReleased])];
}

/**
 * The certificate holds when it is computed again by other code (C10), is about the parameters of the series, and its
 * mechanism may be published from (C8). Statistic: problems found.
 */
export function checkCertified({ certificate, parameters }: AuditSubject): AuditCheck {
  const problems = [
    ...certificateProblems(certificate),
    ...Object.entries(parameters).flatMap(([name, value]) =>
      canonicalJson(value) === canonicalJson(Object.entries(certificate).find(([key]) => key === name)?.[1])
        ? []
        : [`The certificate has another ${name} than the series.`],
    ),
  ];
  return reportNone(
    'certificate',
    'Prove the certificate wrong by computing it again in another way.',
    problems.length,
    {
      right: `The certificate for epsilon = ${certificate.epsilon} and delta = ${certificate.delta} holds.`,
      wrong: `The certificate does not hold: ${problems.join(' ')}`,
    },
  );
}
