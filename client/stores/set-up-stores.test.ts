import {
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../services/stores/open-store.ts';
import { s3Client } from '../../services/stores/s3-client.ts';
import { httpStatus } from '../../services/stores/s3-errors.ts';
import { type Credentials, type Gateway, startVersitygw } from '../../test/support/versitygw.ts';
import { bucketPolicies, type StoreSetup, storeSetupSchema } from './bucket-policies.ts';
import { setUpStores } from './set-up-stores.ts';

const USERS = ['private', 'public', 'client', 'custodian', 'supplier'] as const;
type User = (typeof USERS)[number];
const BUCKETS = ['source', 'private', 'release', 'publication'] as const;

let gateway: Gateway;
let setup: StoreSetup;
let settings: Awaited<ReturnType<typeof setUpStores>>;
const users = {} as Record<User, Credentials>;

beforeAll(async () => {
  gateway = await startVersitygw('1.8.0', { versions: true });
  for (const name of USERS) users[name] = await gateway.createUser(name);
  const { kind: _, bucket: __, ...server } = gateway.configuration('any');
  const named = Object.fromEntries(USERS.map((name) => [name, users[name].accessKeyId]));
  setup = storeSetupSchema.parse({
    server,
    buckets: Object.fromEntries(BUCKETS.map((name) => [name, `opaline-${name}`])),
    users: { ...named, readers: '*' },
  });
  settings = await setUpStores(setup);
});
afterAll(() => gateway?.stop());

/** `allowed`, or the status with which the server refuses. */
async function ask(user: User | 'nobody', command: object): Promise<string | number> {
  const { kind: _, bucket: __, ...server } = gateway.configuration('any', user === 'nobody' ? undefined : users[user]);
  const client = s3Client(server);
  if (user === 'nobody') client.config.credentials = async () => ({ accessKeyId: '', secretAccessKey: '' }) as never;
  return client.send(command as never).then(
    () => 'allowed',
    (error: unknown) => httpStatus(error) ?? 'no answer',
  );
}

const put = (bucket: string, Key: string) => new PutObjectCommand({ Bucket: `opaline-${bucket}`, Key, Body: 'x' });
const read = (bucket: string, Key: string) => new GetObjectCommand({ Bucket: `opaline-${bucket}`, Key });
const list = (bucket: string) => new ListObjectsV2Command({ Bucket: `opaline-${bucket}` });
const remove = (bucket: string, Key: string) => new DeleteObjectCommand({ Bucket: `opaline-${bucket}`, Key });

describe('on versitygw', () => {
  test('the buckets are made, and what this server cannot do is told', () => {
    expect(settings.map(({ bucket }) => bucket)).toEqual(BUCKETS.map((name) => `opaline-${name}`));
    expect(settings.every(({ isNew }) => isNew)).toBe(true);
    expect(settings.map(({ versions }) => versions)).toEqual([false, true, true, false]);
    // 1.8.0 knows neither rules of a life cycle nor the condition s3:if-none-match of a policy.
    expect(settings.map(({ tidiesUploads, writesOnce }) => tidiesUploads || writesOnce)).toEqual(Array(4).fill(false));
  });

  test('a second run changes nothing and makes nothing', async () => {
    const again = await setUpStores(setup);
    expect(again).toEqual(settings.map((one) => ({ ...one, isNew: false })));
    const { kind: _, bucket: __, ...server } = gateway.configuration('any');
    const { Status } = await s3Client(server).send(new GetBucketVersioningCommand({ Bucket: 'opaline-private' }));
    expect(Status).toBe('Enabled');
  });

  test('each user may do what its row of the table says, and nothing else', async () => {
    const { kind: _, bucket: __, ...server } = gateway.configuration('any');
    for (const bucket of BUCKETS)
      for (const key of ['ledger/a', 'cells/a']) await s3Client(server).send(put(bucket, key));
    const table: Record<string, (string | number)[]> = {};
    for (const user of USERS)
      for (const bucket of BUCKETS)
        table[`${user} ${bucket}`] = [
          await ask(user, list(bucket)),
          await ask(user, read(bucket, 'ledger/a')),
          await ask(user, put(bucket, `by/${user}`)),
          await ask(user, remove(bucket, 'ledger/a')),
          user === 'custodian' ? 'not asked' : await ask(user, remove(bucket, 'cells/a')),
        ];
    const no = 403;
    const nothing = [no, no, no, no, no];
    const reader = ['allowed', 'allowed', no, no, no];
    const writer = ['allowed', 'allowed', 'allowed', no, no];
    // The world reads publications.
    const world = [no, 'allowed', no, no, no];
    expect(table).toEqual({
      'private source': reader,
      'private private': writer,
      'private release': writer,
      'private publication': world,
      'public source': nothing,
      'public private': nothing,
      'public release': writer,
      'public publication': writer,
      'client source': nothing,
      'client private': nothing,
      'client release': writer,
      'client publication': world,
      'custodian source': [...reader.slice(0, 4), 'not asked'],
      'custodian private': [...reader.slice(0, 4), 'not asked'],
      'custodian release': [...reader.slice(0, 4), 'not asked'],
      'custodian publication': [...world.slice(0, 4), 'not asked'],
      'supplier source': [no, no, 'allowed', no, no],
      'supplier private': nothing,
      'supplier release': nothing,
      'supplier publication': world,
    });
    const address = (bucket: string) => fetch(`${gateway.endpoint}/opaline-${bucket}/ledger/a`);
    expect((await address('publication')).status).toBe(200);
    for (const bucket of ['source', 'private', 'release']) expect((await address(bucket)).status, bucket).toBe(403);
  });

  test('the custodian takes an object away with all its versions, and no ledger, and the worker neither', async () => {
    const store = (user: User) => openStore(gateway.configuration('opaline-private', users[user]));
    await store('private').putIfAbsent('cells/b', Buffer.from('counts'));
    await expect(store('private').remove('cells/b')).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' });
    await store('custodian').remove('cells/b');
    expect(await store('private').head('cells/b')).toBeNull();
    const all = await (await gatewayVersions('opaline-private')).filter((key) => key.startsWith('cells/b'));
    expect(all).toEqual([]);
    await expect(store('custodian').remove('ledger/a')).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' });
    expect(await store('private').head('ledger/a')).not.toBeNull();
  });
});

/** Keys of all versions that a bucket keeps, markers of deletions among them. */
async function gatewayVersions(Bucket: string): Promise<string[]> {
  const { ListObjectVersionsCommand } = await import('@aws-sdk/client-s3');
  const { kind: _, bucket: __, ...server } = gateway.configuration('any');
  const { Versions = [], DeleteMarkers = [] } = await s3Client(server).send(new ListObjectVersionsCommand({ Bucket }));
  return [...Versions, ...DeleteMarkers].map(({ Key }) => Key!);
}

describe('policies for a server that knows the condition', () => {
  const strict = bucketPolicies(setupBuckets(), setupUsers(), true);
  const plain = bucketPolicies(setupBuckets(), setupUsers(), false);

  function setupBuckets() {
    return { private: 'p', release: 'r', publication: 'w' };
  }
  function setupUsers() {
    return { private: 'P', public: 'W', client: 'C', custodian: 'K' };
  }

  test('refuse to write over ledger, records of draws and draws without asking; the rest is the same', () => {
    const more = Object.entries(strict).map(([bucket, { Statement }]) => [
      bucket,
      Statement.filter((one) => !JSON.stringify(plain[bucket]).includes(JSON.stringify(one))),
    ]);
    const once = (bucket: string, prefixes: string[]) => [
      {
        Effect: 'Deny',
        Principal: '*',
        Action: ['s3:PutObject'],
        Resource: prefixes.map((prefix) => `arn:aws:s3:::${bucket}/${prefix}/*`),
        Condition: { Null: { 's3:if-none-match': 'true' }, Bool: { 's3:ObjectCreationOperation': 'true' } },
      },
    ];
    expect(Object.fromEntries(more)).toEqual({
      p: once('p', ['ledger', 'draws', 'privatized', 'previews', 'clearances', 'policies']),
      r: once('r', ['ledger', 'privatized', 'decisions', 'orders', 'receipts']),
      w: [],
    });
  });

  test('name nobody who reads publications unless somebody is named', () => {
    expect(JSON.stringify(strict.w)).not.toContain('"*"');
    expect(JSON.stringify(bucketPolicies(setupBuckets(), { ...setupUsers(), readers: '*' }, true).w)).toContain(
      '"Principal":"*"',
    );
  });
});
