import type { StoreConfiguration } from './store-configuration.ts';

/**
 * The store that a person names in one word: `s3://BUCKET` or `s3://BUCKET/PREFIX`, or else a folder. Where the server is
 * and who asks is found as every program of Amazon finds it (AWS_ENDPOINT_URL_S3, AWS_ACCESS_KEY_ID, …).
 */
export function storeAt(address: string): StoreConfiguration {
  const s3 = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(address);
  if (!s3) return { kind: 'folder', path: address };
  const [, bucket, prefix] = s3;
  return { kind: 's3', bucket: bucket!, ...(prefix && { prefix }) };
}
