import { readFile } from 'node:fs/promises';
import {
  type CORSRule,
  type ObjectLockConfiguration,
  PutBucketCorsCommand,
  PutBucketPolicyCommand,
  PutObjectLockConfigurationCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { S3Store } from '../../services/stores/s3-store.ts';
import type { Credentials, Gateway } from '../support/versitygw.ts';

const hosting = (name: string) => readFile(new URL(`../../infra/hosting/${name}`, import.meta.url), 'utf8');

/** A client of the server with these rights. */
export const clientOf = ({ endpoint }: Gateway, credentials: Credentials): S3Client =>
  new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });

/**
 * Gives a bucket the policy and the CORS rules of infra/hosting, for one public series and one publisher; the bucket as
 * the publisher opens it, and the publisher.
 */
export async function hostBucket(
  gateway: Gateway,
  bucket: string,
  series: string,
): Promise<{ store: S3Store; publisher: Credentials }> {
  const publisher = await gateway.createUser('publisher');
  const root = clientOf(gateway, gateway.root);
  const policy = (await hosting('bucket-policy.json'))
    .replaceAll('BUCKET', bucket)
    .replaceAll('SERIES', series)
    .replaceAll('PUBLISHER', publisher.accessKeyId);
  await root.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: policy }));
  const { CORSRules } = JSON.parse(await hosting('cors.json')) as { CORSRules: CORSRule[] };
  await root.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules } }));
  root.destroy();
  return { store: new S3Store(gateway.configuration(bucket, publisher)), publisher };
}

/** Has the bucket lock what it gets, as infra/hosting says. */
export async function lockBucket(client: S3Client, bucket: string): Promise<void> {
  const lock = JSON.parse(await hosting('object-lock.json')) as ObjectLockConfiguration;
  await client.send(new PutObjectLockConfigurationCommand({ Bucket: bucket, ObjectLockConfiguration: lock }));
}
