import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLedger } from '../../activities/ledger/ledger.ts';
import { readAttestation } from '../../activities/publication/attestation.ts';
import { readJson } from '../../activities/stores/json-objects.ts';
import { OpalineClient } from '../../client/opaline-client.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { FILES, PUBLIC_KEYS, partitionPath, releasePath } from '../../contracts/names.ts';
import type { Answer, Run } from '../../contracts/stages.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { differingOutputs, ledgerErrors } from '../support/release-checks.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { type SmallSeries, writeSmallTrips, writeTruncatedTrips } from '../support/small-series.ts';
import { smallPlaces, startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;
let other: OpalineClient;
let series: SmallSeries;

beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
  other = await OpalineClient.open(await readDeployment(stack.files.deployment('client'), clientDeploymentSchema));
});
afterAll(async () => {
  await other?.close();
  await stack?.end();
});

/** One sentence for people, with a code of the table. */
function expectClear(refused: Answer): void {
  expect(refused).toMatchObject({ accepted: false });
  if (refused.accepted) return;
  expect(['ACTION_NOT_OFFERED', 'ALREADY_DECIDED', 'USAGE']).toContain(refused.code);
  expect(refused.message).toMatch(/^[^\n]{20,}\.$/);
}

const ledgerKinds = async (run: Run): Promise<string[]> => {
  const { entries } = await readLedger(stack.client.releaseStore, 'small-riders');
  return entries.filter((entry) => 'release' in entry && entry.release === releasePath(run)).map(({ kind }) => kind);
};

test('one retries and one abandons a partition at once: one wins, and the other is told why', async () => {
  await writeTruncatedTrips(stack.source, '2026-03-04', 'ferry');
  const run = await startSmall(stack.client, series);
  const request = { partitions: [{ part: 'ferry', day: '2026-03-04' }], subject: 'test' };
  for (const attempt of [0, 1, 2, 3]) {
    await reaches(stack.client, run, ['partitions-failed']);
    const retry = () => stack.client.ask(run, 'retryPartitions', request);
    const abandon = () => other.ask(run, 'abandonPartitions', request);
    const both = attempt % 2 === 0 ? [retry(), abandon()] : [abandon(), retry()];
    const answers = await Promise.all(both);
    const [retried, abandoned] = attempt % 2 === 0 ? answers : answers.toReversed();
    expect([retried!.accepted, abandoned!.accepted].filter(Boolean)).toHaveLength(1);
    expectClear(retried!.accepted ? abandoned! : retried!);
    if (abandoned!.accepted) break;
  }
  let status = await reaches(stack.client, run, ['waiting', 'partitions-failed', 'failed']);
  if (status.state === 'partitions-failed') {
    expect(await stack.client.ask(run, 'abandonPartitions', request)).toMatchObject({ accepted: true });
    status = await reaches(stack.client, run, ['waiting', 'failed']);
  }
  expect(status.partitions.filter(({ state }) => state === 'abandoned').map(partitionPath)).toEqual([
    'ferry/2026-03-04',
  ]);
  expect(status.partitions.filter(({ state }) => state === 'drawn')).toHaveLength(5);
  expect(await ledgerKinds(run)).toEqual(['reserve']);
}, 200_000);

test('two approve at once: one approval counts, the other is told why, and the publication has one', async () => {
  await writeSmallTrips(stack.source);
  const run = await startSmall(stack.client, series, 2);
  await reaches(stack.client, run, ['waiting']);
  const answers = await Promise.all([stack.client, other].map((client) => decideSmall(client, series, run, 'approve')));
  expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
  const refused = answers.find(({ accepted }) => !accepted)!;
  expectClear(refused);
  expect(JSON.stringify(refused)).not.toContain('is waiting');
  expect((await reaches(stack.client, run, ['published', 'failed'])).decisions).toHaveLength(1);
  const places = smallPlaces(stack);
  const attestation = await readJson(places.publication, PUBLIC_KEYS.file(run, FILES.attestation), {
    parse: readAttestation,
  });
  expect(attestation.approvals).toHaveLength(1);
  expect(await differingOutputs(places, run)).toEqual([]);
  expect(await ledgerErrors(places, run)).toEqual([]);
}, 200_000);

test.each([3, 4])(
  'one cancels and one approves at once, version %i: published or cancelled, and never both',
  async (version) => {
    const run = await startSmall(stack.client, series, version);
    await reaches(stack.client, run, ['waiting']);
    const cancel = () => stack.client.ask(run, 'cancel', { subject: 'test' });
    const approve = () => decideSmall(other, series, run, 'approve');
    const answers = await Promise.all(version === 3 ? [cancel(), approve()] : [approve(), cancel()]);
    const [cancelled, approved] = version === 3 ? answers : answers.toReversed();
    const { state } = await reaches(stack.client, run, ['published', 'cancelled', 'failed']);
    expect(state).toBe(cancelled!.accepted ? 'cancelled' : 'published');
    expect(cancelled!.accepted || approved!.accepted).toBe(true);
    for (const answer of answers) if (!answer.accepted) expectClear(answer);
    // A release says that it is cancelled before the private worker has written so into the ledger.
    const kinds = ['reserve', state === 'published' ? 'commit' : 'withhold'];
    await expect.poll(() => ledgerKinds(run), { timeout: 30_000 }).toEqual(kinds);
    const attestation = smallPlaces(stack).publication.head(PUBLIC_KEYS.file(run, FILES.attestation));
    expect((await attestation) !== null).toBe(state === 'published');
  },
  200_000,
);
