import { describe, expect, test } from 'vitest';
import { drawTable, drawTableWith } from '../../../test/support/draw-rows.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { runShadow } from '../../../test/support/shadow-run.ts';
import { certify } from '../../certificate/certify.ts';
import { countInterference, type MechanismUnderNoise } from './interference.ts';
import { checkNonInterference } from './mechanism-checks.ts';

const trip = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off' } as const;
const CERTIFICATES = [
  certify({ ...trip, mechanism: 'stability-histogram', epsilon: '8', delta: '1/1000000', split: { time: '1/2' } }),
  certify({ ...trip, mechanism: 'complete-domain', epsilon: '1', delta: '0', split: {} }),
  certify({
    ...trip,
    unit: 'card-day',
    maxTaps: 2,
    clamp: 3,
    mechanism: 'stability-histogram',
    epsilon: '8',
    delta: '1/1000000',
    split: { bounded: '1' },
  }),
];
const [HISTOGRAM] = CERTIFICATES as [(typeof CERTIFICATES)[number]];
const eventsOf = (mechanism: MechanismUnderNoise): number =>
  countInterference(HISTOGRAM, seededSource(2), mechanism).events;

describe('made-up tables with one tap more and noise that is one less', () => {
  test.each(CERTIFICATES)('C20: come out the same ($mechanism, $unit)', (certificate) => {
    const { events, runs } = countInterference(
      certificate,
      seededSource(1),
      (noise, partition, counts, domain, leftOut) =>
        drawTableWith(noise, partition, counts, domain, certificate, leftOut),
    );
    expect(events).toBe(0);
    expect(runs).toBeGreaterThan(12);
  });

  test('no comparison at all fails', () => {
    const shadow = runShadow(HISTOGRAM, (...table) => drawTable(...table, HISTOGRAM, seededSource(2)), 2);
    const interference = { events: 0, runs: 28 };
    expect(checkNonInterference({ ...shadow, interference }, HISTOGRAM, 0)).toMatchObject({ verdict: 'pass' });
    expect(checkNonInterference(shadow, HISTOGRAM, 0)).toMatchObject({ verdict: 'fail' });
  });

  test('broken twin: an exact number of left-out taps is seen', () => {
    const counted = CERTIFICATES[2]!;
    const { events } = countInterference(counted, seededSource(2), (noise, partition, counts, domain, leftOut) => ({
      ...drawTableWith(noise, partition, counts, domain, counted, leftOut),
      leftOut,
    }));
    expect(events).toBeGreaterThan(0);
  });

  test('broken twins: a count of suppressed cells, and rows in the order of the input, are seen', () => {
    expect(
      eventsOf((noise, partition, counts, domain) => {
        const table = drawTableWith(noise, partition, counts, domain, HISTOGRAM);
        return { ...table, suppressed: counts.length - table.cells.length };
      }),
    ).toBeGreaterThan(0);
    expect(
      eventsOf((noise, partition, counts, domain) => {
        const { cells } = drawTableWith(noise, partition, counts, domain, HISTOGRAM);
        const place = new Map(counts.map(([tap, time, location], index) => [`${tap} ${time} ${location}`, index]));
        const placeOf = (cell: (typeof cells)[number]): number => place.get(cell.slice(0, 3).join(' ')) ?? 0;
        return cells.toSorted((a, b) => placeOf(a) - placeOf(b));
      }),
    ).toBeGreaterThan(0);
  });
});
