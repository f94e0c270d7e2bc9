import { drawSvg } from '../../../services/pages/drawing.ts';
import { html } from '../../../services/pages/markup.ts';
import type { ProbabilityTable } from '../mechanism/objective.ts';

/** A profile as SVG: for each passenger count a column, divided as the probabilities of the categories divide 1. */
export async function profilePicture(
  name: string,
  categories: readonly string[],
  table: ProbabilityTable,
): Promise<string> {
  // The last column ends where one more would begin.
  const rows = [...table, table.at(-1)!];
  const values = rows.flatMap((row, passengers) =>
    row.map((share, place) => ({ passengers, share, place, category: categories[place] })),
  );
  const svg = await drawSvg({
    title: {
      text: `Anonymisation profile ${name}`,
      subtitle: 'Probability of each published category, by passengers aboard',
    },
    background: '#fff',
    width: 720,
    height: 300,
    config: { aria: false, font: 'system-ui, sans-serif' },
    data: { values },
    mark: { type: 'area', interpolate: 'step-after' },
    encoding: {
      x: {
        field: 'passengers',
        type: 'quantitative',
        scale: { nice: false },
        axis: { title: null, grid: false, tickMinStep: 1 },
      },
      y: { field: 'share', type: 'quantitative', scale: { domain: [0, 1] }, axis: { title: null, tickCount: 4 } },
      color: {
        field: 'category',
        type: 'nominal',
        scale: { domain: [...categories], range: categories.map((_, place) => colour(place, categories.length)) },
        legend: { title: null, orient: 'bottom', direction: 'vertical', labelLimit: 0 },
      },
      // The first category is at the top.
      order: { field: 'place', sort: 'descending' },
    },
  });
  const words = `For each passenger count the probability of each published category: ${categories.join(', ')}. The numbers are those of the CSV file beside it.`;
  return svg.replace('<svg ', () => html`<svg role="img" aria-label="${words}" `.text);
}

/** From light to dark, as fuller vehicles are. */
function colour(category: number, categories: number): string {
  const part = category / Math.max(1, categories - 1);
  return `hsl(${Math.round(190 + 60 * part)}, 55%, ${Math.round(86 - 56 * part)}%)`;
}
