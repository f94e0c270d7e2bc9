import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

/** What a server answers in place of a file. */
export type Answer = {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Sends a byte every `dripMs` milliseconds, without end. */
  dripMs?: number;
};

/** A web server of the files below a folder; `other` may answer before. It gives no lists. */
export async function serveFolder(
  folder: string,
  other: (path: string) => Answer | null = () => null,
): Promise<{ address: string; asked: string[]; close(): void }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    asked.push(path);
    const answer = other(path);
    const bytes = answer ? null : await readFile(join(folder, normalize(path))).catch(() => null);
    response.writeHead(answer?.status ?? (bytes ? 200 : 404), answer?.headers);
    if (answer?.dripMs !== undefined) {
      const drip = setInterval(() => response.write('x'), answer.dripMs);
      response.on('close', () => clearInterval(drip));
      return;
    }
    response.end(answer?.body ?? bytes ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
