import { existsSync } from 'node:fs';
import { NativeConnection, Worker } from '@temporalio/worker';
import { privateDeploymentSchema } from '../../contracts/deployment.ts';
import { DRAW_RECEIPT_FORMAT } from '../../contracts/formats/draw-receipt.ts';
import { QUEUES, RELEASE_KEYS, releasePath, WORKER_DEPLOYMENTS } from '../../contracts/names.ts';
import type { PrivateActivities } from '../../contracts/stages.ts';
import { PRIVATIZED_TABLE_FORMAT } from '../../counts/tables/columns.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { openStore } from '../../services/stores/open-store.ts';
import { becomeCurrent } from '../../services/temporal/current-version.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import type { TableRows } from '../support/table-of-rows.ts';
import { tableOfRows } from '../support/table-of-rows.ts';

/**
 * A program that runs instead of the private worker: an ordinary worker with the credentials of the namespace and of
 * the release store, and with nothing else. It answers every stage with what it has made up, and puts tables and
 * receipts of its own where the public side looks for them.
 */
const deploymentFile = process.argv[2]!;
const { temporal, releaseStore } = await readDeployment(deploymentFile, privateDeploymentSchema);
const store = openStore(releaseStore);
const { privateKey } = generateSigningKey();
const charge = '00000000-0000-4000-8000-000000000001';

const activities: PrivateActivities = {
  missingObjects: async () => ({ names: [], total: 0 }),
  changedObjects: async () => ({ names: [], total: 0 }) as never,
  ingest: async () => ({ faults: [] }),
  reingest: async () => ({ faults: [] }),
  reserve: async () => ({ charge }),
  bin: async () => ({ faults: [] }),
  privatize: async ({ partitions: [asked], ...run }) => {
    const { part, day } = asked!;
    const partition = { part, day };
    const empty = { hours: null, margins: null, remainder: null };
    const cells: TableRows['cells'] = [['on', '07:15', '2000', 4242]];
    const table = jsonBytes(tableOfRows({ format: PRIVATIZED_TABLE_FORMAT, ...partition, cells, ...empty }));
    const digest = sha256(table);
    const { seriesDigest } = run;
    const about = { release: releasePath(run), ...partition, charge, sequence: 2, correction: null, seriesDigest };
    const signed = { format: DRAW_RECEIPT_FORMAT, ...about, table: digest, build: 'ab'.repeat(32) };
    const receipt = jsonBytes(signDocument(signed, privateKey));
    await store.putIfAbsent(RELEASE_KEYS.privatized(run, partition), table);
    await store.putIfAbsent(RELEASE_KEYS.receipt(run, partition), receipt);
    return [{ partition, digest }];
  },
  abandon: async () => [],
  shadow: async () => {},
  commit: async () => undefined,
  withhold: async () => {
    throw new Error('not now');
  },
};

/** When this file is beside the deployment, the attacker has gone, and the real worker starts in its place. */
const isGone = existsSync(`${deploymentFile}.attacker-gone`);

if (isGone) await import('../../worker/private.ts');
else {
  const connection = await NativeConnection.connect({ address: temporal.address });
  const { namespace } = temporal;
  const version = { deploymentName: WORKER_DEPLOYMENTS.private, buildId: 'impostor' };
  const workers = Object.values(QUEUES)
    .flatMap(Object.values)
    .map(({ private: taskQueue }) =>
      Worker.create({
        connection,
        namespace,
        taskQueue,
        workerDeploymentOptions: { useWorkerVersioning: true, version, defaultVersioningBehavior: 'AUTO_UPGRADE' },
        activities,
      }),
    );
  const running = Promise.all((await Promise.all(workers)).map((worker) => worker.run()));
  const side = 'private';
  await becomeCurrent(connection.workflowService, store, { namespace, side, buildId: 'impostor', when: 'always' });
  process.send?.('ready');
  await running;
}
