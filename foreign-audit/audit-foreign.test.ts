import { describe, expect, test } from 'vitest';
import { groupRisks } from '../counts/audit/checks/presence.ts';
import { certify } from '../counts/certificate/certify.ts';
import { TRIP_REQUEST } from '../counts/certificate/trip-request.fixture.ts';
import { auditForeign } from './audit-foreign.ts';
import { parseForeignCsv } from './foreign-csv.ts';
import { type ForeignPublication, foreignSubject } from './foreign-subject.ts';
import { type Declaration, type ForeignTable, NOTHING_DECLARED } from './foreign-table.ts';

const SAID: Declaration = { ...NOTHING_DECLARED, model: 'discrete-laplace', scale: 1, threshold: 18, delta: 1e-6 };

const table = (name: string, lines: string[], declared = SAID): ForeignTable => ({
  ...parseForeignCsv(lines.join('\n'), null)!,
  name,
  source: null,
  declared,
});
const CELLS = ['mode,date,tap,time,loc,count', 'bus,20160812,off,07:00,2000,40', 'bus,20160812,on,07:00,2000,30'];
const TOTALS = ['mode,date,tap,loc,count', 'bus,20160812,off,2000,40', 'bus,20160812,on,2000,30'];

const audit = (tables: ForeignTable[], more: Partial<ForeignPublication> = {}) =>
  auditForeign(
    foreignSubject({ name: 'test', tables, leftOut: [], services: [], timetable: [], solve: null, ...more }),
  );
const verdicts = (...input: Parameters<typeof audit>): Record<string, string> =>
  Object.fromEntries(audit(...input).checks.map(({ id, verdict }) => [id, verdict]));

describe('C15: the audit of a foreign publication sees rows, declarations and public knowledge', () => {
  test('it is a pure function of them', () => {
    const tables = [table('cells', CELLS), table('totals', TOTALS)];
    expect(audit(tables)).toEqual(audit(tables));
  });

  test('an orderly publication without a certificate waits for a person', () => {
    const found = verdicts([table('cells', CELLS), table('totals', TOTALS)]);
    expect(Object.values(found)).not.toContain('fail');
    expect(found).toMatchObject({ parameters: 'attention', differencing: 'pass', order: 'pass', files: 'pass' });
  });

  test.each<[string, string, ForeignTable[]]>([
    ['parameters', 'fail', [table('cells', CELLS, { ...SAID, delta: null })]],
    ['threshold-recovery', 'fail', [table('cells', CELLS, { ...SAID, threshold: 31 })]],
    ['threshold-recovery', 'attention', [table('cells', CELLS, { ...SAID, threshold: null })]],
    ['presence', 'fail', [table('cells', CELLS, { ...SAID, scale: 4 })]],
    ['accumulation', 'fail', [table('cells', CELLS, { ...SAID, scale: 4 })]],
    ['presence', 'attention', [table('cells', [CELLS[0]!, CELLS[1]!.replace('40', '18')], NOTHING_DECLARED)]],
    [
      'differencing',
      'fail',
      [table('cells', CELLS), table('totals', [...TOTALS.slice(0, 2), TOTALS[2]!.replace('30', '31')])],
    ],
    [
      'dependence',
      'fail',
      [table('cells', CELLS), table('totals', [...TOTALS.slice(0, 2), TOTALS[2]!.replace('30', '31')])],
    ],
    ['dependence', 'attention', [table('cells', CELLS), table('totals', [TOTALS[0]!, 'bus,20160901,on,2000,34'])]],
    ['order', 'attention', [table('cells', [CELLS[0]!, CELLS[2]!, CELLS[1]!])]],
    ['order', 'fail', [table('cells', [...CELLS, CELLS[2]!])]],
    ['files', 'attention', [table('cells', [...CELLS, '<xml/>'])]],
    ['not-learnt', 'attention', [table('cells', CELLS)]],
  ])('%s gives %s', (id, verdict, tables) => {
    expect(verdicts(tables)[id]).toBe(verdict);
  });

  test('a timetable with a lone service is a point for attention', () => {
    const cell = { mode: 'bus', tap: 'off', time: '07:00', location: '2000', services: 1, stops: 4 } as const;
    expect(verdicts([table('cells', CELLS)], { timetable: [cell] })['timetable-extremes']).toBe('attention');
    expect(verdicts([table('cells', CELLS)])['timetable-extremes']).toBeUndefined();
  });

  test('two files of the same cells give the scale away; a copy gives nothing', () => {
    const cells = (add: number) => [
      'loc,count,datetime',
      'quiet,18,20160812 07:15',
      ...Array.from({ length: 60 }, (_, index) => `${100 + index},${90 + ((index * add) % 3)},20160812 07:15`),
    ];
    const found = (second: ForeignTable) =>
      audit([table('one', cells(0), NOTHING_DECLARED), second]).checks.find(({ id }) => id === 'scale')!;
    expect(found(table('two', cells(1), NOTHING_DECLARED))).toMatchObject({ verdict: 'attention' });
    expect(found(table('two', cells(0), NOTHING_DECLARED))).toMatchObject({ verdict: 'not-tried', statistic: null });
  });

  test('totals and cells of two charged publications are not compared, those of one are', () => {
    const certificate = certify(TRIP_REQUEST);
    const declared = { ...NOTHING_DECLARED, certificate };
    const totals = [...TOTALS.slice(0, 2), TOTALS[2]!.replace('30', '31')];
    const found = (source: string) =>
      verdicts([
        { ...table('cells', CELLS, declared), source: 'v1' },
        { ...table('totals', totals, declared), source },
      ]);
    expect(found('v1')).toMatchObject({ differencing: 'fail', dependence: 'fail', parameters: 'pass' });
    expect(found('v2')).toMatchObject({ differencing: 'not-tried', dependence: 'pass', parameters: 'pass' });
  });

  test('no tables at all are audited without a fault', () => {
    expect(verdicts([])).toMatchObject({ presence: 'not-tried', differencing: 'not-tried' });
  });

  test('one noise for both ends of a service is found twice: too little noise, and used again', () => {
    const quarters = Array.from({ length: 80 }, (_, index) => index);
    const label = (quarter: number) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
    const lines = [
      ...quarters.map((quarter) => `ferry,20160812,off,${label(quarter + 2)},Circular Quay,${60 + quarter}`),
      ...quarters.map((quarter) => `ferry,20160812,on,${label(quarter)},Manly,${60 + quarter}`),
    ];
    const service = { mode: 'ferry', from: 'Manly', to: 'Circular Quay', minutes: 30 };
    const found = verdicts([table('cells', [CELLS[0]!, ...lines])], { services: [service] });
    expect(found).toMatchObject({ scale: 'fail', reuse: 'fail' });
  });

  test('no check is missing, and the name of each is its own', () => {
    const cell = { mode: 'bus', tap: 'off', time: '07:00', location: '2000', services: 2, stops: 4 } as const;
    expect(audit([table('cells', CELLS)], { timetable: [cell] }).checks.map(({ id }) => id)).toEqual([
      'parameters',
      'threshold-recovery',
      'presence',
      'accumulation',
      'scale',
      'reuse',
      'differencing',
      'dependence',
      'timetable-extremes',
      'order',
      'files',
      'not-learnt',
    ]);
  });
});

test('risks are told of every table that was drawn, and grow with the group', () => {
  const subject = foreignSubject({
    name: 'test',
    tables: [table('cells', CELLS)],
    leftOut: [],
    services: [],
    timetable: [],
    solve: null,
  });
  const risks = groupRisks(subject.tables[0]!.noise);
  // α^(T−g)/(1+α)
  const alpha = Math.exp(-1);
  [1, 5, 12].forEach((group, index) => {
    expect(risks[index]!.most / (alpha ** (18 - group) / (1 + alpha))).toBeCloseTo(1, 12);
  });
  expect(risks.map(({ least }) => least)).toEqual(risks.map(({ most }) => most));
});
