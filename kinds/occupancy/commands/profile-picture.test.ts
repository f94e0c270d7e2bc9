import { expect, test } from 'vitest';
import { profilePicture } from './profile-picture.ts';

const PICTURE = await profilePicture(
  'a<b>&"c"',
  ['x<y', 'z'],
  [
    [1, 0],
    [0.25, 0.75],
  ],
);

test('a picture has an area for each category, between the sums of the probabilities', () => {
  const areas = [...PICTURE.matchAll(/ d="M([\d.,L]+)Z" fill="hsl/g)].map((match) =>
    match[1]!.split('L').map((point) => point.split(',').map(Number)),
  );
  expect(areas).toHaveLength(2);
  // The plot is 300 high: probability 0 is at 300, and the first category is above the others.
  const corners = (area: number[][]) => [...new Set(area.map(String))].sort();
  expect(corners(areas[0]!)).toEqual(['0,0', '0,300', '360,0', '360,300', '360,75', '720,0', '720,75'].sort());
  expect(corners(areas[1]!)).toEqual(['0,300', '360,300', '360,75', '720,300', '720,75'].sort());
});

test('names are text, whatever they hold', () => {
  expect(PICTURE).toContain('a&lt;b&gt;&amp;"c"</text>');
  expect(PICTURE).toContain('x&lt;y</text>');
  expect(PICTURE).not.toMatch(/<b>|x<y/);
});

test('a picture says in words what it shows', () => {
  expect(PICTURE).toMatch(
    /^<svg[^>]* aria-label="For each passenger count the probability of each published category: x&lt;y, z/,
  );
});
