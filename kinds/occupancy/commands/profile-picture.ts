import { drawFigure } from '../../../services/pages/drawing.ts';
import type { ProbabilityTable } from '../mechanism/objective.ts';

/** Room for the names of categories. */
const LEGEND = 160;
const MOST_TICKS = 8;

/** A profile as SVG: for each passenger count a column, divided as the probabilities of the categories divide 1. */
export async function profilePicture(
  name: string,
  categories: readonly string[],
  table: ProbabilityTable,
): Promise<string> {
  const values = table.flatMap((row, passengers) =>
    row.flatMap((share, place) => (share > 0 ? { passengers, share, place, category: categories[place]! } : [])),
  );
  const step = Math.ceil(table.length / MOST_TICKS);
  const { text } = await drawFigure({
    id: 'profile',
    title: `Anonymisation profile ${name}`,
    description:
      'For each passenger count, the probability of each published category. The numbers are those of the CSV file beside it.',
    height: 200,
    left: 44,
    right: LEGEND,
    spec: {
      data: { values },
      mark: { type: 'bar', binSpacing: 0 },
      encoding: {
        x: {
          field: 'passengers',
          type: 'ordinal',
          scale: { padding: 0 },
          axis: { title: 'passengers aboard', labelAngle: 0, values: [...table.keys()].filter((n) => n % step === 0) },
        },
        y: { field: 'share', type: 'quantitative', stack: 'zero', title: 'probability', scale: { domain: [0, 1] } },
        color: {
          field: 'category',
          sort: [...categories],
          scale: { scheme: 'blues' },
          legend: { title: null, labelFontSize: 8, labelLimit: 0 },
        },
        order: { field: 'place' },
      },
    },
  });
  return `${text.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')}\n`;
}
