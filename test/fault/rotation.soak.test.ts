import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { POLICY_POWERS } from '../../contracts/formats/policy.ts';
import { publicKeyOf } from '../../services/signing/keys.ts';
import { keyFile, writeKey } from '../support/two-sided-gateway.ts';
import { follow, TwoHosts } from './two-hosts.fixture.ts';

/** Each key is changed as the runbook says, while a release is started every second on two hosts. */
let hosts: TwoHosts;
const PAUSE_MS = 2_000;

beforeAll(async () => {
  hosts = await TwoHosts.open();
});
afterAll(() => hosts?.close());

/** All come to their gate by themselves, two are published, and no worker says what only an attack makes true. */
async function rotatedUnderLoad(rotate: () => Promise<void>): Promise<void> {
  const runs = await hosts.underLoad(rotate, PAUSE_MS);
  for (const run of runs) await hosts.gated(run);
  for (const run of [runs[0]!, runs.at(-1)!]) expect(await hosts.bucket.decided(run)).toBe('published');
  await hosts.expectNothingFalse();
}

test.each(['ledger', 'publisher'])('the key of the worker that signs with %s.pem', async (role) => {
  const desk = await hosts.desk(role, { 'ledger.pem': `${role}.pem` });
  await rotatedUnderLoad(async () => {
    await follow(desk, 1);
    await hosts.gated(await hosts.started());
    await follow(desk, 2);
  });
  expect(await hosts.causes('private')).toEqual([]);
});

test('an approver’s key: what was decided before counts, and the new key decides', async () => {
  const { series } = hosts.bucket;
  const desk = await hosts.desk('approver');
  await writeFile(join(desk.folder, 'me.pem.pub'), publicKeyOf(series.key.privateKey));
  const decided = await hosts.gated(await hosts.started());
  expect(await hosts.bucket.decided(decided)).toBe('published');
  await rotatedUnderLoad(async () => {
    await follow(desk, 3);
    series.key.privateKey = await readFile(join(desk.folder, 'new.pem'), 'utf8');
  });
});

test('a key of the policy: the new one signs beside the old one', async () => {
  const { files } = hosts.bucket.stack;
  const desk = await hosts.desk('policy');
  const policy = parse(await readFile(files.policy, 'utf8'));
  await desk.follow(['opaline keygen new.pem']);
  const key = await readFile(join(desk.folder, 'new.pem.pub'), 'utf8');
  policy.keys.push({ name: 'another', key, may: [...POLICY_POWERS], revoked: false });
  const next = stringify({ ...policy, number: policy.number + 1 }, { aliasDuplicateObjects: false });
  await writeFile(join(desk.folder, 'new-policy.yaml'), next);
  await rotatedUnderLoad(async () => follow(desk, 4));
});

test.each(['private', 'public'] as const)(
  'the key of S3 of the %s workers, beside the old one and in its place',
  async (side) => {
    const { gateway, stack } = hosts.bucket;
    const files = [keyFile(stack.root, side), join(hosts.other, `s3-${side}`)];
    const { credentials: first } = gateway.credentials(side);
    const second = await gateway.anotherKey(side);
    await rotatedUnderLoad(async () => {
      for (const file of files) {
        writeKey(file, second);
        await hosts.gated(await hosts.started());
      }
      await gateway.removeKey(first);
      await hosts.gated(await hosts.started());
    });
  },
);
