import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../support/test-stack.ts';
import { deploymentIn, startTreeWorker } from '../upgrade/other-build.fixture.ts';

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
    const elsewhere = await deploymentIn(stack, side, namespace);
    const worker = await startTreeWorker('.', elsewhere, stack.files.log(namespace), side);
    try {
      expect(worker.ended).toBe(false);
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
