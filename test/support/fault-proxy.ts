import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { sha256 } from '../../services/stores/json-objects.ts';
import { seededSource } from './seeded-source.ts';

/** What an S3 server, or the way to it, can do wrong. */
export const STORE_FAULTS = [
  'no answer',
  '500',
  '503',
  '409',
  'truncated answer',
  'slow answer',
  'answer that stops',
  'answer lost',
  'write after its time-out',
] as const;
export type StoreFault = (typeof STORE_FAULTS)[number];

/** Which fault meets a request, if any. The operation is the method, and for uploads in parts the step. */
export type FaultPlan = (operation: string, target: string, headers?: IncomingHttpHeaders) => StoreFault | null;

/** A proxy on the loopback interface. Signatures stay valid: the headers go on as they came, `Host` included. */
export type FaultProxy = {
  endpoint: string;
  /** From now on requests meet these faults; null ends them. Counting starts again with every plan. */
  arm(plan: FaultPlan | null): void;
  /** Faults of the newest plan, as `fault: operation`, with how often each happened. */
  injected(): Map<string, number>;
  /** Waits until nothing is under way, late writes included. */
  idle(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * A plan that hits a share of all targets of every operation, each of them once: a single request, or four in a row,
 * which outlast the three attempts of the SDK. The seed and the request decide, and not the order of requests, except
 * for the first request of each operation, which is always hit, so that those that are rare are hit at all.
 */
export function seededFaults(seed: number, faults: readonly StoreFault[], share: number): FaultPlan {
  const left = new Map<string, { fault: StoreFault; times: number }>();
  const seen = new Set<string>();
  const lotOf = (operation: string, target: string) => {
    const random = seededSource(Number.parseInt(sha256(`${seed} ${operation} ${target}`).slice(0, 8), 16));
    const hit = random.uint32() < share * 2 ** 32;
    const times = random.uint32() % 4 === 0 ? 4 : 1;
    const isFirst = !seen.has(operation);
    seen.add(operation);
    return { fault: faults[random.uint32() % faults.length]!, times: hit ? times : isFirst ? 1 : 0 };
  };
  return (operation, target) => {
    const name = `${operation} ${target}`;
    const lot = left.get(name) ?? lotOf(operation, target);
    left.set(name, lot);
    if (lot.times === 0) return null;
    lot.times -= 1;
    return lot.fault;
  };
}

export async function startFaultProxy(endpoint: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(endpoint);
  const agent = new Agent({ keepAlive: true });
  const injected = new Map<string, number>();
  let plan: FaultPlan | null = null;
  let underWay = 0;

  /** Sends the request on as it came, and gives the whole answer. */
  async function forwarded(incoming: IncomingMessage, body: Buffer): Promise<Answer> {
    const { method, url, rawHeaders } = incoming;
    const outgoing = request({ hostname, port, method, path: url, headers: rawHeaders, agent });
    outgoing.end(body);
    const [answer]: IncomingMessage[] = await once(outgoing, 'response');
    if (!answer) throw new Error('no answer');
    const { statusCode = 500, rawHeaders: headers } = answer;
    return { status: statusCode, headers, body: await buffer(answer) };
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const { operation, target } = nameOf(incoming);
    const fault = plan?.(operation, target, incoming.headers) ?? null;
    if (fault === null) return send(response, await forwarded(incoming, body));
    const name = `${fault}: ${operation}`;
    injected.set(name, (injected.get(name) ?? 0) + 1);
    await carryOut(fault, response, () => forwarded(incoming, body));
  }

  const server = createServer((incoming, response) => {
    underWay += 1;
    serve(incoming, response)
      .catch(() => response.destroy())
      .finally(() => {
        underWay -= 1;
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    arm(next) {
      plan = next;
      if (next) injected.clear();
    },
    injected: () => new Map(injected),
    async idle() {
      while (underWay > 0) await delay(20);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      agent.destroy();
    },
  };
}

type Answer = { status: number; headers: string[]; body: Buffer };

/** PUT /bucket/key?partNumber=1 → operation `PUT part`, target `/bucket/key`; a list is identified by its prefix. */
function nameOf({ method, url = '/' }: IncomingMessage): { operation: string; target: string } {
  const { pathname, searchParams: query } = new URL(url, 'http://localhost');
  const step = query.has('list-type')
    ? ' list'
    : query.has('partNumber')
      ? ' part'
      : query.has('uploadId')
        ? ' upload'
        : '';
  return {
    operation: `${method}${step}`,
    target: `${pathname} ${query.get('prefix') ?? query.get('partNumber') ?? ''}`,
  };
}

async function carryOut(fault: StoreFault, response: ServerResponse, forward: () => Promise<Answer>): Promise<void> {
  // Whoever asked may have gone before we come to wait for it.
  const givenUp = async () => (response.closed ? undefined : once(response, 'close'));
  switch (fault) {
    case 'no answer':
      await givenUp();
      return;
    case '500':
      return refuse(response, 500, 'InternalError');
    case '503':
      return refuse(response, 503, 'SlowDown');
    case '409':
      return refuse(response, 409, 'ConditionalRequestConflict');
    case 'write after its time-out':
      await givenUp();
      await forward();
      return;
    case 'answer lost':
      await forward();
      response.destroy();
      return;
    case 'truncated answer':
    case 'answer that stops': {
      const answer = await forward();
      head(response, answer);
      response.write(answer.body.subarray(0, answer.body.length / 2));
      // An answer without a body has arrived: nobody waits for more of it, or gives it up.
      if (fault === 'answer that stops' && answer.body.length > 0) await givenUp();
      // Time for what was written to leave; a body that is empty loses its end, or nothing.
      else await delay(20);
      response.destroy();
      return;
    }
    case 'slow answer': {
      const answer = await forward();
      const { body } = answer;
      head(response, answer);
      const length = Math.max(1, Math.ceil(body.length / 10));
      for (let sent = 0; sent < body.length; sent += length) {
        await delay(50);
        response.write(body.subarray(sent, sent + length));
      }
      response.end();
    }
  }
}

function send(response: ServerResponse, answer: Answer): void {
  head(response, answer);
  response.end(answer.body);
}

const head = (response: ServerResponse, { status, headers }: Answer): void => {
  response.writeHead(status, headers).flushHeaders();
};

function refuse(response: ServerResponse, status: number, code: string): void {
  const xml = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': xml.length }).end(xml);
}
