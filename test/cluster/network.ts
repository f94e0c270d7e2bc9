import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';

export const HOSTS = ['a', 'b'] as const;
export type HostName = (typeof HOSTS)[number];

/** Where the two hosts of a cluster are, and what they share. */
export type Network = {
  /** Third number of the addresses of a cluster with networks of its own; null: everything is on loopback. */
  number: number | null;
  /** Address of everything that both hosts use. */
  address: string;
  addressOf(host: HostName): string;
  /** The words that start a program on a host. */
  on(host: HostName, words: readonly string[]): string[];
  /** Takes the cable out of a host, or puts it in again. */
  cable(host: HostName, state: 'down' | 'up'): Promise<void>;
  remove(): Promise<void>;
};

const LOOPBACK: Network = {
  number: null,
  address: '127.0.0.1',
  addressOf: () => '127.0.0.1',
  on: (_, words) => [...words],
  cable: async () => {
    throw new Error('hosts on loopback have no cables');
  },
  remove: async () => {},
};

const run = promisify(execFile);
const ip = (...words: string[]) => run('ip', words);

/**
 * Two network namespaces, each with a cable to an address of this machine, where this machine allows it: Linux, and the
 * rights of root. Otherwise both hosts are on loopback. Nothing leaves the machine either way.
 */
export async function layNetwork(): Promise<Network> {
  const network = namespacesOf(freeNumber());
  try {
    await ip('address', 'add', `${network.address}/32`, 'dev', 'lo');
    for (const host of HOSTS) await layCable(network, host);
    return network;
  } catch {
    await network.remove();
    return LOOPBACK;
  }
}

/** The network of a number: what `layNetwork` made, or made in part. */
export function networkOf(number: number | null): Network {
  return number === null ? LOOPBACK : namespacesOf(number);
}

const namespaceOf = (number: number, host: HostName): string => `opaline-${number}-${host}`;
const cableOf = (number: number, host: HostName): string => `opal-${number}-${host}`;

/** Both ends of a cable: four addresses per host, of which the first belongs to no end. */
const endsOf = (number: number, host: HostName) => {
  const first = 4 + 4 * HOSTS.indexOf(host);
  return { near: `10.231.${number}.${first + 1}`, far: `10.231.${number}.${first + 2}` };
};

function namespacesOf(number: number): Network & { number: number } {
  return {
    number,
    address: `10.231.${number}.1`,
    addressOf: (host) => endsOf(number, host).far,
    on: (host, words) => ['ip', 'netns', 'exec', namespaceOf(number, host), ...words],
    cable: async (host, state) => void (await ip('link', 'set', cableOf(number, host), state)),
    async remove() {
      for (const host of HOSTS) await ip('netns', 'delete', namespaceOf(number, host)).catch(() => {});
      await ip('address', 'delete', `10.231.${number}.1/32`, 'dev', 'lo').catch(() => {});
    },
  };
}

async function layCable({ number, address }: Network & { number: number }, host: HostName): Promise<void> {
  const [namespace, cable] = [namespaceOf(number, host), cableOf(number, host)];
  const { near, far } = endsOf(number, host);
  const inside = (...words: string[]) => ip('-n', namespace, ...words);
  await ip('netns', 'add', namespace);
  await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  await ip('address', 'add', `${near}/30`, 'dev', cable);
  await ip('link', 'set', cable, 'up');
  await inside('address', 'add', `${far}/30`, 'dev', 'eth0');
  await inside('link', 'set', 'lo', 'up');
  await inside('link', 'set', 'eth0', 'up');
  await inside('route', 'add', `${address}/32`, 'via', near);
}

/** A number that no other cluster on this machine has. */
function freeNumber(): number {
  const taken = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  for (;;) {
    const number = 1 + Math.floor(Math.random() * 250);
    if (!taken.some((address) => address.startsWith(`10.231.${number}.`))) return number;
  }
}

/** Below those that the system gives away, and below 32,768: Temporal's tables keep the port of a service in 16 bits. */
const PORTS = { first: 20_000, count: 12_000 };

/** Ports that are free at an address now; what is started next takes them. */
export async function freePorts(address: string, count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    const probe = createServer().listen(port, address);
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) await once(probe.close(), 'close');
    if (isFree) ports.add(port);
  }
  return [...ports];
}
