import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { POLICY_FORMAT, POLICY_POWERS, type Policy } from '../../contracts/formats/policy.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { MemoryStore } from '../../services/stores/memory-store.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { testPolicy } from '../../test/support/test-custody.ts';
import { isSignedByPolicy, readPolicyFile, refuseDemoPolicy, settlePolicy } from './policy-file.ts';

const folder = newFolder();

const key = generateSigningKey();
const population = {
  sources: ['trips'],
  unit: 'trip',
  neighbours: 'replace-one',
  mechanisms: ['stability-histogram'],
  release: { epsilon: 8, delta: '1e-6' },
  caps: { block: { epsilon: 16, delta: '2e-6' }, year: { epsilon: 424, delta: '5.3e-5' } },
  lateDays: 60,
};
const sound = {
  format: POLICY_FORMAT,
  number: 3,
  keys: [{ name: 'officer', may: [...POLICY_POWERS], key: key.publicKey }],
  populations: { riders: population },
};

async function read(content: object | string) {
  const file = join(folder, 'policy.yaml');
  await writeFile(file, typeof content === 'string' ? content : stringify(content, { aliasDuplicateObjects: false }));
  return readPolicyFile(file);
}

test('a sound policy is read; its digest is that of what it says, however it is laid out', async () => {
  const one = await read(sound);
  expect(one.policy.populations.riders!.release).toEqual({ epsilon: '8', delta: '1/1000000' });
  const again = await read(JSON.stringify({ ...sound, keys: sound.keys }, null, 4));
  expect(again.numbered).toEqual(one.numbered);
  const other = await read({ ...sound, number: 4 });
  expect(other.numbered.digest).not.toBe(one.numbered.digest);
});

const caps = { block: { epsilon: 7, delta: '2e-6' }, year: { epsilon: 424, delta: '5.3e-5' } };
const small =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n-----END PUBLIC KEY-----\n';

test.each<[string, string, object | string]>([
  ['nothing', '', ''],
  ['no YAML', 'YAML', '"'.repeat(1_000)],
  ['three thousand levels', 'nested', '['.repeat(3_000) + ']'.repeat(3_000)],
  ['an alias', '', 'format: &f x\nnumber: *f\n'],
  ['a tag that makes something else of a value', 'tag', 'format: !custom x\n'],
  ['the name __proto__', '__proto__', 'format: x\npopulations: { __proto__: {} }\n'],
  ['a megabyte and more', 'larger', `# ${'x'.repeat(2 ** 20)}\n`],
  [
    'a unit that nobody knows',
    'write one of',
    { ...sound, populations: { riders: { ...population, unit: 'banana' } } },
  ],
  [
    'an ε of nothing',
    'above 0',
    { ...sound, populations: { riders: { ...population, release: { epsilon: '0/7', delta: 0 } } } },
  ],
  ['a field that nobody knows', 'capps', { ...sound, capps: {} }],
  ['a private key', 'private key', { ...sound, keys: [{ ...sound.keys[0], key: key.privateKey }] }],
  ['a key that is none', 'Ed25519', { ...sound, keys: [{ ...sound.keys[0], key: 'BEGIN PUBLIC KEY' }] }],
  ['a key of small order', 'Ed25519', { ...sound, keys: [{ ...sound.keys[0], key: small }] }],
  ['one key twice', 'twice', { ...sound, keys: [sound.keys[0], { ...sound.keys[0], name: 'again' }] }],
  ['no key', 'keys', { ...sound, keys: [] }],
  [
    'one source store of two populations',
    'belongs to riders already',
    { ...sound, populations: { riders: population, others: population } },
  ],
  [
    'a release that costs more than the cap of a block',
    'cap of a block',
    { ...sound, populations: { riders: { ...population, caps } } },
  ],
])('%s is no policy: every mistake is one sentence', async (_, words, content) => {
  const error = await read(content).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'POLICY_INVALID', message: expect.stringContaining(words) });
  expect(error.message).not.toContain(key.privateKey.split('\n')[1]);
  expect(error.message.split('\n').length).toBeLessThanOrEqual(100);
});

test('a file that is not there, and a device that has no end, cannot be read', async () => {
  for (const file of [join(folder, 'none.yaml'), '/dev/zero'])
    await expect(readPolicyFile(file)).rejects.toMatchObject({ code: 'POLICY_INVALID' });
});

test('demo keys are refused unless the deployment allows them', async () => {
  const demo = await read({ ...sound, demo: true });
  expect(() => refuseDemoPolicy(demo, false)).toThrow(expect.objectContaining({ code: 'POLICY_INVALID' }));
  expect(() => refuseDemoPolicy(demo, true)).not.toThrow();
});

describe('C11a a key of the policy', () => {
  const order = signDocument({ some: 'order' }, key.privateKey);
  const next = generateSigningKey();
  const policyOf = async (...keys: object[]): Promise<Policy> => (await read({ ...sound, number: 4, keys })).policy;
  const renewed = { name: 'renewed', may: [...POLICY_POWERS], key: next.publicKey };

  test('signs what it may, and nothing else', async () => {
    const policy = await policyOf({ ...sound.keys[0], may: ['series'] });
    expect(POLICY_POWERS.map((power) => isSignedByPolicy(policy, power, order))).toEqual([true, false, false]);
  });

  test('whose owner leaves stays good for what it signed; one that was lost and taken out, or stolen, does not', async () => {
    const left = await policyOf(sound.keys[0]!, renewed);
    expect(isSignedByPolicy(left, 'orders', order)).toBe(true);
    const stolen = await policyOf({ ...sound.keys[0], revoked: true }, renewed);
    expect(isSignedByPolicy(stolen, 'orders', order)).toBe(false);
    expect(isSignedByPolicy(await policyOf(renewed), 'orders', order)).toBe(false);
    expect(isSignedByPolicy(stolen, 'orders', signDocument({ some: 'order' }, next.privateKey))).toBe(true);
  });
});

test('C12: a worker with a lower number of the policy than another one went by is behind', async () => {
  const store = new MemoryStore();
  const [second, tenth] = [testPolicy({ number: 2 }), testPolicy({ number: 10 })];
  await settlePolicy(store, second);
  await settlePolicy(store, tenth);
  await settlePolicy(store, tenth);
  await expect(settlePolicy(store, second)).rejects.toMatchObject({ code: 'TRUST_BEHIND' });
});
