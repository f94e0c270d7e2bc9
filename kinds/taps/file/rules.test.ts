import { expect, test } from 'vitest';
import { tapsFileSchema } from '../series.ts';
import { TAPS_RULES } from './rules.ts';

/** A series file of taps with other fields of `privacy`, and the fields that its rules find wrong. */
function mistakes(privacy: object, pattern = '{date}.csv'): string[] {
  const caps = { epsilon: 80, delta: '1e-3' };
  const file = tapsFileSchema.parse({
    series: 'city-taps',
    population: 'city-riders',
    timeZone: 'UTC',
    custodians: ['vera'],
    source: { store: 'trips', pattern, format: 'csv', rows: 'trips', columns: {} },
    window: { days: 7, firstWeekday: 'monday' },
    bins: { locations: { bus: { dictionary: 'bus.csv' } } },
    modes: ['bus'],
    privacy: { unit: 'trip', epsilon: 8, delta: '1e-6', caps: { block: caps, year: caps }, ...privacy },
    gate: { approvers: [{ subject: 'ada' }] },
    publication: { title: 'Taps', licence: 'CC0-1.0' },
  });
  const found: string[] = [];
  for (const rule of TAPS_RULES) rule(file, (path) => found.push(path.join('.')));
  return found;
}

const CHECKS = { split: { checks: '1' } };

test.each<[name: string, privacy: object, expected: string[]]>([
  ['none', { ...CHECKS, rejects: { bus: 60 } }, []],
  ['a share alone', CHECKS, ['privacy.split.checks']],
  ['limits alone', { rejects: { bus: 60 } }, ['privacy.rejects']],
  ['a limit that noise alone passes', { ...CHECKS, rejects: { bus: 20 } }, ['privacy.rejects']],
  ['a limit of no mode', { ...CHECKS, rejects: { bus: 60, tram: 60 } }, ['privacy.rejects.tram']],
  ['limits of cards', { ...CHECKS, unit: 'card-day', maxTaps: 2, rejects: { bus: 60 } }, ['privacy.rejects']],
])('@contract C5 mistakes in limits of rejects: %s', (_, privacy, expected) => {
  expect(mistakes(privacy)).toEqual(expected);
});

test('@contract C5 a pattern that names a month will do, and one that names no time does not', () => {
  const privacy = { ...CHECKS, rejects: { bus: 60 } };
  expect(mistakes(privacy, '{month}/*.csv')).toEqual([]);
  expect(mistakes(privacy, 'trips/*.csv')).toEqual(['privacy.rejects']);
});
