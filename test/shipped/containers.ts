import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Service, startingOrder } from './compose-file.ts';

/** What an image brings that this machine's /usr does not: files by their place in the container. */
export type Image = {
  files: Record<string, string>;
  environment?: Record<string, string>;
  entrypoint?: string[];
  healthcheck?: string[];
};

export type Setup = {
  folder: string;
  /** The folder of the compose file. */
  project: string;
  services: Readonly<Record<string, Service>>;
  /** By the name before the colon; a service whose image is not here is left out. */
  images: Readonly<Record<string, Image>>;
};

const READY_MS = 120_000;

/**
 * Runs the services of a compose file without a container engine: each command in a file system of its own, made of this
 * machine's /usr, of what its image brings and of its volumes, under the user of the service, without any rights, and
 * with nothing that can be written but what the file says. All of them share one network of their own, in which each
 * name is this computer. It needs the rights of root.
 */
export class Containers {
  readonly #setup: Setup;
  #network: ChildProcess | null = null;
  readonly #running = new Map<string, ChildProcess>();

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  volume(name: string): string {
    return join(this.#setup.folder, 'volumes', name);
  }

  log = (name: string): Promise<string> => readFile(join(this.#setup.folder, `${name}.log`), 'utf8');

  /** Starts every service in the order of what it waits for, and waits as the file says. */
  async up(): Promise<void> {
    const { services, images } = this.#setup;
    if (this.#network === null) {
      this.#network = spawn('unshare', ['--net', 'sh', '-c', 'ip link set lo up && echo up && exec sleep infinity']);
      await once(this.#network.stdout!, 'data');
    }
    const waitedFor = (name: string): string[] =>
      Object.values(services).flatMap(({ depends_on }) => depends_on?.[name]?.condition ?? []);
    for (const name of startingOrder(services)) {
      if (!images[imageOf(services[name]!)]) continue;
      const child = await this.#start(name);
      const isJob = waitedFor(name).includes('service_completed_successfully');
      if (isJob) await this.#ended(name, child);
      else await this.#healthy(name, child);
    }
  }

  /** Runs a service to its end with other words, as `docker compose run`; what it printed. */
  async run(name: string, words: readonly string[]): Promise<string> {
    const as = `${name}-${words.join('-').replaceAll(/[^a-z0-9-]/gi, '')}`.slice(0, 60);
    const child = await this.#start(name, { words, as });
    await this.#ended(as, child);
    return this.log(as);
  }

  async #ended(name: string, child: ChildProcess): Promise<void> {
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
    if (![0, 3].includes(code)) throw new Error(`${name} ended with ${code}:\n${await this.log(name)}`);
  }

  /** Asks as the file says, in the container's own file system. */
  async #healthy(name: string, child: ChildProcess): Promise<void> {
    const service = this.#setup.services[name]!;
    const test = service.healthcheck?.test ?? this.#setup.images[imageOf(service)]!.healthcheck;
    const givenUpAt = Date.now() + READY_MS;
    while (test) {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${await this.log(name)}`);
      const asked = await this.#start(name, { words: test.slice(1), as: `${name}-health`, isWhole: true });
      const [code] = await once(asked, 'exit');
      if (code === 0) return;
      if (Date.now() > givenUpAt) throw new Error(`${name} is not healthy:\n${await this.log(name)}`);
      await delay(500);
    }
  }

  async #start(
    name: string,
    { words, as = name, isWhole = false }: { words?: readonly string[]; as?: string; isWhole?: boolean } = {},
  ): Promise<ChildProcess> {
    const { folder, project, services } = this.#setup;
    const service = services[name]!;
    const image = this.#setup.images[imageOf(service)]!;
    const entrypoint = service.entrypoint ?? image.entrypoint ?? [];
    const command = isWhole ? words! : [...entrypoint, ...(words ?? service.command ?? [])];
    const root = join(folder, 'roots', as);
    await mkdir(root, { recursive: true });
    const binds = Object.entries(image.files).map(([place, from]) => mountLine(root, from, place, 'ro'));
    for (const volume of service.volumes ?? []) {
      const [from, place, mode = 'rw'] = volume.split(':') as [string, string, string?];
      const path = from.startsWith('.') ? join(project, from) : this.volume(from);
      if (!from.startsWith('.')) await mkdir(path, { recursive: true });
      binds.push(mountLine(root, path, place, mode));
    }
    const scratch = (service.tmpfs ?? []).map((one) => {
      const [place, options] = one.split(':') as [string, string?];
      return `mkdir -p ${root}${place}; mount -t tmpfs -o ${options ?? 'mode=1777'} tmpfs ${root}${place}`;
    });
    const names = ['localhost', ...Object.keys(services)].map((one) => `127.0.0.1 ${one}`).join('\n');
    const [uid, gid] = (service.user ?? '0:0').split(':');
    await writeFile(join(folder, 'hosts'), `${names}\n`);
    const script = [
      'set -e',
      `mount -t tmpfs -o mode=0755 tmpfs ${root}`,
      `cd ${root}; mkdir -p usr proc dev etc opt; for one in bin lib lib64 sbin; do ln -s usr/$one $one; done`,
      `mount --bind /usr usr; mount -o remount,bind,ro usr; mount -t tmpfs -o mode=0755 tmpfs usr/local; mkdir usr/local/bin`,
      `mount -t proc proc proc; mount --rbind /dev dev; cp ${folder}/hosts etc/hosts`,
      // Debian and Alpine have no name for users from 10000 on; nobody has HOME.
      `echo 'root:x:0:0::/:/bin/sh' > etc/passwd; [ ${uid} -ge 10000 ] || echo 'user:x:${uid}:${gid}::/tmp:/bin/sh' >> etc/passwd`,
      ...binds,
      ...scratch,
      `mount -o remount,ro ${root}`,
      `exec /usr/sbin/chroot ${root} /usr/bin/setpriv --reuid=${uid} --regid=${gid} --clear-groups --no-new-privs --inh-caps=-all ${capabilities(service)} "$@"`,
    ].join('\n');
    const environment = { PATH: '/opt/opaline/bin:/usr/local/bin:/usr/bin:/bin', ...image.environment };
    const log = openSync(join(folder, `${as}.log`), 'w');
    const child = spawn(
      'nsenter',
      [
        ...[
          `--net=/proc/${this.#network!.pid}/ns/net`,
          'unshare',
          '--mount',
          '--ipc',
          '--pid',
          '--fork',
          '--kill-child',
        ],
        ...['sh', '-c', script, 'container', ...command],
      ],
      { env: { ...environment, ...service.environment }, cwd: '/', stdio: ['ignore', log, log] },
    );
    if (as === name) this.#running.set(name, child);
    return child;
  }

  /** User and rights of what runs for long, by service: of the first process of each container. */
  async processes(): Promise<Record<string, { uid: number; rights: bigint }>> {
    const found: Record<string, { uid: number; rights: bigint }> = {};
    for (const [name, { pid, exitCode }] of this.#running) {
      if (exitCode !== null) continue;
      const first = await firstInside(pid!);
      const status = await readFile(`/proc/${first}/status`, 'utf8');
      const field = (of: string): string => new RegExp(`^${of}:\\s*(\\w+)`, 'm').exec(status)![1]!;
      const rights = ['CapEff', 'CapPrm', 'CapInh', 'CapBnd', 'CapAmb'].reduce(
        (all, one) => all | BigInt(`0x${field(one)}`),
        0n,
      );
      found[name] = { uid: Number(field('Uid')), rights };
    }
    return found;
  }

  async #end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // --kill-child is forgotten by the kernel when a process takes another user.
    const inside = await firstInside(child.pid!);
    if (inside) process.kill(Number(inside), 'SIGKILL');
    child.kill('SIGKILL');
    await ended;
  }

  async down(): Promise<void> {
    for (const child of [...this.#running.values()].reverse()) await this.#end(child);
    this.#running.clear();
    if (this.#network) await this.#end(this.#network);
    this.#network = null;
  }
}

/** The first process of a container, which has an own space of processes. */
const firstInside = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();

const imageOf = ({ image }: Service): string => image.split(':')[0]!;

const mountLine = (root: string, from: string, place: string, mode: string): string =>
  [
    `if [ -d ${from} ]; then mkdir -p ${root}${place}; else mkdir -p $(dirname ${root}${place}); touch ${root}${place}; fi`,
    `mount --rbind ${from} ${root}${place}`,
    mode === 'ro' ? `mount -o remount,bind,ro ${root}${place}` : ':',
  ].join('; ');

/** What is left of the rights of root, where the service asks for some. */
const capabilities = ({ cap_add }: Service & { cap_add?: string[] }): string =>
  `--bounding-set=-all${(cap_add ?? []).map((one) => `,+${one.toLowerCase()}`).join('')}`;
