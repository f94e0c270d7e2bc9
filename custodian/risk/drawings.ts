import { short } from '../../core/text/wording.ts';
import { BLUE, type Drawing } from '../../services/pages/drawing.ts';
import type { TableRisk } from './measures.ts';
import type { RiskReport } from './risk-report.ts';

const GREY = '#8a949e';
const PALE = '#eef3f8';
/** Height of a column in a drawing, and room for its name, in the units of the drawing. */
const LINE = 22;
const NAMES = 116;

/** The columns of a table down, with room for their names. */
const down = (columns: readonly string[]) => ({
  y: {
    field: 'column',
    type: 'nominal' as const,
    sort: [...columns],
    axis: { title: null, labelLimit: NAMES - 8, ticks: false, domain: false },
  },
});

/** An axis of amounts, which begins at zero if it says so. */
const amounts = (field: string, title: string, scale: { zero: boolean; nice?: boolean }, format?: string) => ({
  field,
  type: 'quantitative' as const,
  scale,
  axis: { title, tickCount: 5, ...(format && { format }) },
});

/** Heat map of cell information gain: columns down, slices of rows across, darker where a cell reveals more. */
export function gainsDrawing({ columns, slices }: RiskReport): Drawing {
  const values = slices.flatMap(({ gains }, slice) =>
    columns.map((column, index) => ({ column, slice: slice + 1, bits: gains[index]! })),
  );
  const most = Math.max(...values.map(({ bits }) => bits), Number.MIN_VALUE);
  const last = slices.at(-1);
  const words = columns.map((column, index) => `${column}: ${short(last?.gains[index] ?? 0)}`).join(', ');
  const scale = { domain: [0, most], range: [PALE, BLUE] };
  const axis = { title: 'rows, from the least exposed to the most', labels: false, ticks: false, domain: false };
  return {
    id: 'gains',
    title: 'Cell information gain by column and by how exposed the row is',
    description: `Bits in the most exposed rows: ${words}. The darkest cell has ${short(most)} bits.`,
    height: LINE * columns.length,
    left: NAMES,
    spec: {
      data: { values },
      mark: { type: 'rect', stroke: '#fff', strokeWidth: 1 },
      encoding: {
        ...down(columns),
        x: { field: 'slice', type: 'ordinal', axis },
        color: { field: 'bits', type: 'quantitative', scale, legend: null },
      },
    },
  };
}

/** Bands of each column: a line from the least to the most, a bar over the middle half, a mark at the median. */
export function bandsDrawing(columns: readonly string[], risk: TableRisk): Drawing {
  const values = columns.map((column, index) => ({ column, ...risk.columns[index]!.gain }));
  const x = (field: string) => amounts(field, 'bits that a cell tells', { zero: true, nice: false });
  return {
    id: 'bands',
    title: 'Bands of cell information gain by column',
    description: values
      .map(
        (one) =>
          `${one.column}: ${short(one.minimum)} to ${short(one.maximum)}, half of the rows up to ${short(one.median)}`,
      )
      .join('; '),
    height: LINE * columns.length,
    left: NAMES,
    spec: {
      data: { values },
      encoding: down(columns),
      layer: [
        { mark: { type: 'rule', color: GREY }, encoding: { x: x('minimum'), x2: { field: 'maximum' } } },
        {
          mark: { type: 'rule', strokeWidth: 8, color: '#9dbddb' },
          encoding: { x: x('lowerQuartile'), x2: { field: 'upperQuartile' } },
        },
        { mark: { type: 'tick', thickness: 3, size: 14, color: BLUE }, encoding: { x: x('median') } },
      ],
    },
  };
}

/** Utility across, risk up: each choice a ring, those that no other beats filled. */
export const frontierDrawing = (
  values: readonly { kept: number; risk: number; best: boolean }[],
  description: string,
): Drawing => ({
  id: 'frontier',
  title: 'Risk against utility of every choice that was tried',
  description,
  height: 200,
  left: 42,
  spec: {
    data: { values: [...values] },
    encoding: {
      x: amounts('kept', 'part of the information of the rows that is kept', { zero: false }, '%'),
      y: amounts('risk', 'PIF in bits', { zero: true }),
    },
    layer: [
      { mark: { type: 'point', size: 50, color: GREY } },
      {
        transform: [{ filter: 'datum.best' }],
        mark: { type: 'point', filled: true, size: 80, color: BLUE, opacity: 1 },
      },
    ],
  },
});
