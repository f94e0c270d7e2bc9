import { sumHalfWidth } from '../../../core/statistics/integer-sum.ts';
import { noiseProbability } from '../../../core/statistics/noise-law.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';
import { chanceInWords, percent, short } from '../../../core/text/wording.ts';
import { fateOfCount } from '../../../counts/audit/checks/published-count.ts';
import { type AuditFigure, BLUE } from '../../pages/drawing.ts';
import { type DrawnTable, inTable } from '../page-subject.ts';

/** Smallest h with P[|noise| > h] ≤ 1 − share. */
const halfWidth = ({ model, scale }: DeclaredNoise, share: number): number =>
  sumHalfWidth(model, [[scale, 1]], share).halfWidth;

/** A round count that is well clear of the threshold, and of the noise itself. */
function typicalCount({ scale, threshold }: DeclaredNoise): number {
  const least = Math.max(100, (threshold ?? 0) + 10 * scale);
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((step) => step * power).find((count) => count >= least)!;
}

/** Bars of a drawing at most; more values are drawn as an area. */
const MOST_BARS = 41;
/** At most this many values are drawn on either side of the true count; of wide noise only every n-th value. */
const MOST_VALUES = 200;

/** What the noise does to the counts that readers meet; null where nobody can tell how strong it is. */
export function typicalCountFigure(tables: readonly DrawnTable[]): AuditFigure | null {
  const table = tables.find(({ noise }) => noise.knownBy !== 'threshold');
  if (!table) return null;
  const { noise } = table;
  const count = typicalCount(noise);
  const half = halfWidth(noise, 0.95);
  const reach = Math.max(3, halfWidth(noise, 0.999));
  const step = Math.ceil(reach / MOST_VALUES);
  const side = Math.floor(reach / step);
  const values = Array.from({ length: 2 * side + 1 }, (_, index) => {
    const error = (index - side) * step;
    return {
      count: count + error,
      low: count + error - 0.42,
      high: count + error + 0.42,
      chance: noiseProbability(noise.model, noise.scale, error),
      none: 0,
    };
  });
  const exact = noiseProbability(noise.model, noise.scale, 0);
  const size = short((100 * half) / count);
  const x = {
    type: 'quantitative' as const,
    scale: { domain: [count - reach - 0.6, count + reach + 0.6], nice: false, zero: false },
    axis: { title: `published count, when the true count is ${count}`, tickMinStep: 1, format: 'd', grid: false },
  };
  const y = {
    field: 'chance',
    type: 'quantitative' as const,
    axis: { title: null, format: exact < 0.1 ? '.1%' : '%', tickCount: 5 },
  };
  const bars = {
    mark: { type: 'rect' as const, color: BLUE },
    encoding: { x: { ...x, field: 'low' }, x2: { field: 'high' }, y, y2: { field: 'none' } },
  };
  const area = {
    mark: { type: 'area' as const, color: '#9dbddb', line: { color: BLUE } },
    encoding: { x: { ...x, field: 'count' }, y },
  };
  return {
    heading: 'What the noise does to a typical count',
    sentence:
      `A true count of ${count}${inTable(table)} is published as exactly ${count} with a chance of ${percent(exact)}, and between ` +
      `${count - half} and ${count + half} with a chance of at least 95 %: an error of at most ${half}, or ${size} %.`,
    id: 'count',
    title: `Published counts when the true count is ${count}`,
    description: `A peak of ${percent(exact)} at ${count}, falling off evenly on both sides; 95 % lies between ${count - half} and ${count + half}.`,
    height: 180,
    left: 42,
    spec: { data: { values }, ...(values.length <= MOST_BARS ? bars : area) },
    caption: 'What becomes of a true count, a missing cell counted as 0; the spread is the standard deviation',
    headings: ['True count', 'Published', 'Average', 'Spread'],
    rows: countsOf(noise, count).map((each) => {
      const { published, mean, variance } = fateOfCount(noise, each);
      return [
        each,
        noise.threshold === null ? 'always' : chanceInWords(published),
        small(mean),
        small(Math.sqrt(variance)),
      ];
    }),
  };
}

const small = (value: number): string => (value > 0 && value < 0.01 ? 'under 0.01' : short(value));

/** One person, five and twelve, counts around the threshold, and the typical one. */
function countsOf({ threshold }: DeclaredNoise, typical: number): number[] {
  const around = threshold === null ? [] : [threshold - 1, threshold, 2 * threshold];
  return [...new Set([1, 5, 12, ...around, typical])].filter((count) => count > 0).sort((a, b) => a - b);
}
