import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A receiver of webhooks that keeps what it got, and answers with a status that a test can change. */
export type Receiver = {
  url: string;
  status: number;
  got: { path: string; headers: IncomingHttpHeaders; body: string }[];
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    receiver.got.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    const location = receiver.status === 302 ? { location: '/elsewhere' } : {};
    response.writeHead(receiver.status, location).end('SAYS THE RECEIVER');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    status: 200,
    got: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
