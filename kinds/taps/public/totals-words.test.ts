import { expect, test } from 'vitest';
import type { AuditReport } from '../../../contracts/audit-report.ts';
import { daysWords } from './totals-words.ts';

const report: AuditReport = {
  format: 'opaline-audit/2',
  release: 'demo/2026-03-30/v1',
  verdict: 'attention',
  checks: [],
  history: {
    read: [{ release: 'demo/2026-03-23/v1', manifest: 'ab'.repeat(32), totals: 'cd'.repeat(32) }],
    left: [],
    unusual: [{ from: '2026-03-06', to: '2026-03-06', reason: 'a strike' }],
    days: [
      { partition: 'bus/2026-03-30', count: 990, before: [1000, 1010, 980, 1000, 995], usual: [900, 1100] },
      { partition: 'bus/2026-03-31', count: 3, before: [1000], usual: [900, 1100] },
      { partition: 'ferry/2026-03-30', count: 7, before: [], usual: null },
    ],
    places: [{ part: 'bus', place: 'Quay', count: 10, before: 300 }],
  },
};

test('each day stands beside those before it, unusual ones first and named', () => {
  const { rows, sentences } = daysWords(report)!;
  expect(rows).toEqual([
    ['bus/2026-03-31 (not usual)', '3', '900 to 1100', '1000', '–', '–', '–'],
    ['bus/2026-03-30', '990', '900 to 1100', '1000', '1010', '980', '1000'],
    ['ferry/2026-03-30', '7', 'not known', '–', '–', '–', '–'],
  ]);
  expect(sentences.join(' ')).toContain('by more than noise: bus Quay (300 before, now 10).');
  expect(sentences.join(' ')).toContain('as declared: 2026-03-06 (a strike).');
});

test('a report without a history has no such section', () => {
  const { history: _, ...without } = report;
  expect(daysWords(without)).toBeNull();
});
