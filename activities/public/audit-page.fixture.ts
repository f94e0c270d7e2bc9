import type { AuditCheck, AuditReport, Verdict } from '../../contracts/audit.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { checkAccumulation } from '../../core/audit/attacks/accumulation.ts';
import { appearanceRule, declaredNoise } from '../../core/audit/attacks/declared-noise.ts';
import { checkPresence } from '../../core/audit/attacks/presence.ts';
import { checkScale } from '../../core/audit/attacks/scale-recovery.ts';
import { report } from '../../core/audit/check.ts';
import { foldVerdicts } from '../../core/audit/verdict.ts';
import { type CertificateRequest, certify } from '../../core/certificate/certificate.ts';
import type { AuditPageFacts } from './audit-page.ts';

/** A page's input: a certificate, and a report with real checks of it and one more of each verdict asked for. */
export type PageInput = { report: AuditReport; certificate: Certificate; facts: AuditPageFacts };

const REQUEST: CertificateRequest = {
  mechanism: 'stability-histogram',
  unit: 'trip',
  neighbours: 'replace-one',
  publish: 'on+off',
  epsilon: '8',
  delta: '1/1000000',
  split: { cells: '36/5', time: '3/10', location: '1/2' },
};

/** Counts of a ferry at both ends, as an attacker would pair them. */
const PAIRS = Array.from({ length: 60 }, (_, index) => [120 + index, 120 + index + ([0, 0, 1, -1, 0][index % 5] ?? 0)]);

const EXTRA: Record<Exclude<Verdict, 'pass'>, AuditCheck> = {
  attention: report('holes', 'Look for days and modes that are missing.', {
    verdict: 'attention',
    statistic: 1,
    bound: 0,
    sentence: 'There is no data for bus/2026-03-03 (OBJECT_MISSING): readers must not take it for a day without taps.',
  }),
  fail: report('sums', 'Compare each table with the sums of the cells.', {
    verdict: 'fail',
    statistic: 2,
    bound: 0,
    sentence: 'Two rows of time.csv are no sums of published cells.',
  }),
};

/** The input of a page under this verdict; `change` is the request of the certificate. */
export function pageInput(verdict: Verdict, change: Partial<CertificateRequest> = {}): PageInput {
  const certificate = certify({ ...REQUEST, ...change });
  const extra = verdict === 'pass' ? [] : verdict === 'attention' ? [EXTRA.attention] : [EXTRA.attention, EXTRA.fail];
  const checks = [
    checkPresence({ certificate }),
    checkAccumulation(appearanceRule(certificate), { days: 53, deltaCap: 53e-6 }),
    checkScale(
      declaredNoise(certificate),
      PAIRS.map(([on, off]) => [on!, off!]),
      1e-6,
    ),
    ...extra,
  ];
  return {
    report: { format: 'opaline-audit/1', release: 'demo-taps/2026-03-02/v1', verdict: foldVerdicts(checks), checks },
    certificate,
    facts: {
      title: 'Demo taps',
      privacy: {
        domain: {
          modes: ['bus', 'ferry'],
          days: ['2026-03-02', '2026-03-08'],
          timeZone: 'Australia/Sydney',
          dayStarts: '00:00',
          dayEnds: '24:00',
          binMinutes: 15,
          locations: {},
        },
        holes: verdict === 'pass' ? [] : ['bus/2026-03-03'],
      },
    },
  };
}
