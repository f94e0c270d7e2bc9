import { BLUE, type Drawing } from '../../pages/drawing.ts';

/** A line of the drawing: an interval with the value that is likeliest, or a single value that is declared. */
export type DrawnInterval = {
  /** Tells the lines apart. */
  name: string;
  /** The text over the line. */
  words: string;
  low: number;
  high: number;
  value: number | null;
  declared: boolean;
};

/** Intervals, one below the other, over this part of an axis with this title. */
export const intervalSpec = (
  values: readonly DrawnInterval[],
  [first, last]: readonly [number, number],
  title: string,
): Drawing['spec'] => ({
  data: { values: [...values] },
  encoding: {
    y: { field: 'name', type: 'nominal', sort: null, axis: null },
    x: {
      field: 'low',
      type: 'quantitative',
      scale: { domain: [first, last], nice: false },
      axis: { title, labelFlush: true, tickCount: 6 },
    },
  },
  layer: [
    { mark: { type: 'rule', strokeWidth: 3, color: BLUE }, encoding: { x2: { field: 'high' } } },
    {
      transform: [{ filter: 'datum.value !== null && !datum.declared' }],
      mark: { type: 'point', filled: true, size: 90, color: BLUE, opacity: 1 },
      encoding: { x: { field: 'value', type: 'quantitative' } },
    },
    {
      transform: [{ filter: 'datum.declared' }],
      mark: { type: 'point', filled: true, shape: 'diamond', size: 130, color: '#1c2126', opacity: 1 },
    },
    {
      mark: { type: 'text', align: 'left', dx: 4, dy: -11 },
      encoding: { x: { datum: first, type: 'quantitative' }, text: { field: 'words' } },
    },
  ],
});
