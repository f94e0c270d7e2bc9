import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Backfill } from '../contracts/backfill.ts';
import { RELEASE_STATES } from '../contracts/release-state.ts';
import { isOver, mark, nextWindow, windowsAtWork } from './backfill.workflow.ts';

const WINDOWS = ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23', '2026-03-30'];
const markStarted = (one: Backfill, window: string, isStarted: boolean) =>
  mark(one, window, isStarted ? 'running' : 'started-before', 'to-do');
const backfill = (atOnce: number): Backfill => ({
  id: 'demo/2026-03-02..2026-03-30',
  series: 'demo',
  seriesDigest: 'ab'.repeat(32),
  atOnce,
  state: 'running',
  windows: WINDOWS.map((window) => ({ window, state: 'to-do' })),
});

/** What can happen to a back-fill, in any order. */
const event = fc.oneof(
  fc.record({ kind: fc.constant('start' as const), started: fc.boolean() }),
  fc.record({
    kind: fc.constant('moved' as const),
    window: fc.constantFrom(...WINDOWS, '2020-01-06'),
    state: fc.constantFrom(...RELEASE_STATES),
  }),
  fc.record({ kind: fc.constant('ended outside' as const), window: fc.constantFrom(...WINDOWS) }),
  fc.record({ kind: fc.constantFrom('paused', 'running', 'cancelled' as const) }),
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

/** Carries the events out; `carry` is what happens to the state between two of them. Gives the windows started. */
function play(one: Backfill, events: readonly Event[], carry: (state: Backfill) => Backfill) {
  const started: string[] = [];
  let state = one;
  for (const happened of events) {
    state = carry(state);
    if (happened.kind === 'start') {
      const window = nextWindow(state);
      if (!window) continue;
      expect(state.state).toBe('running');
      expect(windowsAtWork(state).length).toBeLessThan(state.atOnce);
      started.push(window);
      markStarted(state, window, happened.started);
    } else if (happened.kind === 'moved') {
      // Only releases that were started report anything.
      if (started.includes(happened.window)) mark(state, happened.window, happened.state);
    } else if (happened.kind === 'ended outside') mark(state, happened.window, 'ended-outside', 'running');
    else state.state = happened.kind;
  }
  return { started, state };
}

test('no more at once than allowed, each window once, in order; carried over as JSON nothing changes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(event, { maxLength: 40 }), (atOnce, events) => {
      const plain = play(backfill(atOnce), events, (state) => state);
      expect(plain.started).toEqual(WINDOWS.slice(0, plain.started.length));
      expect(play(backfill(atOnce), events, (state) => JSON.parse(JSON.stringify(state)))).toEqual(plain);
    }),
  );
});

test('a release at the gate, or waiting for people with failed partitions, frees its slot', () => {
  const one = backfill(1);
  markStarted(one, nextWindow(one)!, true);
  expect(nextWindow(one)).toBeNull();
  mark(one, '2026-03-02', 'waiting');
  expect(nextWindow(one)).toBe('2026-03-09');
  markStarted(one, '2026-03-09', true);
  mark(one, '2026-03-09', 'partitions-failed');
  markStarted(one, '2026-03-16', false);
  expect(nextWindow(one)).toBe('2026-03-23');
  one.state = 'paused';
  expect(nextWindow(one)).toBeNull();
});

test('a release that tells where it stands before its start came back is not put back to work', () => {
  const one = backfill(1);
  mark(one, '2026-03-02', 'failed');
  markStarted(one, '2026-03-02', true);
  expect(one.windows[0]).toEqual({ window: '2026-03-02', state: 'failed' });
});

test('a release that was ended in Temporal frees its slot; one that told where it stands is left as it is', () => {
  const one = backfill(2);
  for (const window of WINDOWS.slice(0, 2)) markStarted(one, window, true);
  mark(one, WINDOWS[1]!, 'waiting');
  expect(windowsAtWork(one)).toEqual([WINDOWS[0]]);
  for (const window of WINDOWS) mark(one, window, 'ended-outside', 'running');
  expect(one.windows.map(({ state }) => state)).toEqual(['ended-outside', 'waiting', 'to-do', 'to-do', 'to-do']);
  expect(nextWindow(one)).toBe(WINDOWS[2]);
  expect(isOver({ ...one, windows: one.windows.slice(0, 2) })).toBe(true);
});

test('it is over when no window is to do or at work, or when it is cancelled', () => {
  const one = backfill(9);
  for (const window of WINDOWS) markStarted(one, window, true);
  for (const window of WINDOWS.slice(1)) mark(one, window, 'waiting');
  expect(isOver(one)).toBe(false);
  expect(isOver({ ...one, state: 'cancelled' })).toBe(true);
  mark(one, WINDOWS[0]!, 'published');
  expect(isOver(one)).toBe(true);
});
