import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../cli/process.fixture.ts';
import type { PrivateDeployment } from '../../contracts/deployment.ts';
import { EXIT } from '../../contracts/errors.ts';
import { ask, person, Visitor } from '../../test/support/console-bench.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { ada, TEST_CHAIN, trustFile } from '../../test/support/trust-files.ts';
import type { Console } from '../listening.ts';
import { type CustodianConsoleOptions, startCustodianConsole } from './custodian-server.ts';

let options: CustodianConsoleOptions;
let served: Console;
let ahead = 0;
const reported: (string | null)[] = [];
const CUSTODIAN = person('custodian@example.org');

beforeAll(async () => {
  const file = join(newFolder(), 'trust.json');
  await writeFile(file, trustFile(...TEST_CHAIN.map(({ envelope }) => envelope)));
  options = {
    deployment: { trust: { file } } as PrivateDeployment,
    // Whoever comes as far as here has been let in.
    context: async () => Promise.reject(new Error('let in')),
    files: new Map(),
    subject: CUSTODIAN.subject,
    now: () => Date.now() + ahead,
    report: (id) => reported.push(id),
  };
  served = await startCustodianConsole(options);
});
afterAll(() => served?.close());

const enter = async (who: string): Promise<number> => {
  const visitor = await Visitor.of(served, person(who));
  return (await visitor.get('/policy')).status;
};

describe('who opens the console of a custodian', () => {
  test('C16: no approver of the trust file starts it, in any spelling, and none comes in by a link', async () => {
    const spellings = [ada.subject, ada.subject.toUpperCase()];
    for (const subject of spellings) {
      await expect(startCustodianConsole({ ...options, subject })).rejects.toThrow('a custodian never is an approver');
      expect(await enter(subject)).toBe(403);
    }
    expect(await enter(CUSTODIAN.subject)).toBe(500);
    // A store that takes nothing ends no console, and the text of the error goes nowhere.
    await expect.poll(() => reported).toEqual([null]);
  });

  test('without a session nobody sees anything; a link opens one session, once, under a name of its own', async () => {
    const { pathname } = new URL(served.link(CUSTODIAN));
    expect((await ask(served.origin, '/policy')).status).toBe(401);
    const first = await ask(served.origin, pathname);
    expect([first.status, first.headers['set-cookie']]).toEqual([
      303,
      [expect.stringMatching(/^__Host-opaline-custodian=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/)],
    ]);
    expect((await ask(served.origin, pathname)).status).toBe(403);
  });

  test('a session ends after half an hour without a request', async () => {
    const idle = await Visitor.of(served, CUSTODIAN);
    ahead += 31 * 60_000;
    expect((await idle.get('/policy')).status).toBe(401);
  });

  test('this computer reaches it by one address, and no other', async () => {
    const port = Number(new URL(served.origin).port);
    const answers = (host: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect({ host, port }, () => {
          socket.destroy();
          resolve(true);
        });
        socket.once('error', () => resolve(false));
      });
    expect(await Promise.all(['127.0.0.1', '127.0.0.2', '::1'].map(answers))).toEqual([true, false, false]);
  });
});

test('opaline console --private takes no deployment file of the other console and no role, and needs a private one', async () => {
  for (const words of [
    ['--private', 'x.json'],
    ['--private', '--as', 'viewer'],
    ['--series', 'series.yaml'],
  ])
    expect((await run(['console', ...words])).code).toBe(EXIT.badInput);
  const nowhere = await run(['console', '--private'], { cwd: newFolder() });
  expect(nowhere.stderr).toContain('CONFIGURATION_INVALID');
});
