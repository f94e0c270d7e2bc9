import { readdir, readFile, readlink } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provideTool } from '../infra/provision/tools.mjs';
import { newFolder } from '../test/support/new-folder.ts';
import { startTemporalServer, type TemporalServer } from './temporal-server.ts';

let server: TemporalServer;

beforeAll(async () => {
  const root = newFolder();
  const files = { database: join(root, 'temporal.db'), logFile: join(root, 'temporal.log') };
  server = await startTemporalServer({ cli: await provideTool('temporal-cli'), ui: false, ...files });
}, 240_000);
afterAll(() => server?.process.stop());

/** The loopback ports that a process listens on, as Linux reports them. */
async function portsOf(pid: number): Promise<number[]> {
  const open = (await readdir(`/proc/${pid}/fd`)).map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''));
  const inodes = new Set((await Promise.all(open)).map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1]));
  const rows = (await readFile(`/proc/${pid}/net/tcp`, 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  const LISTENING = '0A';
  return rows
    .filter((row) => row[3] === LISTENING && inodes.has(row[9]))
    .map((row) => Number.parseInt(row[1]!.split(':')[1]!, 16));
}

/** A POST as a page of another site sends it without asking the server first; null where no HTTP is spoken. */
function simplePost(port: number, path: string, host: string): Promise<number | null> {
  const headers = { host, origin: 'https://evil.example', 'content-type': 'text/plain' };
  return new Promise((resolve) => {
    const posting = request({ host: '127.0.0.1', port, path, method: 'POST', headers, timeout: 5000 }, (answer) => {
      answer.resume();
      answer.once('close', () => resolve(answer.statusCode ?? null));
    });
    posting.once('timeout', () => posting.destroy());
    posting.once('error', () => resolve(null));
    posting.end('{"workflowType":{"name":"backfillWorkflow"},"taskQueue":{"name":"opaline-public"}}');
  });
}

test('a web page starts no workflow, by no port and under no name', async ({ skip }) => {
  skip(process.platform !== 'linux', 'the ports of a process are read from /proc');
  const answers: (number | null)[] = [];
  for (const port of await portsOf(server.process.pid!))
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'evil.example', 'opaline.invalid'])
      for (const path of ['/namespaces/default/workflows/planted', '/api/v1/namespaces/default/workflows/planted'])
        answers.push(await simplePost(port, path, host));
  expect(answers).toContain(403);
  expect(answers.filter((status) => status !== null && status < 400)).toEqual([]);
  const connection = await Connection.connect({ address: server.address });
  const started: string[] = [];
  for await (const { workflowId } of new Client({ connection }).workflow.list()) started.push(workflowId);
  await connection.close();
  expect(started).toEqual([]);
});
