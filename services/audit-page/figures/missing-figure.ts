import type { Certificate } from '../../../contracts/certificate.ts';
import { chanceInWords } from '../../../core/text/wording.ts';
import { suppressionLimit, suppressionProbability } from '../../../counts/audit/checks/suppressed-cell.ts';
import { type AuditFigure, BLUE } from '../../pages/drawing.ts';
import { type AuditPageSubject, inTable, riskiestTable } from '../page-subject.ts';

/** Confidences of the intervals, as shares that print exactly. */
const CONFIDENCES = [0.5, 0.9, 0.95, 0.99, 0.999];

/** What a missing cell reveals about the people in it; null where no cell is missing. */
export function suppressionFigure({ drawn, certificate }: AuditPageSubject): AuditFigure | null {
  const table = riskiestTable(drawn);
  if (!table || table.noise.threshold === null) return null;
  const { threshold } = table.noise;
  // The widest interval: with the strongest noise, larger counts can be missing.
  const noise = { ...table.noise, scale: table.noise.most };
  const limit = suppressionLimit(noise, 0.95);
  // Room at the right for the words beside the line.
  const last = Math.max(Math.ceil(1.7 * limit), suppressionLimit(noise, 0.999) + 1, threshold + 1);
  const step = Math.ceil(last / 200);
  const values = Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => ({
    count: index * step,
    chance: suppressionProbability(noise, index * step),
  }));
  return {
    heading: 'What a missing cell tells',
    sentence:
      `A cell that is missing${inTable(table)} was empty or held back, and the cells do not tell which. With 95 % confidence it holds ` +
      `between 0 and ${limit}: a larger count is missing with a chance of less than 5 %.${certificate ? marginWords(certificate) : ''}`,
    id: 'missing',
    title: 'Chance that a cell is missing, by its true count',
    description: `The chance is 100 % for an empty cell, close to it for small counts, and falls around the threshold of ${threshold}; at ${limit} it is ${chanceInWords(suppressionProbability(noise, limit))}.`,
    height: 180,
    left: 42,
    spec: {
      encoding: {
        x: {
          field: 'count',
          type: 'quantitative',
          scale: { domain: [0, last], nice: false },
          axis: { title: 'true count of the cell', tickMinStep: 1, grid: false, labelFlush: true },
        },
        y: {
          field: 'chance',
          type: 'quantitative',
          scale: { domain: [0, 1] },
          axis: { title: null, format: '%', values: [0, 0.25, 0.5, 0.75, 1] },
        },
      },
      layer: [
        {
          data: { values },
          mark: { type: 'area', interpolate: 'step', color: '#cfdfee', line: { color: BLUE, strokeWidth: 2 } },
        },
        {
          data: { values: [{ count: limit + 0.5 }] },
          mark: { type: 'rule', strokeDash: [5, 3], strokeWidth: 1.6, color: '#1c2126' },
          encoding: { y: { value: 0 }, y2: { value: 'height' } },
        },
        {
          data: { values: [{ count: limit + 0.5, chance: 0.86, words: `95 %: at most ${limit}` }] },
          mark: {
            type: 'text',
            align: 'left',
            dx: 6,
            fontWeight: 'bold',
          },
          encoding: { text: { field: 'words' } },
        },
      ],
    },
    caption: 'Interval of the true count of a missing cell',
    headings: ['Confidence', 'At least', 'At most'],
    rows: CONFIDENCES.map((confidence) => [
      `${Number((100 * confidence).toPrecision(4))} %`,
      0,
      suppressionLimit(noise, confidence),
    ]),
  };
}

/** Noisy margins are a second view of what is missing, which ε pays for. */
const marginWords = ({ marginScales }: Certificate): string =>
  Object.keys(marginScales).length === 0
    ? ''
    : ' The noisy margins say more, as much as their share of ε allows: what they give away is among the attacks below.';
