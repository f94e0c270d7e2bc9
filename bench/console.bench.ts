import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { commit } from '../activities/private/commit.ts';
import { reserve } from '../activities/private/reserve.ts';
import { contextOf } from '../cli/private-deployment.ts';
import { start, untilUp } from '../cli/process.fixture.ts';
import { ROOT, run } from '../cli/write-compiled.ts';
import { planRun, startRelease } from '../client/release/plan-run.ts';
import { loadSeriesFile } from '../client/series/series-file.ts';
import { envelopeSchema } from '../contracts/decision.ts';
import { privateDeploymentSchema } from '../contracts/deployment.ts';
import { RELEASE_KEYS, releasePath } from '../contracts/names.ts';
import type { Run } from '../contracts/stages.ts';
import { addDays } from '../core/calendar/civil-day.ts';
import { reserveOfCharge } from '../services/draws/require-receipts.ts';
import { readLedger } from '../services/ledger/ledger.ts';
import { signDocument } from '../services/signing/signed-document.ts';
import { FolderStore } from '../services/stores/folder-store.ts';
import { jsonBytes, readJson } from '../services/stores/json-objects.ts';
import { newestVersion, pinOf } from '../services/trust/trust-chain.ts';
import { Visitor } from '../test/support/console-bench.ts';
import { putPublication } from '../test/support/signed-publication.ts';
import { reaches, startTestStack, type TestStack } from '../test/support/test-stack.ts';
import { readDeployment } from '../worker/deployment-file.ts';
import { writeMeasured } from './measured-parts.ts';
import { markdownTable, measure, medianOf, numberGiven } from './measuring.ts';
import { LONG_SERIES, partitionsOf, writeLongSeries, writeLongTrips } from './throughput/long-series.ts';
import { processUse } from './throughput/process-use.ts';

/**
 * Pages of the console of a deployment with 500 releases of 56 partitions: one at its gate, and the others public. Those
 * were charged, and their charges ended, by the activities of the private worker; their publications have the signed
 * files alone, and no data. The console is that of the package. Each page is compared with one of as many bytes from a
 * bare Node server, asked in turn.
 * `node bench/console.bench.ts` writes its part of docs/console.md; a number makes it shorter: of releases.
 */
const WHOLE = 500;
const ASKED = 40;
const count = numberGiven(0, WHOLE);
/** The newest of them is over. */
const windows = Array.from({ length: count }, (_, place) => addDays('2026-10-26', 14 * (place + 1 - count)));
const last = { series: LONG_SERIES, window: windows.at(-1)!, version: 1 };
const PAGES: Readonly<Record<string, string>> = {
  Now: '/',
  Releases: '/releases',
  'a release': `/releases/${releasePath(last)}`,
  'its review': `/releases/${releasePath(last)}/review`,
  Series: '/series',
  'a series': `/series/${LONG_SERIES}`,
  Budget: '/ledger',
  Log: '/log',
};

/** Charges all windows but the last one, and publishes them. */
async function publishAll(stack: TestStack, seriesDigest: string, population: string): Promise<void> {
  const deployment = await readDeployment(stack.files.deployment('private'), privateDeploymentSchema);
  const context = await contextOf(deployment);
  const publications = new FolderStore(stack.files.publication);
  const key = { privateKey: await readFile(stack.files.key('publisher'), 'utf8') };
  const trust = pinOf(newestVersion(await stack.client.trust()));
  for (const window of windows.slice(0, -1)) {
    const run: Run = { series: LONG_SERIES, window, version: 1, seriesDigest };
    const { charge } = await reserve(context, { ...run, partitions: partitionsOf(window), correction: null });
    const { sequence } = reserveOfCharge(await readLedger(context.privateStore, population), charge)!;
    const copy = await readJson(context.releaseStore, RELEASE_KEYS.ledgerEntry(population, sequence), envelopeSchema);
    const ledger = { sequence, digest: 'cd'.repeat(32) };
    const under = { population, charge, reserve: copy, trust, ledger };
    const { statement } = await putPublication(publications, run, new Map(), key, under);
    await context.releaseStore.putIfAbsent(RELEASE_KEYS.execution(run, 1), jsonBytes({ execution: charge }));
    await commit(context, { ...run, statement: signDocument(statement, key.privateKey) });
  }
}

const msOf = async (ask: () => Promise<unknown>): Promise<number> => 1000 * (await measure(ask))[0].seconds;
const inShort = (ms: number): string => ms.toFixed(ms < 10 ? 1 : 0);

/** The row of a page of the console, beside one of as many bytes of a bare server, asked for in turn. */
async function measurePage(visitor: Visitor, page: string, path: string): Promise<string[]> {
  const first = await msOf(() => visitor.get(path));
  const { status, body } = await visitor.get(path);
  if (status !== 200) throw new Error(`${path} answers ${status}`);
  const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bare = new Visitor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [own, others]: number[][] = [[], []];
  for (let n = 0; n < ASKED; n += 1) {
    own!.push(await msOf(() => visitor.get(path)));
    others!.push(await msOf(() => bare.get('/')));
  }
  server.close();
  const [median, usual] = [medianOf(own!), medianOf(others!)];
  const times = [first, median, Math.max(...own!), usual].map(inShort);
  return [page, (Buffer.byteLength(body) / 1000).toFixed(0), ...times, `${(median / usual).toFixed(0)} ×`];
}

run(process.execPath, [`${ROOT}cli/write-package.ts`]);
const stack = await startTestStack();
try {
  const { file } = await writeLongSeries(join(stack.root, LONG_SERIES));
  const { digest, series } = await loadSeriesFile(file);
  await writeLongTrips(stack.source, [last.window]);
  await startRelease(stack.client, await planRun(stack.client, file, last.window, 1));
  await reaches(stack.client, last, ['waiting'], 300);
  await publishAll(stack, digest, series.population);
  const { child, ending } = start(['console', '--as', 'operator', '--subject', 'bench'], {
    deployment: stack.files.deployment('client'),
    main: `${ROOT}dist-package/dist/cli/main.js`,
  });
  const link = new URL(/http:\/\/localhost:\S+/.exec(await untilUp(child))![0]);
  const visitor = new Visitor(link.origin);
  await visitor.get(link.pathname);
  const idle = processUse(child.pid).residentMiB;
  const rows: string[][] = [];
  let most = idle;
  const visit = async (page: string, path: string) => {
    rows.push(await measurePage(visitor, page, path));
    most = Math.max(most, processUse(child.pid).residentMiB);
  };
  for (const [page, path] of Object.entries(PAGES)) await visit(page, path);
  const { body } = await visitor.get(PAGES['its review']!);
  await visit('a chart of it', /<img src="([^"]+)"/.exec(body)![1]!);
  const list = (await visitor.json('/releases')).value as { found: number };
  if (list.found !== windows.length) throw new Error(`the console lists ${list.found} releases`);
  child.kill('SIGINT');
  await ending;
  const text = `${windows.length} releases of ${partitionsOf(last.window).length} partitions. Milliseconds: the first time a page was asked for, then the median and the slowest of ${ASKED}, each in turn with as many bytes from a bare server.

${markdownTable(['page', 'kB', 'first', 'median', 'slowest', 'bare server', 'ratio'], rows)}

Memory of the console: ${idle.toFixed(0)} MiB before the first page, ${most.toFixed(0)} MiB at most after these.`;
  const measures = ['client', 'console', 'core', 'services'];
  writeMeasured('console', { times: text }, { measures, isWhole: windows.length === WHOLE });
} finally {
  await stack.end();
}
