import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { OpalineError } from '../contracts/errors.ts';
import { jsonOrNull } from '../services/stores/json-objects.ts';
import { answers, type TemporalServer } from './temporal-server.ts';

const lockSchema = z.object({
  pid: z.number(),
  server: z.object({ pid: z.number(), address: z.string() }).optional(),
});

/**
 * Takes the folder for this process. Throws SETUP_FAILED while another one has it; clears up after one that was
 * killed, whose server may still hold the database: it is stopped, but only if Temporal answers there, as the id may
 * belong to another process now.
 */
export async function takeLock(path: string): Promise<void> {
  const earlier = await readLock(path);
  if (earlier && isAlive(earlier.pid))
    throw new OpalineError('SETUP_FAILED', `A stack is running here already (process ${earlier.pid}); stop it first.`);
  const server = earlier?.server;
  if (server && isAlive(server.pid) && (await answers(server.address))) {
    process.kill(server.pid, 'SIGTERM');
    while (isAlive(server.pid)) await delay(100);
  }
  await writeFile(path, JSON.stringify({ pid: process.pid }));
}

export const recordServer = (path: string, { address, process: { pid } }: TemporalServer): Promise<void> =>
  writeFile(path, JSON.stringify({ pid: process.pid, server: { pid, address } }));

/** Null: there is no lock, or one that was being written when its owner died. */
async function readLock(path: string): Promise<z.infer<typeof lockSchema> | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return lockSchema.safeParse(jsonOrNull(text)).data ?? null;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The process that has a folder now; null: none. */
export async function findStack(path: string): Promise<number | null> {
  const lock = await readLock(path);
  return lock && isAlive(lock.pid) ? lock.pid : null;
}
