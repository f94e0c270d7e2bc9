import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateBucketCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { S3StoreConfiguration } from '../../contracts/store-configuration.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { openStore } from '../../services/stores/open-store.ts';
import type { Identity } from '../support/certificates.ts';
import {
  type Credentials,
  createUser,
  deleteUser,
  newCredentials,
  policyStatements,
  REGION,
} from '../support/versitygw.ts';
import { Part } from './part.ts';
import { untilAnswered } from './postgres.ts';

const BUCKETS = ['source', 'private', 'release', 'publication'] as const;
export type Bucket = (typeof BUCKETS)[number];

const USERS = ['supplier', 'private', 'public', 'client', 'custodian'] as const;
export type User = (typeof USERS)[number];

/** Keys of each user, the newest last. */
type Keys = Record<User, Credentials[]>;

/** Who may read and write which bucket (docs/operations.md); the publication bucket has the policy of infra/hosting. */
const ACCESS: Record<Exclude<Bucket, 'publication'>, Partial<Record<User, readonly ('read' | 'write')[]>>> = {
  source: { supplier: ['read', 'write'], private: ['read'] },
  private: { private: ['read', 'write'], custodian: ['read', 'write'] },
  release: { private: ['read', 'write'], public: ['read', 'write'], client: ['read', 'write'] },
};

/** What of the private store may go when a release has ended (docs/operations.md, *Retention*). */
const DISPOSABLE = ['cells', 'draws', 'inventory', 'shadows', 'rejects', 'tallies', 'warnings', 'diagnostics', 'risk'];

/** An S3 server over TLS, with the buckets of a deployment and a user of its own for each kind of process. */
export type ObjectStores = {
  part: Part;
  endpoint: string;
  /** Where the objects of a bucket are, a file each. */
  folder(bucket: Bucket): string;
  /** How to open a bucket, or the part of it below a prefix, as a user; as the administrator when none is named. */
  configuration(bucket: Bucket, user?: User, prefix?: string): S3StoreConfiguration;
  store(bucket: Bucket, user?: User, prefix?: string): ObjectStore;
  /** The newest key of a user. */
  key(user: User): Credentials;
  /** Makes a second key that opens the same, and is the newest from now on. */
  makeKey(user: User): Promise<void>;
  /** The oldest key of a user opens nothing any more. */
  removeKey(user: User): Promise<void>;
};

/** `series`: whose publications the world may read. The caller has to trust the authority of the server's certificate. */
export async function startObjectStores(
  folder: string,
  {
    address,
    port,
    server,
    authorityFile,
    series,
  }: { address: string; port: number; server: Identity; authorityFile: string; series: readonly string[] },
): Promise<ObjectStores> {
  const program = await provideTool('versitygw 1.8.0');
  const at = (name: string) => join(folder, 's3', name);
  await mkdir(at('buckets'), { recursive: true, mode: 0o700 });
  await mkdir(at('users'));
  await writeFile(at('server.pem'), server.certificate);
  await writeFile(at('server-key.pem'), server.key, { mode: 0o600 });
  const root = newCredentials('root');
  const endpoint = `https://${address}:${port}`;
  const part = new Part(folder, {
    name: 's3',
    words: [
      ...[program, '--port', `${address}:${port}`, '--region', REGION, '--iam-dir', at('users')],
      ...['--cert', at('server.pem'), '--key', at('server-key.pem')],
      ...['--health', '/health', '--keep-alive', '--quiet', 'posix', at('buckets')],
    ],
    environment: { ROOT_ACCESS_KEY_ID: root.accessKeyId, ROOT_SECRET_ACCESS_KEY: root.secretAccessKey },
    stopSignal: 'SIGKILL',
    ready: () => untilAnswered(() => fetch(`${endpoint}/health`)),
  });
  await part.start();
  const administered = { program, endpoint, root, authorityFile };
  const users = {} as Keys;
  for (const name of USERS) users[name] = [await createUser(administered, name)];
  const client = new S3Client({ endpoint, region: REGION, forcePathStyle: true, credentials: root });
  const putPolicies = async () => {
    for (const bucket of BUCKETS) {
      const policy = bucket === 'publication' ? await hostingPolicy(users.public, series) : accessPolicy(bucket, users);
      await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify(policy) }));
    }
  };
  for (const bucket of BUCKETS) await client.send(new CreateBucketCommand({ Bucket: bucket }));
  await putPolicies();
  const newest = (user: User): Credentials => users[user].at(-1)!;
  const configuration = (bucket: Bucket, user?: User, prefix?: string): S3StoreConfiguration => ({
    kind: 's3',
    bucket,
    endpoint,
    region: REGION,
    forcePathStyle: true,
    credentials: user ? newest(user) : root,
    ...(prefix !== undefined && { prefix }),
  });
  return {
    part,
    endpoint,
    configuration,
    key: newest,
    folder: (bucket) => join(at('buckets'), bucket),
    store: (...place) => openStore(configuration(...place)),
    async makeKey(user) {
      users[user].push(await createUser(administered, `${user}-${randomUUID()}`));
      await putPolicies();
    },
    async removeKey(user) {
      const { accessKeyId } = users[user].shift()!;
      // The server takes no policy that names somebody whom it does not know.
      await putPolicies();
      await deleteUser(administered, accessKeyId);
    },
  };
}

function accessPolicy(bucket: keyof typeof ACCESS, users: Keys) {
  const granted = Object.entries(ACCESS[bucket]).flatMap(([user, accesses]) =>
    accesses.flatMap((access) => users[user as User].flatMap((key) => policyStatements(bucket, key, access))),
  );
  const disposable = DISPOSABLE.map((prefix) => `arn:aws:s3:::${bucket}/${prefix}/*`);
  const removal = {
    Effect: 'Allow',
    Principal: { AWS: users.custodian.map(({ accessKeyId }) => accessKeyId) },
    Action: ['s3:DeleteObject'],
    Resource: disposable,
  };
  return { Version: '2012-10-17', Statement: bucket === 'private' ? [...granted, removal] : granted };
}

async function hostingPolicy(publisher: readonly Credentials[], series: readonly string[]) {
  const text = await readFile(new URL('../../infra/hosting/bucket-policy.json', import.meta.url), 'utf8');
  const ids = publisher.map(({ accessKeyId }) => JSON.stringify(accessKeyId)).join();
  const filled = text.replaceAll('BUCKET', 'publication').replaceAll('"PUBLISHER"', ids);
  const policy = JSON.parse(filled) as { Statement: { Resource: string[] }[] };
  for (const statement of policy.Statement)
    statement.Resource = statement.Resource.flatMap((one) => series.map((name) => one.replace('SERIES', name)));
  return policy;
}
