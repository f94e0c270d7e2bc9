import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { S3StoreConfiguration } from '../../contracts/store-configuration.ts';

/** What the server does wrong. Without a fault it is correct, for one client at a time. */
export type Faults = {
  ignoreIfNoneMatch?: boolean;
  ignoreIfMatch?: boolean;
  /** Ignores If-None-Match when an upload in parts is completed, and only there. */
  ignoreOnComplete?: boolean;
  /** What it calls itself; may be changed on the way, as by an upgrade. */
  name?: string;
  /** Refuses a write of bytes without their MD5, as S3 does for a bucket with a default retention. */
  demandsMd5?: boolean;
  /** Carries out this many writes, and closes the connection instead of answering them. */
  lostAnswers?: number;
  /** Answers this many writes with 409 and does nothing. */
  conflicts?: number;
  /** Answers this many reads with 409. */
  readConflicts?: number;
  /** Answers everything with this status and a text that repeats the request's headers. */
  refuseWith?: number;
  /** Refuses this many requests for their time, as a server does whose clock is different; may be changed on the way. */
  tooSkewed?: number;
  /** Sends half of an object and closes the connection, this many times. */
  cutReads?: number;
};

/** Runs the work with a server that has faults, and stops the server whatever happens. */
export async function withFaultyServer(
  faults: Faults,
  work: (server: Awaited<ReturnType<typeof startFaultyServer>>) => Promise<void>,
): Promise<void> {
  const server = await startFaultyServer(faults);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

/** The few calls of S3 that S3Store makes, in memory, with faults that a real server cannot be asked for. For tests. */
export async function startFaultyServer(faults: Faults) {
  const objects = new Map<string, Buffer>();
  /** What has arrived of the uploads in parts; the parts come in order. */
  const parts = new Map<string, Buffer>();
  let { lostAnswers = 0, conflicts = 0, readConflicts = 0, cutReads = 0 } = faults;
  let requests = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests++;
    const { pathname: key, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
    const body = await buffer(request);
    if (faults.name !== undefined) response.setHeader('server', faults.name);
    if (faults.refuseWith !== undefined) {
      fail(response, faults.refuseWith, 'Refused', JSON.stringify(request.headers));
    } else if (faults.tooSkewed !== undefined && faults.tooSkewed > 0) {
      faults.tooSkewed--;
      fail(response, 403, 'RequestTimeTooSkewed', JSON.stringify(request.headers));
    } else if (request.method === 'POST' || request.method === 'DELETE') {
      uploadInParts(key, query, request, response);
    } else if (query.has('partNumber')) {
      parts.set(`${query.get('uploadId')}`, Buffer.concat([parts.get(`${query.get('uploadId')}`) ?? none, body]));
      response.writeHead(200, { etag: etagOf(body) }).end();
    } else if (request.method === 'PUT') {
      put(key, body, request, response);
    } else {
      read(objects.get(key), request, response);
    }
  }

  function read(object: Buffer | undefined, request: IncomingMessage, response: ServerResponse): void {
    if (readConflicts-- > 0) fail(response, 409, 'OperationAborted');
    else if (object === undefined) fail(response, 404, 'NoSuchKey');
    else send(object, request, response);
  }

  function send(object: Buffer, request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { etag: etagOf(object), 'content-length': object.length });
    if (request.method === 'HEAD') response.end();
    else if (cutReads-- > 0) response.write(object.subarray(0, object.length / 2), () => response.destroy());
    else response.end(object);
  }

  function uploadInParts(
    key: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const upload = query.get('uploadId');
    if (request.method === 'DELETE') response.writeHead(204).end();
    else if (upload !== null) put(key, parts.get(upload) ?? none, request, response);
    else
      answerWith(
        response,
        200,
        `<InitiateMultipartUploadResult><UploadId>${requests}</UploadId></InitiateMultipartUploadResult>`,
      );
  }

  function put(key: string, body: Buffer, request: IncomingMessage, response: ServerResponse): void {
    if (conflicts > 0) {
      conflicts--;
      fail(response, 409, 'ConditionalRequestConflict');
    } else if (faults.demandsMd5 && request.method === 'PUT' && request.headers['content-md5'] !== md5Of(body)) {
      fail(response, 400, 'InvalidRequest');
    } else if (!conditionHolds(objects.get(key), request)) {
      fail(response, 412, 'PreconditionFailed');
    } else {
      objects.set(key, body);
      if (lostAnswers-- > 0) response.destroy();
      else answerWith(response, 200, '<Result/>', etagOf(body));
    }
  }

  function conditionHolds(object: Buffer | undefined, request: IncomingMessage): boolean {
    const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch } = request.headers;
    const isIgnored = request.method === 'POST' ? faults.ignoreOnComplete : faults.ignoreIfNoneMatch;
    if (ifNoneMatch === '*' && !isIgnored) return object === undefined;
    if (ifMatch !== undefined && !faults.ignoreIfMatch) return object !== undefined && etagOf(object) === ifMatch;
    return true;
  }

  const server = createServer((request, response) => {
    // A client that goes away in the middle of a request is no concern of this server.
    answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  const configuration: S3StoreConfiguration = {
    kind: 's3',
    bucket: 'bucket',
    endpoint: `http://127.0.0.1:${address.port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'THE-ACCESS-KEY', secretAccessKey: 'the-secret' },
  };
  return {
    configuration,
    requests: () => requests,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const none = Buffer.alloc(0);

const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('base64');

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

function fail(response: ServerResponse, status: number, code: string, message = code): void {
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  answerWith(response, status, `<Error><Code>${code}</Code><Message>${text}</Message></Error>`);
}

function answerWith(response: ServerResponse, status: number, xml: string, etag = ''): void {
  response.writeHead(status, { 'content-type': 'application/xml', etag }).end(`<?xml version="1.0"?>${xml}`);
}
