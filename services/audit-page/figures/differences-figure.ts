import { type Difference, distanceOf, totalInWords } from '../../../foreign-audit/foreign-differences.ts';
import type { AuditFigure } from '../../pages/drawing.ts';
import { labelOf } from '../page-subject.ts';
import { intervalSpec } from './intervals.ts';

/** Totals that are drawn and listed: the most telling ones. */
const SHOWN = 8;

/** What totals with noise of their own reveal about suppressed cells; null where no total reveals anything. */
export function differencesFigure(differences: readonly Difference[]): AuditFigure | null {
  const leftovers = differences.filter(({ difference }) => difference !== 0);
  if (leftovers.length === 0) return null;
  const top = leftovers.toSorted((a, b) => distanceOf(b) - distanceOf(a)).slice(0, SHOWN);
  const certain = leftovers.filter(({ interval }) => interval[0] > 0).length;
  const values = top.map(({ total, difference, interval: [low, high] }) => ({
    name: totalInWords(total),
    words: totalInWords({ ...total, location: labelOf(total.location) }),
    low,
    high,
    value: difference,
    declared: false,
  }));
  const ends = [Math.min(0, ...values.map(({ low }) => low)), Math.max(1, ...values.map(({ high }) => high))] as const;
  return {
    heading: 'What can be subtracted',
    sentence:
      `${leftovers.length} of ${differences.length} totals are not the sums of their published cells. What is left over is what was suppressed: ` +
      `${certain} of them show for certain that somebody is missing. Below are the ${top.length} that tell most.`,
    id: 'differences',
    title: 'Suppressed taps behind a total, with 95 % intervals',
    description: values.map(({ name, low, high }) => `${name}: between ${low} and ${high}`).join('; '),
    height: 34 * values.length,
    left: 16,
    spec: intervalSpec(values, ends, 'suppressed taps'),
    caption: 'Totals less their published cells',
    headings: ['Total', 'Published cells', 'Left over', '95 % interval'],
    rows: top.map(({ total, cells, difference, interval: [low, high] }) => [
      `${totalInWords(total)}: ${total.count}`,
      total.count - difference,
      `${difference} beside ${cells.length}`,
      `${low} to ${high}`,
    ]),
  };
}
