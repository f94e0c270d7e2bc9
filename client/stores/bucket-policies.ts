import { z } from 'zod';
import { WORKING_PREFIXES } from '../../contracts/names.ts';
import { s3ServerSchema } from '../../contracts/store-configuration.ts';

const name = z.string().min(1);

/** What an administrator of an S3 server says once: where it is, what the buckets are called, and who the users are. */
export const storeSetupSchema = z.strictObject({
  /** With the rights of an administrator. */
  server: s3ServerSchema,
  /** `source`: where a supplier delivers into a bucket of this server. */
  buckets: z.strictObject({ source: name.optional(), private: name, release: name, publication: name }),
  /** As the server writes a principal: an ARN, or an access key. `readers` of publications: `*` is everybody. */
  users: z.strictObject({
    private: name,
    public: name,
    client: name,
    custodian: name,
    supplier: name.optional(),
    readers: name.optional(),
  }),
});

export type StoreSetup = z.output<typeof storeSetupSchema>;

type Statement = Readonly<Record<string, unknown>>;

/** Prefixes of what nobody may write over (C11, C12): draws, what they were charged, looks at raw data, decisions. */
export const WRITTEN_ONCE = {
  private: ['ledger', 'draws', 'privatized', 'previews', 'clearances', 'policies'],
  release: ['ledger', 'privatized', 'decisions', 'orders', 'receipts'],
};

/** An upload in parts has its condition on the last call alone, so that the others are left out. */
const WITHOUT_CONDITION = {
  Null: { 's3:if-none-match': 'true' },
  Bool: { 's3:ObjectCreationOperation': 'true' },
};

/**
 * The policy of each bucket, by its name: who reads, who writes, who may delete what. The custodian reads rows, the
 * private and the release bucket, and tidies the private one; the supplier writes rows. `conditional`: the server also
 * refuses a write that does not ask whether the object is there, at the keys that are written once; a server that does
 * not know the condition refuses such a policy.
 */
export function bucketPolicies(
  { source, private: own, release, publication }: StoreSetup['buckets'],
  users: StoreSetup['users'],
  conditional: boolean,
) {
  const once = (bucket: string, prefixes: readonly string[]): Statement[] =>
    conditional ? [denyUnconditional(bucket, prefixes)] : [];
  const statements: Record<string, Statement[]> = {
    ...(source !== undefined && {
      [source]: [
        ...reads(source, users.private, users.custodian),
        ...(users.supplier === undefined ? [] : writes(source, users.supplier)),
      ],
    }),
    [own]: [
      ...reads(own, users.private, users.custodian),
      ...writes(own, users.private),
      allow(users.custodian, ['s3:ListBucketVersions'], [own]),
      allow(users.custodian, ['s3:DeleteObject', 's3:DeleteObjectVersion'], below(own, WORKING_PREFIXES)),
      // A record of a draw may go when its release has ended.
      denyDeletes(
        below(
          own,
          WRITTEN_ONCE.private.filter((one) => !WORKING_PREFIXES.includes(one)),
        ),
      ),
      ...once(own, WRITTEN_ONCE.private),
    ],
    [release]: [
      ...reads(release, users.private, users.public, users.client, users.custodian),
      ...writes(release, users.private, users.public, users.client),
      denyDeletes([`${release}/*`]),
      ...once(release, WRITTEN_ONCE.release),
    ],
    [publication]: [
      ...reads(publication, users.public),
      ...writes(publication, users.public),
      ...(users.readers === undefined ? [] : [allow(users.readers, ['s3:GetObject'], [`${publication}/*`])]),
    ],
  };
  return Object.fromEntries(
    Object.entries(statements).map(([bucket, Statement]) => [bucket, { Version: '2012-10-17', Statement }]),
  );
}

const below = (bucket: string, prefixes: readonly string[]): string[] =>
  prefixes.map((prefix) => `${bucket}/${prefix}/*`);

const statement = (effect: string, users: string | string[], actions: string[], resources: string[]): Statement => ({
  Effect: effect,
  Principal: users === '*' ? '*' : { AWS: users },
  Action: actions,
  Resource: resources.map((resource) => `arn:aws:s3:::${resource}`),
});

const allow = (users: string | string[], actions: string[], resources: string[]): Statement =>
  statement('Allow', users, actions, resources);

/** Without the right to list, S3 answers 403 where an object is absent, and nothing works. */
const reads = (bucket: string, ...users: string[]): Statement[] => [
  allow(users, ['s3:GetObject'], [`${bucket}/*`]),
  allow(users, ['s3:ListBucket'], [bucket]),
];

const writes = (bucket: string, ...users: string[]): Statement[] => [
  allow(users, ['s3:PutObject', 's3:AbortMultipartUpload'], [`${bucket}/*`]),
];

const denyDeletes = (resources: string[]): Statement =>
  statement('Deny', '*', ['s3:DeleteObject', 's3:DeleteObjectVersion'], resources);

const denyUnconditional = (bucket: string, prefixes: readonly string[]): Statement => ({
  ...statement('Deny', '*', ['s3:PutObject'], below(bucket, prefixes)),
  Condition: WITHOUT_CONDITION,
});
