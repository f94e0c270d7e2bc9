import { afterEach, expect, test, vi } from 'vitest';
import { S3Store } from './s3-store.ts';

afterEach(() => vi.unstubAllEnvs());

test('a store whose region nobody says is no server that is down', async () => {
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_CONFIG_FILE', '/dev/null');
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const store = new S3Store({ kind: 's3', bucket: 'b', endpoint: 'http://127.0.0.1:9', credentials });
  await expect(store.head('a')).rejects.toMatchObject({
    code: 'CONFIGURATION_INVALID',
    message: expect.stringContaining('set AWS_REGION'),
  });
});

test('a server that does not answer may be asked for at the wrong address', async () => {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const place = { bucket: 'b', endpoint: 'http://127.0.0.1:9', region: 'r', forcePathStyle: true, credentials };
  await expect(new S3Store({ kind: 's3', ...place }).head('a')).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('check that it is up, and its endpoint (AWS_ENDPOINT_URL).'),
  });
});
