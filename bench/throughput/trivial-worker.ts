import { fileURLToPath } from 'node:url';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { TrivialActivities } from './trivial.workflow.ts';

/**
 * Process entry of one worker of the baseline: `node trivial-worker.ts ADDRESS workflows` or `ADDRESS activities
 * CONCURRENCY`. Two processes, as the workers of the stack are.
 */
const [address, kind, concurrency] = process.argv.slice(2);

const activities: TrivialActivities = {
  nothing: async ({ partition }) => ({ partition, digest: '0'.repeat(64) }),
};

Runtime.install({ telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } } });
const connection = await NativeConnection.connect({ address: address!, grpcCompression: { codec: 'none' } });
const worker = await Worker.create({
  connection,
  taskQueue: `trivial-${kind}`,
  ...(kind === 'workflows'
    ? { workflowsPath: fileURLToPath(new URL('./trivial.workflow.ts', import.meta.url)) }
    : { activities, maxConcurrentActivityTaskExecutions: Number(concurrency) }),
});
process.once('disconnect', () => worker.shutdown());
process.send?.('ready');
await worker.run();
await connection.close();
process.disconnect?.();
