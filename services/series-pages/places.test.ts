import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Summary } from '../../contracts/formats/summary.ts';
import { placesSection } from './places.ts';

type Places = NonNullable<Summary['places']>;

const places = (rows: Partial<Places['rows'][number]>[]): Places => ({
  sentences: ['Counts.'],
  unit: 'people',
  partHeading: 'Line',
  columns: ['All days'],
  rows: rows.map((row, at) => ({
    part: 'red',
    place: `p${at}`,
    name: `Place ${at}`,
    position: null,
    values: [at],
    ...row,
  })),
});

const circlesOf = (text: string) =>
  [...text.matchAll(/<circle data-row="(\d+)" cx="([\d.-]+)" cy="([\d.-]+)" r="([\d.]+)">/g)].map((found) =>
    found.slice(1).map(Number),
  );

test('every place with coordinates has a circle inside its map, wherever it lies, and every place a row', () => {
  const rows = fc.array(
    fc.record({
      part: fc.constantFrom('red', 'blue'),
      position: fc.option(
        fc.tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true })),
      ),
      values: fc.tuple(fc.integer({ min: -1000, max: 10_000_000 })),
    }),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(rows, (made) => {
      const { text } = placesSection(places(made));
      expect(placesSection(places(made)).text).toBe(text);
      const circles = circlesOf(text);
      expect(new Set(circles.map(([at]) => at))).toEqual(
        new Set([...made.keys()].filter((at) => made[at]!.position !== null)),
      );
      for (const [, x, y, radius] of circles) {
        for (const [middle, end] of [
          [x!, 300],
          [y!, 220],
        ] as const) {
          expect(middle - radius!).toBeGreaterThanOrEqual(0);
          expect(middle + radius!).toBeLessThanOrEqual(end);
        }
        expect(radius).toBeGreaterThanOrEqual(1.5);
      }
      expect([...text.matchAll(/<tr><th scope="row"/g)]).toHaveLength(made.length);
      expect(text).not.toMatch(/NaN|Infinity|undefined/);
    }),
  );
});

test('north is up, east is right, and the scale bar is as long as it says', () => {
  const { text } = placesSection(
    places([{ position: [-33.9, 151.0] }, { position: [-33.8, 151.0] }, { position: [-33.9, 151.1] }]),
  );
  const [south, north, east] = circlesOf(text).toSorted(([a], [b]) => a! - b!);
  expect(north![2]).toBeLessThan(south![2]!);
  expect(east![1]).toBeGreaterThan(south![1]!);
  const bar = Number(/v4h([\d.]+)v-4/.exec(text)![1]);
  const kilometres = Number(/>(\d+) km</.exec(text)![1]);
  expect(bar / (south![2]! - north![2]!)).toBeCloseTo(kilometres / 11.12, 2);
});

test('places without coordinates are named, and without any there is no map', () => {
  const some = placesSection(places([{ position: [1, 1] }, { name: 'Nowhere' }, { part: 'blue', name: 'Neverland' }]));
  expect(some.text).toContain('red: Nowhere; blue: Neverland.');
  const many = placesSection(places([{ position: [1, 1] }, ...Array.from({ length: 11 }, () => ({}))]));
  expect(many.text).toContain('Place 8 and 3 more.');
  const none = placesSection(places([{}, {}]));
  expect(none.text).toContain('no coordinates, so that there is no map');
  expect(none.text).not.toContain('<circle');
});

test('a name is a name, whatever is in it', () => {
  const { text } = placesSection(places([{ name: '</title><script>x</script>"', part: '"><b>', position: [1, 1] }]));
  expect(text).not.toMatch(/<script|<b>|""/);
});
