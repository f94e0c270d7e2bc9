import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { z } from 'zod';
import { OpalineError } from '../contracts/errors.ts';
import { jsonOrNull } from '../services/stores/json-objects.ts';
import type { TemporalServer } from './temporal-server.ts';

const lockSchema = z.object({
  pid: z.number(),
  server: z.object({ pid: z.number(), address: z.string() }).optional(),
});

/**
 * Takes the folder for this process. Throws SETUP_FAILED while another one has it; clears up after one that was
 * killed, whose server may still hold the database.
 */
export async function takeLock(path: string): Promise<void> {
  const earlier = await readLock(path);
  if (earlier && isAlive(earlier.pid))
    throw new OpalineError('SETUP_FAILED', `A stack is running here already (process ${earlier.pid}); stop it first.`);
  if (earlier?.server) await stopOrphan(earlier.server);
  await writeFile(path, JSON.stringify({ pid: process.pid }));
}

export async function recordServer(path: string, server: TemporalServer): Promise<void> {
  await writeFile(
    path,
    JSON.stringify({ pid: process.pid, server: { pid: server.process.pid, address: server.address } }),
  );
}

export const freeLock = (path: string): Promise<void> => rm(path, { force: true });

/** Null: there is no lock, or one that was being written when its owner died. */
async function readLock(path: string): Promise<z.infer<typeof lockSchema> | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return lockSchema.safeParse(jsonOrNull(text)).data ?? null;
}

/** Stops the server of a stack that was killed; only if Temporal answers there: the id may belong to another now. */
async function stopOrphan(server: { pid: number; address: string }): Promise<void> {
  if (!isAlive(server.pid) || !(await answers(server.address))) return;
  process.kill(server.pid, 'SIGTERM');
  while (isAlive(server.pid)) await delay(100);
}

async function answers(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 1000 });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The process that has a folder now; null: none. */
export async function runningStack(path: string): Promise<number | null> {
  const held = await readLock(path);
  return held && isAlive(held.pid) ? held.pid : null;
}
