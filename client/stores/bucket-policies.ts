import { WORKING_PREFIXES } from '../../contracts/names.ts';

/** Names of the buckets, by what Opaline keeps in them. There is a source bucket where a supplier delivers into it. */
export type Buckets = { source?: string | undefined; private: string; release: string; publication: string };

/**
 * Whom each policy names, as the server writes a principal: an ARN, or the access key of a user. The custodian reads
 * rows, the private and the release bucket, and tidies the private one. The supplier writes rows. `readers` read
 * publications: `*` is everybody; absent: nobody but the workers.
 */
export type BucketUsers = {
  private: string;
  public: string;
  client: string;
  custodian: string;
  supplier?: string | undefined;
  readers?: string | undefined;
};

type Statement = Readonly<Record<string, unknown>>;
export type BucketPolicy = { Version: '2012-10-17'; Statement: Statement[] };

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
 * The policy of each bucket, by its name: who reads, who writes, who may delete what. `conditional`: the server also
 * refuses a write that does not ask whether the object is there, at the keys that are written once; a server that does
 * not know the condition refuses such a policy.
 */
export function bucketPolicies(
  buckets: Buckets,
  users: BucketUsers,
  conditional: boolean,
): Record<string, BucketPolicy> {
  const { source, private: own, release, publication } = buckets;
  const policies: [string | undefined, Statement[]][] = [
    [
      source,
      [
        ...reads(source!, users.private, users.custodian),
        ...(users.supplier === undefined ? [] : writes(source!, users.supplier)),
      ],
    ],
    [
      own,
      [
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
        ...(conditional ? [once(own, WRITTEN_ONCE.private)] : []),
      ],
    ],
    [
      release,
      [
        ...reads(release, users.private, users.public, users.client, users.custodian),
        ...writes(release, users.private, users.public, users.client),
        denyDeletes([`${release}/*`]),
        ...(conditional ? [once(release, WRITTEN_ONCE.release)] : []),
      ],
    ],
    [
      publication,
      [
        ...reads(publication, users.public),
        ...writes(publication, users.public),
        ...(users.readers === undefined ? [] : [allow(users.readers, ['s3:GetObject'], [`${publication}/*`])]),
      ],
    ],
  ];
  return Object.fromEntries(
    policies
      .filter(([bucket]) => bucket !== undefined)
      .map(([bucket, Statement]) => [bucket, { Version: '2012-10-17', Statement }]),
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

const once = (bucket: string, prefixes: readonly string[]): Statement => ({
  ...statement('Deny', '*', ['s3:PutObject'], below(bucket, prefixes)),
  Condition: WITHOUT_CONDITION,
});
