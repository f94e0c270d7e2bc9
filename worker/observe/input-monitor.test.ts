import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepWarnings, untoldWarnings } from '../../custodian/preview/kept-warnings.ts';
import { MemoryStore } from '../../services/stores/memory-store.ts';
import { type Receiver, startReceiver } from '../../test/support/webhook-receiver.ts';
import { InputMonitor } from './input-monitor.ts';

const RELEASE = { series: 'demo', window: '2026-03-02', version: 1 };
const WARNING = { kind: 'no-rows', sentence: 'a.csv holds no row.' } as const;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver?.close());

test('C5: warnings go to the log, the metric and the webhook, each once; what the webhook does not take, again', async () => {
  const store = new MemoryStore();
  const lines: { release?: string; warnings?: string[] }[] = [];
  const counted: unknown[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const counter = { add: (value: number, tags: object) => void counted.push([value, tags]) };
  const monitor = new InputMonitor(store, log, { url: receiver.url, secret: 's' }, counter);
  await keepWarnings(store, RELEASE, { round: 0, found: 'ingest' }, []);
  await keepWarnings(store, RELEASE, { round: 0, found: 'bin' }, [WARNING]);
  // The first stands, whatever a second run finds.
  await keepWarnings(store, RELEASE, { round: 0, found: 'bin' }, []);

  receiver.status = 500;
  await expect(monitor.pass()).rejects.toMatchObject({ code: 'NOTICE_FAILED' });
  expect(await untoldWarnings(store)).toEqual(['warnings/demo/2026-03-02/v1/0/bin.json']);
  receiver.status = 204;
  await monitor.pass();
  await monitor.pass();
  expect(await untoldWarnings(store)).toEqual([]);
  expect(receiver.got.map(({ body }) => JSON.parse(body))).toEqual(
    Array(2).fill({
      id: 'warnings/demo/2026-03-02/v1/0/bin.json',
      format: 'opaline-input-warnings/1',
      ...{ release: 'demo/2026-03-02/v1', round: 0, found: 'bin', warnings: [WARNING] },
    }),
  );
  expect(lines).toEqual([
    expect.objectContaining({ release: 'demo/2026-03-02/v1', stage: 'bin', warnings: [WARNING.sentence] }),
  ]);
  expect(counted).toEqual([[1, { series: 'demo', kind: 'no-rows' }]]);
});
