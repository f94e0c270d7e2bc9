import { expect, test } from 'vitest';
import { needOfRelease } from './needs.ts';
import type { ReleaseLine } from './release/retractions.ts';

/** A release at its gate, as a list has it; what needs do not read of one is left out. */
const atGate = (verdict: string, attention: string[]): ReleaseLine => {
  const release = { series: 'taps', window: '2026-11-09', version: 1, state: 'waiting' };
  const open = { ...release, verdict, attention, decisions: [], required: 2, expiresAt: null, partitions: [] };
  return { ...release, publication: null, retraction: null, open } as unknown as ReleaseLine;
};
const sentenceOf = (line: ReleaseLine, odd: string | null) => needOfRelease(line, 'UTC', odd)!.sentence;

test('a release at its gate is named after what is odd of it, and how much of that has to be acknowledged', () => {
  expect(sentenceOf(atGate('attention', ['usual-taps', 'published-taps']), 'tram, Wed 11 Nov 2026: 95 taps')).toBe(
    'tram, Wed 11 Nov 2026: 95 taps. Points to be acknowledged: 2. taps/2026-11-09/v1 waits at the gate with 0 of 2 approvals.',
  );
  expect(sentenceOf(atGate('pass', []), null)).toBe('taps/2026-11-09/v1 waits at the gate with 0 of 2 approvals.');
  expect(sentenceOf(atGate('fail', []), 'Wrong')).toMatch(/^Wrong\. taps\S+ failed its audit, and cannot be approved/);
});

test('a release that was ended from outside goes on at 0 ε: nobody is sent to a new charge', () => {
  const line = { ...atGate('pass', []), state: 'ended-outside', open: null } as unknown as ReleaseLine;
  expect(needOfRelease(line, 'UTC', null)).toMatchObject({
    sentence: expect.stringMatching(/^taps\/2026-11-09\/v1 was ended from outside\. Go on with opaline resume, at 0 ε/),
    command: 'opaline resume taps/2026-11-09/v1',
  });
});

test('what is signed leads to the page that signs; what is mended to that of the release', () => {
  const { open, ...line } = atGate('pass', []);
  const placeOf = (change: object) =>
    needOfRelease({ ...line, ...change } as unknown as ReleaseLine, 'UTC', null)!.place!.kind;
  const retraction = { state: 'waiting', stall: null, signed: 1, required: 2 };
  expect(placeOf({ open })).toBe('review');
  expect(placeOf({ open: { ...open, state: 'expired' } })).toBe('review');
  expect(placeOf({ open: null, state: 'published', retraction })).toBe('review');
  expect(placeOf({ open: { ...open, state: 'stalled', stall: { code: 'WORKER_LOST' } } })).toBe('release');
});
