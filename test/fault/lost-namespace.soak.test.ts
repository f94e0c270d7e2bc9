import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpTemporal } from '../../client/set-up-temporal.ts';
import { ChildProcess } from '../../stack/child-process.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

/**
 * Polls notice after about two minutes that their namespace is gone. The SDK then calls its worker failed and waits for
 * ever: the process has to end by itself, so that whoever keeps it starts it again.
 */
let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack?.end());

test.each(['private', 'public'] as const)(
  'a %s worker whose namespace is gone ends',
  async (side) => {
    const namespace = `gone-${side}`;
    const connection = await Connection.connect({ address: stack.address });
    const file = JSON.parse(await readFile(stack.files.deployment(side), 'utf8'));
    const temporal = { ...file.temporal, namespace };
    await setUpTemporal(temporal, { checkOnly: false });
    const elsewhere = `${stack.files.deployment(side)}.${namespace}.json`;
    await writeFile(elsewhere, JSON.stringify({ ...file, temporal }), { mode: 0o600 });
    const worker = await ChildProcess.start(
      process.execPath,
      [`worker/${side}.ts`, elsewhere],
      stack.files.log(namespace),
    );
    try {
      expect(await worker.ready()).toBe(true);
      await connection.operatorService.deleteNamespace({ namespace });
      await Promise.race([worker.whenEnded, delay(240_000)]);
      expect(worker.ended).toBe(true);
    } finally {
      await worker.stop();
      await connection.close();
    }
  },
  400_000,
);
