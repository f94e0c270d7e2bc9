import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, ListMultipartUploadsCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3StoreConfiguration } from '../../contracts/store-configuration.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { newFolder } from './new-folder.ts';

export type Credentials = { accessKeyId: string; secretAccessKey: string };

/** What a user may do in a bucket: `read` is get and list, `write` is put (a put cannot read what is there). */
export type Access = 'read' | 'write';

/** A real S3 server with a folder of its own, for one test file. */
export type Gateway = {
  endpoint: string;
  root: Credentials;
  createBucket(bucket: string): Promise<void>;
  /** A bucket that keeps every version and can lock it; of a server with `versions`. */
  createLockedBucket(bucket: string): Promise<void>;
  /** A user who may do nothing until something is granted. */
  createUser(name: string): Promise<Credentials>;
  /** Its key opens nothing any more. */
  removeUser(user: Credentials): Promise<void>;
  /** Adds to what was granted before. */
  grant(bucket: string, user: Credentials, access: Access): Promise<void>;
  /** How to open a bucket as that user; as the root when none is named. */
  configuration(bucket: string, user?: Credentials): S3StoreConfiguration;
  /** Keys of uploads in parts that were neither completed nor aborted. */
  unfinishedUploads(bucket: string): Promise<string[]>;
  /** Stops the server and deletes its folder. */
  stop(): Promise<void>;
};

const ACTIONS: Record<Access, { bucket: string[]; objects: string[] }> = {
  read: { bucket: ['s3:ListBucket'], objects: ['s3:GetObject'] },
  // versitygw lets only those create and complete multipart uploads who may put, and abort is an action of its own.
  write: { bucket: [], objects: ['s3:PutObject', 's3:AbortMultipartUpload'] },
};

export const REGION = 'us-east-1';

export const newCredentials = (accessKeyId: string): Credentials => ({
  accessKeyId,
  secretAccessKey: randomBytes(20).toString('hex'),
});

/**
 * Starts versitygw on a free port of the loopback interface; with `versions` its buckets can keep versions. `folder`:
 * its own, which goes with it. Throws SetupError when there is no versitygw to be had.
 */
export async function startVersitygw(
  version: '1.8.0' | '1.7.0' = '1.8.0',
  { versions = false, folder = newFolder() } = {},
): Promise<Gateway> {
  const program = await provideTool(`versitygw ${version}`);
  const root = newCredentials('root');
  const { endpoint, child } = await startOnFreePort(program, folder, root, versions);
  const client = new S3Client({ endpoint, region: REGION, forcePathStyle: true, credentials: root });
  const policies = new Map<string, object[]>();

  return {
    endpoint,
    root,
    async createBucket(bucket) {
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
    },
    async createLockedBucket(bucket) {
      await client.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: true }));
    },
    createUser: (name) => createUser({ program, endpoint, root }, name),
    async removeUser({ accessKeyId }) {
      await deleteUser({ program, endpoint, root }, accessKeyId);
      // The server takes no policy that names somebody whom it does not know.
      for (const [bucket, statements] of policies)
        policies.set(
          bucket,
          statements.filter((statement) => !JSON.stringify(statement).includes(`"AWS":["${accessKeyId}"]`)),
        );
    },
    async grant(bucket, user, access) {
      const statements = policies.get(bucket) ?? [];
      policies.set(bucket, [...statements, ...policyStatements(bucket, user, access)]);
      const policy = { Version: '2012-10-17', Statement: policies.get(bucket) };
      await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify(policy) }));
    },
    configuration: (bucket, user = root) => ({
      kind: 's3',
      bucket,
      endpoint,
      region: REGION,
      forcePathStyle: true,
      credentials: user,
    }),
    async unfinishedUploads(bucket) {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
      return Uploads.map(({ Key }) => `${bucket}/${Key}`);
    },
    async stop() {
      client.destroy();
      await stopChild(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Statements of a bucket's policy that let a user do so much. */
export function policyStatements(bucket: string, user: Credentials, access: Access): object[] {
  const statement = (actions: string[], resource: string) => ({
    Effect: 'Allow',
    Principal: { AWS: [user.accessKeyId] },
    Action: actions,
    Resource: resource,
  });
  const { bucket: onBucket, objects } = ACTIONS[access];
  const statements = [statement(objects, `arn:aws:s3:::${bucket}/*`)];
  return onBucket.length === 0 ? statements : [...statements, statement(onBucket, `arn:aws:s3:::${bucket}`)];
}

/** Another process may take the free port first: then versitygw ends at once, and another port is tried. */
async function startOnFreePort(program: string, folder: string, root: Credentials, versions: boolean) {
  const keep = versions ? ['--versioning-dir', join(folder, 'versions')] : [];
  await Promise.all(['buckets', 'iam', 'versions'].map((name) => mkdir(join(folder, name))));
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const endpoint = `http://127.0.0.1:${port}`;
    const child = spawn(
      program,
      [
        ...['--port', `127.0.0.1:${port}`, '--region', REGION, '--iam-dir', join(folder, 'iam')],
        ...['--health', '/health', '--keep-alive', '--quiet', 'posix', ...keep, join(folder, 'buckets')],
      ],
      {
        env: { ROOT_ACCESS_KEY_ID: root.accessKeyId, ROOT_SECRET_ACCESS_KEY: root.secretAccessKey },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors = (errors + chunk).slice(-1000);
    });
    if (await becomesHealthy(child, endpoint)) return { endpoint, child };
    await stopChild(child);
    if (attempt === 3) throw new Error(`versitygw does not start: ${errors}`);
  }
}

async function becomesHealthy(child: ChildProcess, endpoint: string): Promise<boolean> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${endpoint}/health`).catch(() => null);
    if (answer?.ok && child.exitCode === null) return true;
    await sleep(20);
  }
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A server, and who administers it. `authorityFile`: that of its certificate, where it speaks TLS. */
type Administered = { program: string; endpoint: string; root: Credentials; authorityFile?: string };

/** Makes a user of a server who may do nothing yet. */
export async function createUser(server: Administered, name: string): Promise<Credentials> {
  const user = newCredentials(name);
  const words = ['--access', user.accessKeyId, '--secret', user.secretAccessKey, '--role', 'user'];
  await administer(server, ['create-user', ...words]);
  return user;
}

/** The key of that id opens nothing any more. */
export const deleteUser = (server: Administered, accessKeyId: string): Promise<void> =>
  administer(server, ['delete-user', '--access', accessKeyId]);

async function administer(
  { program, endpoint, root, authorityFile = '' }: Administered,
  words: readonly string[],
): Promise<void> {
  const child = spawn(program, ['admin', '--endpoint-url', endpoint, ...words], {
    env: {
      ADMIN_ACCESS_KEY_ID: root.accessKeyId,
      ADMIN_SECRET_ACCESS_KEY: root.secretAccessKey,
      SSL_CERT_FILE: authorityFile,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = text(child.stderr);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`versitygw admin ${words[0]}: ${await errors}`);
}
