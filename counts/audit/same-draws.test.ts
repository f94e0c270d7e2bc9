import { expect, test } from 'vitest';
import { sameDraws, type VersionOrigin } from './same-draws.ts';

const origins = new Map<number, VersionOrigin>([
  [1, null],
  [2, { of: 1, redrawn: ['bus/2026-03-02'] }],
  [3, { of: 2, redrawn: ['ferry/2026-03-02'] }],
  [4, null],
]);
const both = ['bus/2026-03-02', 'ferry/2026-03-02', 'train/2026-03-02'];

test('C13: what a correction carries over is one draw, also through corrections of corrections', () => {
  expect([...sameDraws(both, 2, 1, origins)]).toEqual(['ferry/2026-03-02', 'train/2026-03-02']);
  expect([...sameDraws(both, 3, 1, origins)]).toEqual(['train/2026-03-02']);
  expect([...sameDraws(both, 3, 2, origins)]).toEqual(['bus/2026-03-02', 'train/2026-03-02']);
  expect([...sameDraws(both, 4, 3, origins)]).toEqual([]);
});

test('a version that is not known was drawn again', () => {
  expect([...sameDraws(both, 7, 4, origins)]).toEqual([]);
});
