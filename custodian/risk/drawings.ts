import { short } from '../../core/text/wording.ts';
import type { Drawing } from '../../services/pages/drawing.ts';
import type { TableRisk } from './measures.ts';
import type { RiskReport } from './report.ts';

const BLUE = '#0b4f8a';
const PALE = '#eef3f8';
/** Height of a column in a drawing, and room for its name, in the units of the drawing. */
const LINE = 22;
const NAMES = 116;

const names = (columns: readonly string[]) => ({
  field: 'column',
  type: 'nominal' as const,
  sort: [...columns],
  axis: { title: null, labelLimit: NAMES - 8, ticks: false, domain: false },
});

/** Heat map of cell information gain: columns down, slices of rows across, darker where a cell tells more. */
export function gainsDrawing({ columns, slices }: RiskReport): Drawing {
  const values = slices.flatMap(({ gains }, slice) =>
    columns.map((column, index) => ({ column, slice: slice + 1, bits: gains[index]! })),
  );
  const most = Math.max(...values.map(({ bits }) => bits), Number.MIN_VALUE);
  const last = slices.at(-1);
  const words = columns.map((column, index) => `${column}: ${short(last?.gains[index] ?? 0)}`).join(', ');
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
        y: names(columns),
        x: {
          field: 'slice',
          type: 'ordinal',
          axis: { title: 'rows, from the least exposed to the most', labels: false, ticks: false, domain: false },
        },
        color: {
          field: 'bits',
          type: 'quantitative',
          scale: { domain: [0, most], range: [PALE, BLUE] },
          legend: null,
        },
      },
    },
  };
}

/** Bands of each column: a line from the least to the most, a bar over the middle half, a mark at the median. */
export function bandsDrawing(columns: readonly string[], risk: TableRisk): Drawing {
  const values = columns.map((column, index) => {
    const { minimum, lowerQuartile, median, upperQuartile, maximum } = risk.columns[index]!.gain;
    return { column, minimum, lowerQuartile, median, upperQuartile, maximum };
  });
  const x = (field: string) => ({
    field,
    type: 'quantitative' as const,
    axis: { title: 'bits that a cell tells', tickCount: 5 },
    scale: { zero: true, nice: false },
  });
  return {
    id: 'bands',
    title: 'Bands of cell information gain by column',
    description: values
      .map(
        ({ column, minimum, median, maximum }) =>
          `${column}: ${short(minimum)} to ${short(maximum)}, half of the rows up to ${short(median)}`,
      )
      .join('; '),
    height: LINE * columns.length,
    left: NAMES,
    spec: {
      data: { values },
      encoding: { y: names(columns) },
      layer: [
        { mark: { type: 'rule', color: '#8a949e' }, encoding: { x: x('minimum'), x2: { field: 'maximum' } } },
        {
          mark: { type: 'rule', strokeWidth: 8, color: '#9dbddb' },
          encoding: { x: x('lowerQuartile'), x2: { field: 'upperQuartile' } },
        },
        { mark: { type: 'tick', thickness: 3, size: 14, color: BLUE }, encoding: { x: x('median') } },
      ],
    },
  };
}
