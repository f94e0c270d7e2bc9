import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type Sample = { name: string; labels: Record<string, string>; value: number };

/** Reads what a metrics endpoint says, in Prometheus' text format. */
export async function scrape(address: string): Promise<Sample[]> {
  return parseSamples(await (await fetch(`http://${address}/metrics`)).text());
}

export function parseSamples(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const match = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
      if (!match) throw new Error(`no sample: ${line}`);
      const labels = [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key, value]);
      return { name: match[1]!, labels: Object.fromEntries(labels), value: Number(match[3]) };
    });
}

/** Value of the sample with the name and at least the labels; undefined when there is none. */
export const sampleOf = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.find((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    ?.value;

/** Polls until the answer is wanted, and gives it; the last answer when the time is over. */
export async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean, seconds = 120): Promise<T> {
  for (let waited = 0; ; waited++) {
    const answer = await ask();
    if (wanted(answer) || waited >= seconds * 4) return answer;
    await delay(250);
  }
}

/** Addresses on loopback with ports that are free now. */
export async function freeAddresses(count: number): Promise<string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const addresses = await Promise.all(
    servers.map(
      (server) =>
        new Promise<string>((resolve) =>
          server.once('listening', () => {
            const address = server.address();
            resolve(typeof address === 'object' && address ? `127.0.0.1:${address.port}` : '');
          }),
        ),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return addresses;
}
