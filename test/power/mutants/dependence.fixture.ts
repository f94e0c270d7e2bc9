import { drawTable, drawTableWith, type Noise } from '../../support/draw-rows.ts';
import { seededSource } from '../../support/seeded-source.ts';
import { CERTIFICATE } from '../honest-release.fixture.ts';
import { type Mutant, noisy } from './mutant.fixture.ts';

/** One draw for all cells with the same name. */
const shared = (
  noise: Noise,
  nameOf: Noise['cell'] extends (...key: infer Key) => number ? (...key: Key) => string : never,
) => {
  const drawn = new Map<string, number>();
  const cell: Noise['cell'] = (...key) => {
    const name = nameOf(...key);
    const value = drawn.get(name) ?? noise.cell(...key);
    drawn.set(name, value);
    return value;
  };
  return { cell };
};

/** The last digit of a label is even: for half of the places. */
const isEven = (label: string): boolean => Number(label.at(-1)) % 2 === 0;

/** Noise that comes twice, and output that depends on more than noisy counts. */
export const DEPENDENCE_MUTANTS: Mutant[] = [
  {
    check: 'mechanism-independence',
    name: 'one draw for the two taps of a place',
    mechanism: noisy((noise) => shared(noise, (_, time, location) => `${time} ${location}`)),
  },
  {
    check: 'mechanism-independence',
    name: 'one draw for the two taps of half of the places',
    mechanism: noisy((noise) =>
      shared(noise, (tap, time, location) => {
        const place = `${time} ${location}`;
        return isEven(time) || isEven(location) ? place : `${tap} ${place}`;
      }),
    ),
  },
  {
    check: 'mechanism-independence',
    name: 'noise from a seed: all partitions with the same noise',
    mechanism:
      (_, seed) =>
      (...table) =>
        drawTable(...table, CERTIFICATE, seededSource(seed)),
  },
  {
    check: 'mechanism-non-interference',
    name: 'a table that counts its suppressed cells',
    underNoise: (noise, partition, counts, domain) => {
      const table = drawTableWith(noise, partition, counts, domain, CERTIFICATE);
      return { ...table, suppressed: counts.length - table.cells.length };
    },
  },
  {
    check: 'mechanism-non-interference',
    name: 'a table with its exact total',
    underNoise: (noise, partition, counts, domain) => ({
      ...drawTableWith(noise, partition, counts, domain, CERTIFICATE),
      total: counts.reduce((sum, [, , , count]) => sum + count, 0),
    }),
  },
];
