import { createServer, type Server } from 'node:http';
import { OpalineError } from '../../contracts/errors.ts';
import type { ReadinessCheck } from './readiness.ts';

/**
 * Serves `/healthz` (the process lives and its event loop turns, or there would be no answer) and `/readyz` (200 when
 * the worker can work, 503 with the causes when not). Throws CONFIGURATION_INVALID when it cannot listen there.
 */
export async function startHealthServer(address: string, readiness: ReadinessCheck): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request.url ?? '', readiness);
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(`${JSON.stringify(body)}\n`);
  });
  const { hostname, port } = new URL(`http://${address}`);
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(
        new OpalineError(
          'CONFIGURATION_INVALID',
          `The worker cannot listen on ${address} (observe.health); another process may have the port: take another.`,
        ),
      ),
    );
    server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''), resolve);
  });
  server.unref(); // it must not keep alive a worker that has stopped
  return server;
}

async function answer(path: string, readiness: ReadinessCheck): Promise<{ status: number; body: object }> {
  if (path === '/healthz') return { status: 200, body: { status: 'live' } };
  if (path !== '/readyz') return { status: 404, body: { status: 'unknown path' } };
  const { causes } = await readiness.now();
  return causes.length === 0
    ? { status: 200, body: { status: 'ready' } }
    : { status: 503, body: { status: 'not ready', causes } };
}
