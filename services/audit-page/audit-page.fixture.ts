import type { AuditCheck, AuditReport, Verdict } from '../../contracts/audit-report.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { report } from '../../core/verdict/finding.ts';
import { foldVerdicts } from '../../core/verdict/verdict.ts';
import { checkAccumulation } from '../../counts/audit/checks/accumulation.ts';
import { appearanceRule, noiseOfCells } from '../../counts/audit/checks/declared-noise.ts';
import { checkPresence } from '../../counts/audit/checks/presence.ts';
import { checkScale } from '../../counts/audit/checks/scale.ts';
import { type CertificateRequest, certify } from '../../counts/certificate/certify.ts';
import { TRIP_REQUEST } from '../../counts/certificate/trip-request.fixture.ts';
import { auditForeign } from '../../foreign-audit/audit-foreign.ts';
import { declarationOf, parseDeclarations } from '../../foreign-audit/declaration.ts';
import { parseForeignCsv } from '../../foreign-audit/foreign-csv.ts';
import { type ForeignPublication, foreignSubject } from '../../foreign-audit/foreign-subject.ts';
import type { ForeignTable } from '../../foreign-audit/foreign-table.ts';
import { type AuditPageSubject, publicationSubject, releaseSubject } from './page-subject.ts';

/** A page's input: a certificate, and a report with real checks of it and one more of each verdict asked for. */
export type PageInput = { report: AuditReport; certificate: Certificate; subject: AuditPageSubject };

const REQUEST: CertificateRequest = {
  ...TRIP_REQUEST,
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
    checkAccumulation(appearanceRule(certificate), { chances: 53, deltaCap: 53e-6 }),
    checkScale(
      noiseOfCells(certificate),
      PAIRS.map(([on, off]) => [on!, off!]),
      1e-6,
    ),
    ...extra,
  ];
  return {
    report: { format: 'opaline-audit/2', release: 'demo-taps/2026-03-02/v1', verdict: foldVerdicts(checks), checks },
    certificate,
    subject: releaseSubject(certificate, {
      title: 'Demo taps',
      privacy: {
        domain: {
          modes: ['bus', 'ferry'],
          days: ['2026-03-02', '2026-03-08'],
        },
        holes: verdict === 'pass' ? [] : ['bus/2026-03-03'],
      },
      shown: {
        sentences: ['These figures are estimated from the published rows alone.'],
        headings: ['Mode', 'Noisy total and its 95 % interval', 'Fitted total', 'In fine cells', 'In hour rows'],
        rows: [
          ['bus', '1550468 (1550401 to 1550535)', '1550470', '67.9 %', '15.2 %'],
          ['ferry', '–', '–', '–', '–'],
        ],
      },
    }),
  };
}

/** Files as published in 2017: cells, and totals with a threshold of their own that the cells do not make up. */
const FOREIGN_FILES = {
  'ferry_tap_off_timeloc_20160808-14.csv':
    'mode,date,tap,time,loc,count\nferry,20160812,off,00:00,Circular Quay,91\nferry,20160812,off,00:15,Circular Quay,41\nferry,20160812,off,07:00,Manly,18\nferry,20160812,off,07:15,Manly,22\n',
  'location_20160808-14.csv':
    'mode,date,tap,loc,count\nferry,20160812,off,Circular Quay,150\nferry,20160812,off,Manly,64\n<html>\n',
};

/** The input of a page about a publication of somebody else, of which this is declared. */
export function foreignPageInput(declaration: string): Pick<PageInput, 'report' | 'subject'> {
  const declarations = declaration === '' ? new Map() : parseDeclarations(declaration);
  if (typeof declarations === 'string') throw new TypeError(declarations);
  const tables = Object.entries(FOREIGN_FILES).map(([name, text]): ForeignTable => {
    const csv = parseForeignCsv(text, null)!;
    return { ...csv, name, source: null, declared: declarationOf(declarations, csv.kind) };
  });
  const publication: ForeignPublication = {
    name: 'opal',
    tables,
    leftOut: ['README.md'],
    services: [],
    timetable: [],
    solve: null,
  };
  const subject = foreignSubject(publication);
  return { report: auditForeign(subject), subject: publicationSubject('opal', subject) };
}

/** What can be declared about somebody else's publication: nothing, and all that the report of 2017 says. */
export const FOREIGN_DECLARATIONS = ['', 'scale=1,location.scale=2,threshold=18,location.threshold=34,delta=1e-6'];
