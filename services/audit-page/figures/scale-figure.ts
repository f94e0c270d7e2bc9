import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { short } from '../../../core/text/wording.ts';
import type { AuditFigure } from '../../pages/drawing.ts';
import { type AuditPageSubject, type DrawnTable, inTable, labelOf } from '../page-subject.ts';
import { type DrawnInterval, intervalSpec } from './intervals.ts';

/** One scale to show: an interval, or a single value that is declared. */
type Scale = Omit<DrawnInterval, 'words'> & { label: string };

/** What the scale check recovered, what is declared, and what thresholds leave open. */
function scalesOf({ drawn }: AuditPageSubject, check: AuditCheck | null): Scale[] {
  const { statistic, interval, bound } = check ?? { statistic: null, interval: null, bound: null };
  const measured: Scale[] = [];
  if (statistic !== null && interval !== null) {
    const [low, high] = interval;
    measured.push({ name: 'recovered', label: 'recovered', low, high, value: statistic, declared: false });
    if (bound !== null)
      measured.push({ name: 'declared', label: 'declared', low: bound, high: bound, value: bound, declared: true });
  }
  const open = drawn
    .filter(({ noise: { knownBy } }) => knownBy === 'threshold' || (knownBy === 'pairs' && measured.length === 0))
    .map(
      (table): Scale => ({
        name: openName(table),
        label: table.name === null ? 'left open' : labelOf(table.name),
        low: table.noise.least,
        high: table.noise.most,
        value: null,
        declared: false,
      }),
    );
  return [...measured, ...open];
}

const openName = (table: DrawnTable): string => `left open${inTable(table)}`;

/** The scale of the noise as the audit recovered it, beside what is declared; null when there is nothing to tell. */
export function scaleFigure(subject: AuditPageSubject, check: AuditCheck | null): AuditFigure | null {
  const scales = scalesOf(subject, check);
  if (scales.length === 0) return null;
  const last = 1.15 * Math.max(...scales.map(({ high }) => high));
  const values = scales.map((scale) => ({ ...scale, words: `${scale.label}${inNumbers(scale)}` }));
  const recovered = check?.statistic != null;
  return {
    heading: 'The scale of the noise, recovered',
    sentence: recovered
      ? check.sentence
      : 'No two counts with the same truth are known, so that the noise cannot be measured. The thresholds that show leave these scales open, by the rule of 2017 (threshold = scale · ln(2/δ) + 1) with a δ as it is chosen in practice.',
    id: 'scale',
    title: 'Scale of the noise, in taps',
    description: `${values.map(({ words }) => words).join('; ')}.`,
    height: 48 * values.length,
    left: 16,
    spec: intervalSpec(values, [0, last], 'scale of the noise, in taps'),
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

const inNumbers = ({ value, low, high }: Scale): string =>
  value === null ? `: ${short(low)} to ${short(high)}` : ` ${short(value)}`;
