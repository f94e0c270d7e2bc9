import type { ProbabilityTable } from '../mechanism/objective.ts';

const PLOT = { left: 56, top: 56, width: 720, height: 300 };
const LEGEND_ROW = 18;
const STEPS_OF_COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
const MOST_TICKS = 14;

/** A profile as SVG: for each passenger count a column, divided as the probabilities of the categories divide 1. */
export function profilePicture(name: string, categories: readonly string[], table: ProbabilityTable): string {
  const column = PLOT.width / table.length;
  const bottom = PLOT.top + PLOT.height;
  const height = bottom + 48 + categories.length * LEGEND_ROW;
  const areas = categories.map((category, place) => {
    const path = outline(table, place, column);
    return `<path d="${path}" fill="${colour(place, categories.length)}"><title>${escaped(category)}</title></path>`;
  });
  const legend = categories.flatMap((category, place) => {
    const y = bottom + 44 + place * LEGEND_ROW;
    return [
      `<rect x="${PLOT.left}" y="${y}" width="12" height="12" fill="${colour(place, categories.length)}"/>`,
      text(PLOT.left + 18, y + 11, escaped(category)),
    ];
  });
  const shares = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    text(PLOT.left - 8, bottom - share * PLOT.height + 4, String(share), 'text-anchor="end"'),
  );
  const step = STEPS_OF_COUNTS.find((size) => table.length / size <= MOST_TICKS) ?? table.length;
  const counts = table.flatMap((_, passengers) =>
    passengers % step > 0
      ? []
      : [text(PLOT.left + (passengers + 0.5) * column, bottom + 16, String(passengers), 'text-anchor="middle"')],
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PLOT.left + PLOT.width + 16} ${height}" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif" font-size="12" fill="#1b1b1b">`,
    `<title id="t">Anonymisation profile ${escaped(name)}</title>`,
    '<desc id="d">For each passenger count, the probability of each published category. The numbers are those of the CSV file beside it.</desc>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    text(PLOT.left, 24, escaped(name), 'font-size="15" font-weight="600"'),
    text(PLOT.left, 42, 'Probability of each published category, by passengers aboard', 'fill="#555"'),
    ...areas,
    ...shares,
    ...counts,
    ...legend,
    '</svg>',
    '',
  ].join('\n');
}

/** The area between the sums of the categories up to this one and before it, in steps. */
function outline(table: ProbabilityTable, category: number, column: number): string {
  const level = (row: readonly number[], categories: number) =>
    (PLOT.top + PLOT.height * (1 - row.slice(0, categories).reduce((sum, share) => sum + share, 0))).toFixed(2);
  const x = (place: number) => (PLOT.left + place * column).toFixed(2);
  const there = table.map(
    (row, place) => `${x(place)},${level(row, category + 1)} ${x(place + 1)},${level(row, category + 1)}`,
  );
  const back = table.map((row, place) => `${x(place + 1)},${level(row, category)} ${x(place)},${level(row, category)}`);
  return `M${[...there, ...back.reverse()].join(' ')}Z`;
}

/** From light to dark, as fuller vehicles are. */
function colour(category: number, categories: number): string {
  const part = category / Math.max(1, categories - 1);
  return `hsl(${Math.round(190 + 60 * part)} 55% ${Math.round(86 - 56 * part)}%)`;
}

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${content}</text>`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (name: string): string => name.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
