import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a process that took over a dead one's lock waits before it looks whether another did so after it. */
const SETTLING = 300;

/**
 * Runs `action` while nobody else on this machine does so under the same lock file. The file holds the process id of
 * its owner, so that the lock of a process that died is taken over. `onWait` is called once when it has to wait.
 */
export async function withLock(path, onWait, action) {
  await mkdir(dirname(path), { recursive: true });
  const content = `${process.pid} ${randomUUID()}`;
  const own = `${path}.${content.replace(' ', '-')}`;
  await writeFile(own, content);
  try {
    for (let waits = 0; !(await isTaken(path, own, content)); waits++) {
      if (waits === 0) onWait();
      await sleep(SETTLING);
    }
    try {
      return await action();
    } finally {
      await rm(path, { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** Takes the lock where it is free, or where its owner is dead. */
async function isTaken(path, own, content) {
  try {
    // link, unlike rename, fails when the lock exists: the file appears with its content or not at all.
    await link(own, path);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const owner = await contentOf(path);
  if (owner === null || isAlive(Number.parseInt(owner, 10))) return false;
  // Several may find the same dead owner. The last rename stays, and only who made it reads his own words back.
  const claim = `${own}.claim`;
  await writeFile(claim, content);
  await rename(claim, path);
  await sleep(SETTLING);
  return (await contentOf(path)) === content;
}

const contentOf = (path) =>
  readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

function isAlive(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
