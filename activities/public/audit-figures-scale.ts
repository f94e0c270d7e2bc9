import type { AuditCheck } from '../../contracts/audit.ts';
import { short } from '../../core/audit/attacks/wording.ts';
import type { AuditFigure } from './audit-figures.ts';

const BLUE = '#0b4f8a';

/** The scale of the noise as the audit recovered it, beside the declared one; null when there was nothing to recover it from. */
export function scaleFigure(check: AuditCheck | null): AuditFigure | null {
  if (check === null || check.statistic === null || check.bound === null || check.interval === null) return null;
  const { statistic, bound, interval, sentence } = check;
  const [low, high] = interval;
  const last = 1.15 * Math.max(high, bound);
  return {
    heading: 'The scale of the noise, recovered',
    sentence,
    drawing: {
      id: 'scale',
      title: 'Recovered scale of the noise, and the declared one',
      description: `Recovered: ${short(statistic)}, interval from ${short(low)} to ${short(high)}. Declared: ${short(bound)}.`,
      height: 96,
      left: 16,
      spec: {
        encoding: {
          y: { field: 'row', type: 'nominal', sort: null, axis: null },
          x: {
            field: 'scale',
            type: 'quantitative',
            scale: { domain: [0, last], nice: false },
            axis: { title: 'scale of the noise, in taps', labelFlush: true, tickCount: 6 },
          },
        },
        layer: [
          {
            data: { values: [{ row: 'recovered', scale: low, high }] },
            mark: { type: 'rule', strokeWidth: 3, color: BLUE },
            encoding: { x2: { field: 'high' } },
          },
          {
            data: { values: [{ row: 'recovered', scale: statistic }] },
            mark: { type: 'point', filled: true, size: 90, color: BLUE, opacity: 1 },
          },
          {
            data: { values: [{ row: 'declared', scale: bound }] },
            mark: { type: 'point', filled: true, shape: 'diamond', size: 130, color: '#1c2126', opacity: 1 },
          },
          {
            data: {
              values: [
                { row: 'recovered', scale: 0, words: `recovered ${short(statistic)}` },
                { row: 'declared', scale: 0, words: `declared ${short(bound)}` },
              ],
            },
            mark: { type: 'text', align: 'left', dx: 4, dy: -11, fontWeight: 'bold' },
            encoding: { text: { field: 'words' } },
          },
        ],
      },
    },
    table: {
      caption: 'The recovered scale and the declared one',
      headings: ['Scale', 'Value', 'From', 'To'],
      rows: [
        ['Recovered', short(statistic), short(low), short(high)],
        ['Declared', short(bound), '', ''],
      ],
    },
  };
}
