import {
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  HeadBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { refuseUnsafeStore } from '../../services/stores/canary.ts';
import { openStore } from '../../services/stores/open-store.ts';
import { s3Client } from '../../services/stores/s3-client.ts';
import { httpStatus, s3Error } from '../../services/stores/s3-errors.ts';
import { succeeds } from '../succeeds.ts';
import { bucketPolicies, type StoreSetup } from './bucket-policies.ts';

/**
 * Makes the buckets of a deployment that are not there, gives each its settings and its policy, and lets writers race
 * for keys in those that hold draws, whatever was tested before. Safe to run twice. Policies are replaced; rules of a
 * life cycle that somebody has made stay. Gives what each bucket has; `false`: this server does not know such a setting.
 * Throws STORE_UNSAFE, STORE_UNAVAILABLE and CONFIGURATION_INVALID.
 */
export async function setUpStores({ server, buckets, users }: StoreSetup) {
  const client = s3Client(server);
  const plain = bucketPolicies(buckets, users, false);
  const strict = bucketPolicies(buckets, users, true);
  const settings = [];
  for (const Bucket of Object.keys(plain)) {
    const put = (policy: object) => new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify(policy) });
    try {
      const isNew = await makeBucket(client, Bucket, server.region);
      const hasState = Bucket === buckets.private || Bucket === buckets.release;
      const input = { Bucket, VersioningConfiguration: { Status: 'Enabled' } } as const;
      const versions = hasState && (await isKnown(client.send(new PutBucketVersioningCommand(input))));
      const tidiesUploads = await tidyUploads(client, Bucket);
      const writesOnce = hasState && (await isKnown(client.send(put(strict[Bucket]!))));
      if (!writesOnce) await client.send(put(plain[Bucket]!));
      settings.push({
        bucket: Bucket,
        isNew,
        /** Does it keep versions, so that what was written over or deleted can be put back? */
        versions,
        /** Are uploads in parts that nobody finished taken away after a day? */
        tidiesUploads,
        /** Does the server itself refuse to write over what is written once? */
        writesOnce,
      });
    } catch (error) {
      throw s3Error(error, `s3://${Bucket}`);
    }
  }
  client.destroy();
  for (const bucket of [buckets.private, buckets.release])
    await refuseUnsafeStore(openStore({ kind: 's3', bucket, ...server }), { again: true });
  return settings;
}

/** True when the bucket was not there. */
async function makeBucket(client: S3Client, Bucket: string, region = 'us-east-1'): Promise<boolean> {
  if (await succeeds(client.send(new HeadBucketCommand({ Bucket })), (error) => httpStatus(error) === 404))
    return false;
  // Amazon wants to be given every region except its first; other servers have one, which they are given too.
  const place = region === 'us-east-1' ? {} : { CreateBucketConfiguration: { LocationConstraint: region as never } };
  await client.send(new CreateBucketCommand({ Bucket, ...place }));
  return true;
}

async function tidyUploads(client: S3Client, Bucket: string): Promise<boolean> {
  const rules = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket })).catch((error: unknown) => {
    if (httpStatus(error) === 404) return null;
    if (httpStatus(error) === 403) throw error;
    return { Rules: [] };
  });
  if (rules) return (rules.Rules ?? []).some((rule) => rule.AbortIncompleteMultipartUpload !== undefined);
  const rule = {
    ID: 'unfinished-uploads',
    Status: 'Enabled',
    Filter: { Prefix: '' },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
  } as const;
  const LifecycleConfiguration = { Rules: [rule] };
  return isKnown(client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration })));
}

/** Did the server take a setting? False where it does not know it; a refused right, or no answer, is an error. */
const isKnown = (setting: Promise<unknown>): Promise<boolean> =>
  succeeds(setting, (error) => [400, 404, 405, 501].includes(httpStatus(error)!));
