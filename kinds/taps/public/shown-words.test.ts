import { expect, test } from 'vitest';
import { certify } from '../../../counts/certificate/certify.ts';
import type { ShownTaps } from '../../../counts/readers/shown-taps.ts';
import { rowsOfNobody, tapsWords } from './shown-words.ts';

const BASE = { mechanism: 'stability-histogram', neighbours: 'replace-one', publish: 'on+off', delta: '1e-6' } as const;
const TRIP = certify({ ...BASE, unit: 'trip', epsilon: '8', split: { time: '0.3', location: '0.5' } });
const CARD = certify({ ...BASE, unit: 'card-day', maxTaps: 8, epsilon: '8', split: { time: '1', location: '1' } });

/** Cells and hours of a made-up domain. */
const ROWS = { cells: 3_544_002, hours: 895_000 };

const bus: ShownTaps = {
  mode: 'bus',
  noisy: { total: 1000, lowest: 976, highest: 1024 },
  inCells: { share: 0.6789, lowest: 0.66301, highest: 0.6955 },
  inHours: null,
};

test('a trip: totals with an interval of all taps, shares of what cells and hours show', () => {
  const { sentences, headings, rows } = tapsWords([bus], null, TRIP);
  expect(rows).toEqual([['bus', '1000 (976 to 1024)', '67.9 % (66.3 to 69.6)']]);
  expect(headings).toHaveLength(rows[0]!.length);
  expect(sentences.join(' ')).toContain('misses the exact number of taps with a chance of at most 5 %');
  expect(sentences.join(' ')).not.toContain('counted taps');
});

test('@contract C2 cards: counted taps, their bound, and no interval of all taps', () => {
  const { sentences, headings, rows } = tapsWords([bus], null, CARD);
  const text = sentences.join(' ');
  expect(rows).toEqual(tapsWords([bus], null, TRIP).rows);
  expect(headings).toContain('Counted taps, noisy total and its 95 % interval');
  expect(text).toContain('At most 8 taps of one card and day are counted');
  expect(text).toContain('misses the exact number of counted taps');
  expect(text).toContain('Nothing here is a figure, or an interval, of all taps');
  expect(text).not.toContain('exact number of taps');
});

test('@contract C2 cards whose left-out taps are counted: how many, with an interval and what the clamp leaves out', () => {
  const certificate = certify({
    ...BASE,
    unit: 'card-day',
    maxTaps: 8,
    clamp: 4,
    epsilon: '8',
    split: { time: '1', location: '1', bounded: '1/2' },
  });
  const text = tapsWords([bus], { total: 120, lowest: 90, highest: 150 }, certificate).sentences.join(' ');
  expect(text).toContain('leaves out about 120 taps (90 to 150, which misses the exact number');
  const below = tapsWords([bus], { total: -254, lowest: 0, highest: 335 }, certificate).sentences.join(' ');
  expect(below).toContain('leaves out at most 335 taps (which misses');
  expect(text).toContain('at most 4 left-out taps of one card and day are counted');
  expect(text).toContain('Nothing here is a figure, or an interval, of all taps');
  expect(text).not.toContain('is not known');
});

test('without a noisy total no interval and no share is claimed', () => {
  const { sentences, rows } = tapsWords([{ ...bus, noisy: null, inCells: null }], null, TRIP);
  expect(rows).toEqual([['bus', '–', '–']]);
  expect(sentences.join(' ')).toContain('neither totals nor shares are known');
  expect(sentences.join(' ')).not.toContain('interval misses');
});

test('@contract C8 under a floor the rows that can be expected where nobody was are a number', () => {
  const rule = { mechanism: 'discrete-gaussian', unit: 'card-window', maxTaps: 28, place: 2 } as const;
  const week = { ...rule, neighbours: 'add-remove', publish: 'on+off', epsilon: '4', delta: '1e-8' } as const;
  const certificate = certify({
    ...week,
    split: { cells: '4/5', time: '1/5' },
    floor: 38,
    hours: { floor: 64, bins: 4 },
  });
  const sentence = rowsOfNobody(certificate, ROWS)[0]!;
  const [, cells, hours] =
    /3544002 cells .* about ([\d.]+), and of the 895000 rows of hours .* about ([\d.]+) can/.exec(sentence)!;
  const { cell, hour } = certificate.shown!;
  expect(Number(cells) / (ROWS.cells * Number(cell.empty.upper))).toBeCloseTo(1, 1);
  expect(Number(hours) / (ROWS.hours * Number(hour!.empty.upper))).toBeCloseTo(1, 1);
  expect(rowsOfNobody(TRIP, ROWS)).toEqual([]);
});
