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

test('a picture has a bar for each category of a passenger count, as high as its probability', () => {
  const heights = [
    ...PICTURE.matchAll(/<path d="M[\d.]+,[\d.]+h[\d.]+v([\d.]+)h-[\d.]+Z" fill="(#\w+|rgb\([^)]*\))"/g),
  ];
  const byCategory = Object.values(Object.groupBy(heights, ([, , fill]) => fill!));
  // The plot is 200 high; nothing is drawn of a probability of zero, or it has no height.
  expect(byCategory.map((bars) => bars!.map(([, height]) => Number(height)).filter((height) => height > 0))).toEqual([
    [200, 50],
    [150],
  ]);
});

test('it stands alone, and names are text, whatever they hold', () => {
  expect(PICTURE).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
  expect(PICTURE).toContain('a&lt;b&gt;&amp;&quot;c&quot;');
  expect(PICTURE).toContain('x&lt;y');
  expect(PICTURE).not.toMatch(/<b>|x<y/);
});
