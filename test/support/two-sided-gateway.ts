import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { S3StoreConfiguration } from '../../contracts/store-configuration.ts';
import { openStore } from '../../services/stores/open-store.ts';
import { type Deployments, folderDeployments, locateFiles } from '../../stack/embedded-files.ts';
import { type Credentials, type Gateway, startVersitygw } from './versitygw.ts';

const BUCKETS = ['source', 'private', 'release', 'publication'] as const;
export type Bucket = (typeof BUCKETS)[number];
export type User = 'private' | 'public' | 'client';

/** Who may read and write which bucket; what is not named is refused by the server. */
const ACCESS: Record<User, { read: readonly Bucket[]; write: readonly Bucket[] }> = {
  private: { read: ['source', 'private', 'release'], write: ['private', 'release'] },
  public: { read: ['release', 'publication'], write: ['release', 'publication'] },
  client: { read: ['release'], write: ['release'] },
};

/** How both workers reach the server when it is not directly, and how long they wait for it. */
export type Detour = { endpoint: string; timeoutSeconds: number };

/** One real S3 server with the buckets of a deployment, and a user of its own for each kind of process. */
export type TwoSidedGateway = {
  /** A bucket, or the part of it below a prefix, as a user sees it; as the administrator when none is named. */
  store(bucket: Bucket, user?: User, prefix?: string): ObjectStore;
  endpoint: string;
  /** How a user speaks S3; the administrator when none is named. */
  credentials(user?: User): Pick<S3StoreConfiguration, 'endpoint' | 'region'> & { credentials: Credentials };
  /** Another key for a user, which opens the same. */
  anotherKey(user: User): Promise<Credentials>;
  /** A key of that id opens nothing any more. */
  removeKey(key: Credentials): Promise<void>;
  /** Deployments, with keys in files (`keyFile`), whose source stores are the prefixes of these names in `source`. */
  deployments(root: string, sources: readonly string[], detour?: Detour): Deployments;
  /** Keys of uploads in parts that were neither completed nor aborted. */
  unfinishedUploads(): Promise<string[]>;
  stop(): Promise<void>;
};

/** Throws SetupError when there is no versitygw to be had. */
export async function startTwoSidedGateway(): Promise<TwoSidedGateway> {
  const gateway = await startVersitygw();
  try {
    for (const bucket of BUCKETS) await gateway.createBucket(bucket);
    const users = {
      private: await userOf(gateway, 'private'),
      public: await userOf(gateway, 'public'),
      client: await userOf(gateway, 'client'),
    };
    const configuration = (bucket: Bucket, user?: User, prefix?: string) => ({
      ...gateway.configuration(bucket, user && users[user]),
      ...(prefix !== undefined && { prefix }),
    });
    return {
      store: (...place) => openStore(configuration(...place)),
      endpoint: gateway.endpoint,
      credentials: (user) => ({ ...configuration('release'), credentials: user ? users[user] : gateway.root }),
      anotherKey: (user) => userOf(gateway, user, `${user}-2`),
      removeKey: (key) => gateway.removeUser(key),
      deployments(root, sources, detour) {
        const through = (bucket: Bucket, user: User, prefix?: string) => {
          const file = keyFile(root, user);
          writeKey(file, users[user]);
          const credentials = { accessKeyId: { file: `${file}.id` }, secretAccessKey: { file: `${file}.secret` } };
          return { ...configuration(bucket, user, prefix), ...detour, credentials };
        };
        const usual = folderDeployments(locateFiles(root), {});
        const { publications: _, ...client } = usual.client;
        return {
          private: {
            ...usual.private,
            becomeCurrent: 'when-none',
            sources: Object.fromEntries(sources.map((name) => [name, through('source', 'private', name)])),
            privateStore: through('private', 'private'),
            releaseStore: through('release', 'private'),
          },
          public: {
            ...usual.public,
            becomeCurrent: 'when-none',
            releaseStore: through('release', 'public'),
            publicationStore: through('publication', 'public'),
          },
          client: { ...client, releaseStore: configuration('release', 'client') },
        };
      },
      unfinishedUploads: async () => (await Promise.all(BUCKETS.map(gateway.unfinishedUploads))).flat(),
      stop: () => gateway.stop(),
    };
  } catch (error) {
    await gateway.stop();
    throw error;
  }
}

/** Where the deployments below a root have the key of a user: the name of two files, without their endings. */
export const keyFile = (root: string, user: User): string => join(root, `s3-${user}`);

/** Puts a key where a process reads it, each half whole. */
export function writeKey(file: string, { accessKeyId, secretAccessKey }: Credentials): void {
  for (const [ending, text] of Object.entries({ id: accessKeyId, secret: secretAccessKey })) {
    writeFileSync(`${file}.part`, `${text}\n`, { mode: 0o600 });
    renameSync(`${file}.part`, `${file}.${ending}`);
  }
}

async function userOf(gateway: Gateway, name: User, id: string = name): Promise<Credentials> {
  const user = await gateway.createUser(id);
  for (const access of ['read', 'write'] as const)
    for (const bucket of ACCESS[name][access]) await gateway.grant(bucket, user, access);
  return user;
}
