import { expect, test } from 'vitest';
import { profilePicture } from './profile-picture.ts';

const PICTURE = profilePicture(
  'a<b>&"c"',
  ['x<y', 'z'],
  [
    [1, 0],
    [0.25, 0.75],
  ],
);

test('a picture has an area for each category, between the sums of the probabilities', () => {
  const areas = [...PICTURE.matchAll(/<path d="M([^"]+)Z"/g)].map((match) =>
    match[1]!.split(' ').map((point) => point.split(',').map(Number)),
  );
  expect(areas).toHaveLength(2);
  // The plot is 300 high from 56 on: probability 0 is at 356, and 1/4 at 281.
  expect(areas[0]).toEqual([
    [56, 56],
    [416, 56],
    [416, 281],
    [776, 281],
    [776, 356],
    [416, 356],
    [416, 356],
    [56, 356],
  ]);
  expect(areas[1]).toEqual([
    [56, 56],
    [416, 56],
    [416, 56],
    [776, 56],
    [776, 281],
    [416, 281],
    [416, 56],
    [56, 56],
  ]);
});

test('names are text, whatever they hold', () => {
  expect(PICTURE).toContain('a&lt;b&gt;&amp;&quot;c&quot;');
  expect(PICTURE).toContain('<title>x&lt;y</title>');
  expect(PICTURE).not.toMatch(/<b>|x<y/);
});
