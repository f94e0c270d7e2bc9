import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { differingPins, PINNED_RELEASES, type Pins, pinnedObjects, pinsOf } from './pins.ts';

const recorded: Record<string, Pins> = JSON.parse(await readFile(new URL('pins.json', import.meta.url), 'utf8'));

const HOW_TO_LOOK = `
Compare the files: node test/pins/record-pins.ts --write FOLDER here, the same with another folder in a worktree of the
commit before, then diff -r. If the change is meant: node test/pins/record-pins.ts, and say in the commit what changed.`;

test('each release that is made has its pins', () => {
  expect(Object.keys(recorded)).toEqual(PINNED_RELEASES);
});

test.each(PINNED_RELEASES)('%s: every stored and published byte is the one in pins.json', async (release) => {
  const differing = differingPins(recorded[release] ?? {}, pinsOf(await pinnedObjects(release)));
  if (differing.length > 0)
    expect.fail(`${release}: ${differing.length} objects\n${differing.join('\n')}${HOW_TO_LOOK}`);
});

test('a changed byte is told from a changed digest, and a file that goes from one that comes', () => {
  const pins = (texts: Record<string, string>) =>
    pinsOf(new Map(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text)])));
  const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
  const before = pins({ sums: `${a}  data`, data: '1', gone: '1', same: a });
  expect(differingPins(before, before)).toEqual([]);
  expect(differingPins(before, pins({ sums: `${b}  data`, data: '22', same: a, new: '1' }))).toEqual([
    '! data: other bytes, 1 before and 2 now',
    '- gone: is no longer made',
    '+ new: is new, 1 bytes',
    '  sums: only digests or signatures',
  ]);
});
