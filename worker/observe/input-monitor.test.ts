import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepWarnings, listUnreported } from '../../custodian/preview/kept-warnings.ts';
import { MemoryStore } from '../../services/stores/memory-store.ts';
import { type Receiver, startReceiver } from '../../test/support/webhook-receiver.ts';
import { lookAtWarnings } from './input-monitor.ts';

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
  const look = lookAtWarnings(
    store,
    log,
    { url: receiver.url, secret: async () => 's' },
    (...sample) => void counted.push(sample),
  );
  await keepWarnings(store, RELEASE, { round: 0, found: 'ingest' }, []);
  await keepWarnings(store, RELEASE, { round: 0, found: 'bin' }, [WARNING]);
  // The first stands, whatever a second run finds.
  await keepWarnings(store, RELEASE, { round: 0, found: 'bin' }, []);

  receiver.status = 500;
  await expect(look()).rejects.toMatchObject({ code: 'NOTICE_FAILED' });
  expect(await listUnreported(store)).toEqual(['warnings/demo/2026-03-02/v1/0/bin.json']);
  receiver.status = 204;
  await look();
  await look();
  expect(await listUnreported(store)).toEqual([]);
  expect(receiver.got.map(({ body }) => JSON.parse(body))).toEqual(
    Array(2).fill({
      id: 'warnings/demo/2026-03-02/v1/0/bin.json',
      format: 'opaline-input-warnings/2',
      release: 'demo/2026-03-02/v1',
      round: 0,
      found: 'bin',
      warnings: [WARNING],
    }),
  );
  expect(lines).toEqual([
    expect.objectContaining({ release: 'demo/2026-03-02/v1', stage: 'bin', warnings: [WARNING.sentence] }),
  ]);
  expect(counted).toEqual([['opaline_input_warnings', 1, { series: 'demo', kind: 'no-rows' }]]);
});
