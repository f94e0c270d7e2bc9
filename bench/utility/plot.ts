import { type Comparison, type Figures, meansOf, percent, signedPercent, titleOf } from './comparison.ts';
import { DESIGNS, type DesignName } from './designs.ts';

const COLOURS: Record<DesignName, string> = {
  '2017': '#8a3412',
  derived: '#8c8c8c',
  remainders: '#174c7c',
  margins: '#5b93c7',
  shares2017: '#2f7d5b',
  complete: '#7a4b9c',
  floors: '#b0852d',
};

const LABELS = 230;
const PANEL = 210;
const GAP = 70;
const ROW = 18;
const TITLE = 30;
const TOP = 64;

/** One column of the plot: its place on the axis is a number from 0 (left) to 1 (right). */
type Panel = { title: string; note: string; zero: number; place(figures: Figures): number; label(f: Figures): string };

const clamp = (place: number): number => Math.min(1, Math.max(0, place));

const PANELS: Panel[] = [
  {
    title: 'Taps in fine cells',
    note: '0 to 100 %',
    zero: 0,
    place: ({ inCells }) => inCells,
    label: ({ inCells }) => percent(inCells),
  },
  {
    title: 'Bias of location totals',
    note: '−75 to +25 %, 0 at the line',
    zero: 0.75,
    place: ({ locationBias }) => clamp(0.75 + locationBias),
    label: ({ locationBias }) => signedPercent(locationBias),
  },
  {
    title: 'Error of location totals, a day',
    note: '0.01 to 100 %, logarithmic',
    zero: 0,
    place: ({ locationError }) => clamp((Math.log10(locationError) + 4) / 4),
    label: ({ locationError }) => percent(locationError),
  },
];

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${content}</text>`;

function bars(comparison: Comparison, top: number): string[] {
  const heading = text(12, top + 19, titleOf(comparison), 'font-size="14" font-weight="600" fill="#1b1b1b"');
  const rows = [...comparison.outcomes.values()].flatMap(({ design: { name }, figures: spreads }, place) => {
    const y = top + TITLE + place * ROW;
    const figures = meansOf(spreads);
    const cells = PANELS.flatMap((panel, column) => {
      const left = LABELS + column * (PANEL + GAP);
      const [from, to] = [panel.zero, panel.place(figures)].sort((a, b) => a - b) as [number, number];
      const width = Math.max(1.5, (to - from) * PANEL);
      return [
        `<rect x="${(left + from * PANEL).toFixed(1)}" y="${y + 2}" width="${width.toFixed(1)}" height="${ROW - 5}" fill="${COLOURS[name]}"/>`,
        text(left + to * PANEL + 5, y + 13, panel.label(figures), 'font-size="11" fill="#333"'),
      ];
    });
    return [text(LABELS - 8, y + 13, DESIGNS[name], 'font-size="12" text-anchor="end" fill="#1b1b1b"'), ...cells];
  });
  return [heading, ...rows];
}

/** The comparisons as bars, in one SVG. */
export function plotOf(comparisons: readonly Comparison[]): string {
  const heightOf = ({ outcomes }: Comparison) => TITLE + outcomes.size * ROW + 8;
  const height = TOP + comparisons.reduce((sum, each) => sum + heightOf(each), 0) + 8;
  const width = LABELS + PANELS.length * (PANEL + GAP) + 10;
  const parts: string[] = [];
  PANELS.forEach(({ title, note, zero }, column) => {
    const left = LABELS + column * (PANEL + GAP);
    const line = left + zero * PANEL;
    parts.push(
      text(left, 26, title, 'font-size="15" font-weight="600" fill="#1b1b1b"'),
      text(left, 44, note, 'font-size="11" fill="#555"'),
      `<path d="M${line.toFixed(1)} ${TOP - 8}V${height - 8}" stroke="#999" stroke-width="1"/>`,
    );
  });
  let top = TOP;
  for (const comparison of comparisons) {
    parts.push(...bars(comparison, top));
    top += heightOf(comparison);
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif">`,
    '<title id="t">Utility of the designs at the same total ε</title>',
    '<desc id="d">For each week of data and each design: share of taps in fine cells, bias of the location totals, and error of the location totals of a day. The numbers are those of the tables in docs/utility.md.</desc>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}
