import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { provideTool } from '../../infra/provision/tools.mjs';
import { Part } from './part.ts';

const run = promisify(execFile);

/** The user and group of nobody, on every Linux. */
const NOBODY = 65_534;

/** A real PostgreSQL server, with the one user of Temporal's services. */
export type Postgres = {
  part: Part;
  host: string;
  port: number;
  user: string;
  password: string;
  version: string;
  /** Runs an SQL statement in a database; its answer as text. */
  ask(database: string, statement: string): Promise<string>;
  /** Writes a database into a file, and puts it back as it was then: whoever is connected loses it. */
  dump(database: string, file: string): Promise<void>;
  restore(database: string, file: string): Promise<void>;
  drop(database: string): Promise<void>;
};

/** What has been confirmed has to survive a killed process, and not a machine without power: that halves the waiting. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'unix_socket_directories='];

/**
 * Starts a server below a folder. PostgreSQL refuses root: root starts it as nobody, who may read what root may, as
 * programs and folders may be root's alone.
 */
export async function startPostgres(folder: string, host: string, port: number): Promise<Postgres> {
  const programs = await provideTool('postgres');
  const data = join(folder, 'postgres');
  const passwordFile = join(folder, 'postgres-password');
  const [user, password] = ['temporal', randomBytes(16).toString('hex')];
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(data, NOBODY, NOBODY);
  const capability = '+dac_override';
  const asNobody = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', `--inh-caps=${capability}`];
  const prefix = isRoot ? ['setpriv', ...asNobody, `--ambient-caps=${capability}`] : [];
  const initdb = [...prefix, programs.initdb, '-D', data, '-U', user, `--pwfile=${passwordFile}`];
  await run(initdb[0]!, [...initdb.slice(1), '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync']);
  await writeFile(join(data, 'pg_hba.conf'), `host all all ${host}/32 scram-sha-256\n`);
  const settings = [...SETTINGS, `listen_addresses=${host}`].flatMap((setting) => ['-c', setting]);
  const part = new Part(folder, {
    name: 'postgres',
    words: [...prefix, programs.postgres, '-D', data, '-p', String(port), ...settings],
    // Ends at once, and takes its shared memory with it.
    stopSignal: 'SIGQUIT',
    ready: () => takesConnections(host, port),
  });
  await part.start();
  const environment = { ...process.env, PGPASSWORD: password };
  const place = ['-h', host, '-p', String(port), '-U', user];
  const ask = async (database: string, statement: string) => {
    const words = [...place, '-d', database, '-v', 'ON_ERROR_STOP=1', '-Atc', statement];
    return (await run(programs.psql, words, { env: environment, maxBuffer: 2 ** 26 })).stdout.trim();
  };
  await untilAnswered(() => ask('postgres', 'SELECT 1'));
  const drop = async (database: string) => void (await ask('postgres', `DROP DATABASE ${database} WITH (FORCE)`));
  return {
    part,
    host,
    port,
    user,
    password,
    ask,
    drop,
    version: await ask('postgres', 'SHOW server_version'),
    async dump(database, file) {
      await run(programs.pg_dump, [...place, '-d', database, '-f', file], { env: environment });
    },
    async restore(database, file) {
      await drop(database);
      await ask('postgres', `CREATE DATABASE ${database}`);
      const words = [...place, '-d', database, '-v', 'ON_ERROR_STOP=1', '-qf', file];
      await run(programs.psql, words, { env: environment, maxBuffer: 2 ** 26 });
    },
  };
}

/** Resolves when something listens there. */
export async function takesConnections(host: string, port: number): Promise<void> {
  await untilAnswered(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(port, host, () => resolve(void socket.destroy()));
        socket.once('error', reject);
      }),
  );
}

/** Asks until there is an answer, and gives it; throws the last error after a minute. */
export async function untilAnswered<T>(ask: () => Promise<T>, seconds = 60): Promise<T> {
  const givenUpAt = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > givenUpAt) throw error;
      await delay(50);
    }
  }
}
