import { expect, test } from 'vitest';
import type { RandomSource } from '../../core/random/random-source.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import { seededSource } from '../support/seeded-source.ts';
import vectors from '../vectors/sbh-paper.json' with { type: 'json' };
import { sbh2017, sbhParameters } from './sbh-2017.ts';

const numberOf = (text: string): number => toNumber(parseRational(text));
const only = (scale: number, threshold: number) => ({ timeLocation: { scale, threshold }, time: null, location: null });
const oneCell = (count: number): CellCount[] => [['on', '08:00', '2000', count]];

for (const vector of vectors.cases) {
  if (vector.kind === 'parameters')
    test(`sbh-2017: ${vector.id}, scales and thresholds of the tables`, () => {
      vector.out.tables!.forEach((table, place) => {
        const { scale, threshold } = sbhParameters(numberOf(table.eps), numberOf(vector.in.delta![place]!));
        expect(scale).toBeCloseTo(numberOf(table.b), 12);
        expect(threshold).toBeCloseTo(numberOf(table.t), 9);
        expect(Math.floor(threshold + 0.5)).toBe(table.min_published);
      });
    });
  if (vector.kind === 'cell')
    test(`sbh-2017: ${vector.id}, suppression and error of a cell (20,000 draws, false alarm 1e-8)`, () => {
      const { scale, threshold } = sbhParameters(numberOf(String(vector.in.eps)), numberOf(String(vector.in.delta)));
      const random = seededSource(vector.in.c!);
      const draws = 20_000;
      let [suppressed, error] = [0, 0];
      for (let i = 0; i < draws; i++) {
        const [cell] = sbh2017(oneCell(vector.in.c!), only(scale, threshold), random).timeLocation;
        if (cell === undefined) suppressed++;
        error += Math.abs((cell?.[3] ?? 0) - vector.in.c!);
      }
      const p = numberOf(vector.out.p_suppressed!);
      // Six standard deviations, and a little for what is rarer than one in 20,000.
      expect(Math.abs(suppressed / draws - p)).toBeLessThan(6 * Math.sqrt((p * (1 - p)) / draws) + 2 / draws);
      const spread = scale * 2 + vector.in.c! * Math.sqrt(p * (1 - p));
      expect(Math.abs(error / draws - numberOf(vector.out.expected_abs_error!))).toBeLessThan(
        (6 * spread) / Math.sqrt(draws) + 0.01,
      );
    });
}

/** A source whose noise is that of one uniform number and one sign. */
function scripted(words: number[]): RandomSource {
  let next = 0;
  return { kind: 'seeded', uint32: () => words[next++ % words.length]!, fill: () => {} };
}

test('sbh-2017: C8, compare first, round half up afterwards', () => {
  // A uniform number just under 1: the noise is +0 to 15 digits.
  const noNoise = scripted([0xffffffff, 0xffffffff, 1]);
  const draw = (count: number, threshold: number) => sbh2017(oneCell(count), only(1, threshold), noNoise).timeLocation;
  expect(draw(34, 34.176)).toEqual([]);
  expect(draw(35, 34.176)).toEqual([['on', '08:00', '2000', 35]]);
  // 34.3 reaches 34.176 and shows as 34; rounded first, it would be held back.
  const plus = scripted([Math.floor(2 ** 32 * Math.exp(-0.3)), 0, 1]);
  expect(sbh2017(oneCell(34), only(1, 34.176), plus).timeLocation).toEqual([['on', '08:00', '2000', 34]]);
});

test('sbh-2017: six independent tables: totals are drawn from the counts, not from the cells', () => {
  const counts: CellCount[] = ['2000', '2010', '2020'].flatMap((location): CellCount[] => [
    ['on', '08:00', location, 200],
    ['off', '08:15', location, 300],
  ]);
  const parameters = { scale: 2, threshold: 34.2 };
  const tables = { timeLocation: parameters, time: parameters, location: parameters };
  const release = sbh2017(counts, tables, seededSource(4));
  expect(release.timeLocation.map((row) => row.slice(0, 3))).toEqual([
    ['off', '08:15', '2000'],
    ['off', '08:15', '2010'],
    ['off', '08:15', '2020'],
    ['on', '08:00', '2000'],
    ['on', '08:00', '2010'],
    ['on', '08:00', '2020'],
  ]);
  const sums = ['off', 'on'].map((tap) =>
    release.timeLocation.reduce((sum, row) => sum + (row[0] === tap ? row[3] : 0), 0),
  );
  expect(release.time.map((row) => row[2])).not.toEqual(sums);
  expect(release.location.map((row) => row[2])).not.toEqual(release.timeLocation.map((row) => row[3]));
});
