import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { short } from '../../../core/text/wording.ts';
import type { AuditFigure } from '../../pages/drawing.ts';
import { type AuditPageSubject, inTable, labelOf } from '../page-subject.ts';
import { type DrawnInterval, intervalSpec } from './intervals.ts';

/** What the scale check recovered, what is declared, and what thresholds leave open. */
function scalesOf({ drawn }: AuditPageSubject, check: AuditCheck | null): DrawnInterval[] {
  const { statistic, interval, bound } = check ?? { statistic: null, interval: null, bound: null };
  const scales: DrawnInterval[] = [];
  if (statistic !== null && interval !== null) {
    const [low, high] = interval;
    scales.push({ ...nameScale('recovered', statistic), low, high, declared: false });
    if (bound !== null) scales.push({ ...nameScale('declared', bound), low: bound, high: bound, declared: true });
  }
  const open = drawn
    .filter(({ noise: { knownBy } }) => knownBy === 'threshold' || (knownBy === 'pairs' && scales.length === 0))
    .map((table): DrawnInterval => {
      const { least: low, most: high } = table.noise;
      const label = table.name === null ? 'left open' : labelOf(table.name);
      const words = `${label}: ${short(low)} to ${short(high)}`;
      return { name: `left open${inTable(table)}`, words, low, high, value: null, declared: false };
    });
  return [...scales, ...open];
}

const nameScale = (name: string, value: number) => ({ name, words: `${name} ${short(value)}`, value });

/** The scale of the noise as the audit recovered it, beside what is declared; null when there is nothing to show. */
export function scaleFigure(subject: AuditPageSubject, check: AuditCheck | null): AuditFigure | null {
  const scales = scalesOf(subject, check);
  if (scales.length === 0) return null;
  const last = 1.15 * Math.max(...scales.map(({ high }) => high));
  const hasScale = check?.statistic != null;
  return {
    heading: 'The scale of the noise, recovered',
    sentence: hasScale
      ? check.sentence
      : 'No two counts with the same truth are known, so that the noise cannot be measured. The thresholds that show leave these scales open, by the rule of 2017 (threshold = scale · ln(2/δ) + 1) with a δ as it is chosen in practice.',
    id: 'scale',
    title: 'Scale of the noise, in taps',
    description: `${scales.map(({ words }) => words).join('; ')}.`,
    height: 48 * scales.length,
    left: 16,
    spec: intervalSpec(scales, [0, last], 'scale of the noise, in taps'),
    caption: 'Scales of the noise',
    headings: ['Scale', 'Value', 'From', 'To'],
    rows: scales.map(({ name, value, low, high, declared }) => [
      `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
      value === null ? '' : short(value),
      declared ? '' : short(low),
      declared ? '' : short(high),
    ]),
  };
}
