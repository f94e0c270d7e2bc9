import { afterAll, expect, test } from 'vitest';
import { removeAll } from '../../client/verify/forgery.fixture.ts';
import { releaseWorkflowId } from '../../contracts/names.ts';
import { RELEASE_ACTIONS } from '../../contracts/release-state.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { reaches } from '../support/test-stack.ts';
import { feedMutated } from './feeding.fixture.ts';
import { FORMATS } from './formats.fixture.ts';
import { mutatedText, numbers } from './mutation.fixture.ts';
import { Stranger } from './temporal-junk.fixture.ts';

afterAll(removeAll);

const COUNT = 2_000;

test.each(FORMATS)('two thousand mutated $name', async (format) => {
  expect(await feedMutated(format, COUNT, 2)).toBe(Math.ceil(COUNT / format.atOnce));
});

test('two thousand mutated Updates at a real gate: nothing is kept, and the release is published', async () => {
  const { stack, series } = await startSmallStack();
  try {
    const run = await startSmall(stack.client, series);
    await reaches(stack.client, run, ['waiting'], 120);
    const stranger = new Stranger(stack);
    const id = releaseWorkflowId(run);
    const before = await stranger.events(id);
    const envelope = {
      payloadType: 'application/vnd.in-toto+json',
      payload: 'e30=',
      signatures: [{ keyid: 'a', sig: '' }],
    };
    const request = { envelope, note: 'a note', partitions: [{ part: 'bus', day: '2026-03-02' }] };
    // Those who ask without a key can withdraw and cancel a release: that is no junk.
    const actions = RELEASE_ACTIONS.filter((action) => action !== 'withdraw' && action !== 'cancel');
    for (let sent = 0; sent < COUNT; sent += 1) {
      const data = mutatedText(request, numbers(sent));
      const answer = await stranger.update(id, actions[sent % actions.length]!, [{ encoding: 'json/plain', data }]);
      expect(answer, `input ${sent}`).not.toBe('accepted');
    }
    expect(await stranger.events(id)).toBe(before);
    expect(await decideSmall(stack.client, series, run, 'approve')).toMatchObject({ accepted: true });
    await reaches(stack.client, run, ['published'], 60);
  } finally {
    await stack.end();
  }
});
