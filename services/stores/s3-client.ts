import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { homedir } from 'node:os';
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { OpalineError } from '../../contracts/errors.ts';
import type { S3Server } from '../../contracts/store-configuration.ts';
import { readSecret } from '../secrets.ts';
import { httpStatus, isConflict, isTooSkewed } from './s3-errors.ts';

/** A server that sends no byte for so long has lost the request, unless the configuration says otherwise. */
const TIMEOUT_SECONDS = 60;

/** What speaks to a server, whichever bucket of it is meant. */
export function s3Client({ credentials, caFile, timeoutSeconds, ...server }: S3Server): S3Client {
  provideHome();
  const key = credentials && s3Key(credentials);
  const client = new S3Client({
    ...server,
    // Without an end the SDK would ask once; what ends at once is asked for before each request.
    ...(key && { credentials: async () => ({ ...(await key.current()), expiration: new Date() }) }),
    // Checksums that S3 does not demand are sent as trailers, which other servers do not all understand.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The SDK's warnings hold what its errors hold.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    // A silent server must not hold an activity for ever: ms to connect, ms without a byte.
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: (timeoutSeconds ?? TIMEOUT_SECONDS) * 1000,
      ...(caFile === undefined ? {} : { httpsAgent: new Agent({ ca: authorities(caFile), ...CONNECTIONS }) }),
    },
  });
  client.middlewareStack.addRelativeTo(followClock, {
    name: 'followServerClock',
    relation: 'before',
    toMiddleware: 'httpSigningMiddleware',
  });
  client.middlewareStack.add(retryConflict, { step: 'finalizeRequest', priority: 'low', name: 'retryConflict' });
  if (key) client.middlewareStack.add(followKey(key), { step: 'initialize', name: 'followKey' });
  return client;
}

/** The SDK does not repeat what met another call and was answered 409; whoever set a condition decides that alone. */
const retryConflict =
  <Request extends { request: unknown }, Answer>(ask: (call: Request) => Promise<Answer>) =>
  (call: Request): Promise<Answer> =>
    ask(call).catch((error: unknown) => {
      const { headers } = call.request as { headers: Record<string, string> };
      if (isConflict(error) && !('if-none-match' in headers || 'if-match' in headers))
        throw Object.assign(error as Error, { $retryable: {} });
      throw error;
    });

/** The SDK looks for files of its own in the home folder, and fails without one: a container may run a mere number. */
function provideHome(): void {
  try {
    homedir();
  } catch {
    process.env.HOME = '/';
  }
}

/** As the SDK's own agent has them. */
const CONNECTIONS = { keepAlive: true, maxSockets: 50 };

function authorities(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new OpalineError(
      'CONFIGURATION_INVALID',
      `The file of authorities of a store, ${path} (caFile), cannot be read.`,
    );
  }
}

/** Milliseconds after which a key is read again: without that, reading it is a tenth of the work of small requests. */
const READ_AGAIN_MS = 1_000;

type S3Key = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

/** The key of a store as it was less than a second ago; `isOther`: is it another one now than the one that was given? */
function s3Key(parts: NonNullable<S3Server['credentials']>) {
  let cache: { key: S3Key; until: number } | null = null;
  const readNow = async (): Promise<S3Key> => {
    const key: Partial<S3Key> = {};
    for (const field of ['accessKeyId', 'secretAccessKey', 'sessionToken'] as const) {
      const part = parts[field];
      if (part) key[field] = typeof part === 'string' ? part : await readSecret(part, `credentials.${field}`);
    }
    cache = { key: key as S3Key, until: Date.now() + READ_AGAIN_MS };
    return cache.key;
  };
  return {
    current: async (): Promise<S3Key> => (cache && Date.now() < cache.until ? cache.key : readNow()),
    isOther: async (key: S3Key): Promise<boolean> => JSON.stringify(key) !== JSON.stringify(await readNow()),
  };
}

/** A key may be over as soon as another is in its place: what the server refuses is asked again with that one. */
const followKey =
  ({ current, isOther }: ReturnType<typeof s3Key>) =>
  <Request, Answer>(ask: (request: Request) => Promise<Answer>) =>
  async (request: Request): Promise<Answer> => {
    const key = await current();
    try {
      return await ask(request);
    } catch (error) {
      if (httpStatus(error) !== 403 || !(await isOther(key))) throw error;
      return ask(request);
    }
  };

/** So often in a row only a clock that never rests has a request refused, or a server that does not say its time. */
const ATTEMPTS = 5;

/**
 * Mends what the SDK (3.1169) does when the clock of this machine is not the server's. It takes the server's time from
 * every answer and signs with it. But it
 *
 * - repeats what was refused for its time only while the clock is wrong, so a clock that is set right fails a request.
 *   Here such a request, which had no effect, is signed and sent again at once;
 * - takes every error for one of the clock while that is wrong: it repeats requests that find no object or lose their
 *   condition, until it has no attempts left for real faults. Here it learns otherwise.
 */
const followClock =
  <Request, Answer>(signAndSend: (request: Request) => Promise<Answer>) =>
  async (request: Request): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await signAndSend(request);
      } catch (error) {
        if (isTooSkewed(error) && attempt < ATTEMPTS) continue;
        if (error instanceof S3ServiceException && httpStatus(error) !== 403) {
          Reflect.deleteProperty(error.$metadata, 'clockSkewCorrected');
        }
        throw error;
      }
    }
  };
