import { expect } from 'vitest';
import { releaseWorkflowId } from '../../contracts/names.ts';
import { RELEASE_ACTIONS } from '../../contracts/release-state.ts';
import type { Run } from '../../contracts/stages.ts';
import { mutatedText, numbers } from './mutation.fixture.ts';
import type { Stranger } from './temporal-junk.fixture.ts';

/** Sends `count` mutated Updates to a real gate: none is accepted, and none leaves an event in its history. */
export async function feedGate(stranger: Stranger, run: Run, count: number, seed: number): Promise<void> {
  const id = releaseWorkflowId(run);
  const before = await stranger.events(id);
  const envelope = {
    payloadType: 'application/vnd.in-toto+json',
    payload: 'e30=',
    signatures: [{ keyid: 'a', sig: '' }],
  };
  const request = { envelope, note: 'a note', partitions: [{ part: 'bus', day: '2026-03-02' }] };
  // Those who ask without a key can cancel a release: that is no junk.
  const actions = RELEASE_ACTIONS.filter((action) => action !== 'cancel');
  for (let sent = 0; sent < count; sent += 1) {
    const data = mutatedText(request, numbers(seed * 1_000_003 + sent));
    const answer = await stranger.update(id, actions[sent % actions.length]!, [{ encoding: 'json/plain', data }]);
    expect(answer, `seed ${seed}, input ${sent}`).not.toBe('accepted');
  }
  expect(await stranger.events(id)).toBe(before);
}
