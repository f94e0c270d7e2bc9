import { certify } from '../../counts/certificate/certify.ts';
import { tapsOf } from '../../kinds/taps/taps-domain.ts';
import { timeLabels } from '../../services/calendar/time-zone.ts';
import { drawTable } from './draw-rows.ts';
import { seededSource } from './seeded-source.ts';
import type { TableRows } from './table-of-rows.ts';
import { testSeries, testTables } from './test-release.ts';

/** A series whose releases have every table that there is. */
export const everyTable = testSeries({
  privacy: {
    mechanism: 'complete-domain',
    unit: 'card-day',
    maxTaps: 2,
    clamp: 2,
    epsilon: '40',
    delta: '0',
    split: { cells: '25', time: '5', location: '5', bounded: '5' },
    floor: 20,
    hours: { floor: 30, bins: 4 },
    caps: { block: { epsilon: '80', delta: '0' }, year: { epsilon: '5000', delta: '0' } },
  },
});

/** In one hour of Manly no cell reaches the floor, and the hour does. */
const HOUR: TableRows['cells'] = ['08:00', '08:15', '08:30'].map((time) => ['on', time, 'Manly', 15]);

const raised = (cells: TableRows['cells'], more: number): TableRows['cells'] =>
  cells.map(([tap, time, place, count]) => [tap, time, place, count + more]);

/** Draws of production for it, of cells that hold `more` more. */
export function everyTableDrawn(seed: number, more = 0): TableRows[] {
  const domain = {
    taps: tapsOf(everyTable),
    times: timeLabels(everyTable, '2026-03-02'),
    locations: ['Circular Quay', 'Manly', 'Mosman, "Bay"', 'UNKNOWN'],
  };
  const random = seededSource(seed);
  const certificate = certify(everyTable.privacy);
  return testTables().map(({ part, day, cells }) =>
    drawTable({ part, day }, raised([...cells, ...HOUR], more), domain, certificate, random, [['on', 40 + more]]),
  );
}
