import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bindings from 'gtfs-realtime-bindings';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { decideRelease } from '../../client/release/decide-release.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { releasePath } from '../../contracts/names.ts';
import { eventsOf } from '../../examples/occupancy/generate-occupancy.ts';
import { parseStatuses } from '../../kinds/occupancy/status-table.ts';
import { parseRunTimetable, type RunTimetable, runsOf } from '../../kinds/occupancy/timetable.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { approverKey, TEST_APPROVER } from '../support/test-trust.ts';

/** A day of simulated counts goes through the stack to a published GTFS-Realtime file; one part lacks its object. */
const WINDOW = '2026-03-02';
const PARTS = ['line-23', 'line-54'] as const;
const example = (name: string): URL => new URL(`../../examples/${name}`, import.meta.url);

let stack: TestStack;
let timetable: RunTimetable;
beforeAll(async () => {
  stack = await startTestStack();
  timetable = parseRunTimetable(await readFile(example('dictionaries/occupancy-timetable.csv')));
});
afterAll(() => stack?.end());

async function seriesFile(): Promise<string> {
  const document = parseDocument(await readFile(example('occupancy.yaml'), 'utf8'));
  document.setIn(['window', 'days'], 1);
  document.setIn(['source', 'store'], 'demo-rides');
  document.setIn(['gate', 'approvers', 0, 'subject'], TEST_APPROVER);
  const folder = join(stack.root, 'series');
  await mkdir(join(folder, 'dictionaries'), { recursive: true });
  await writeFile(
    join(folder, 'dictionaries/occupancy-timetable.csv'),
    await readFile(example('dictionaries/occupancy-timetable.csv')),
  );
  const file = join(folder, 'series.yaml');
  await writeFile(file, document.toString());
  return file;
}

const object = (part: string): string => join(stack.source, 'counts', WINDOW, `${part}.csv`);

async function publish(file: string, version: number): Promise<string> {
  const plan = await planRun(stack.client, file, WINDOW, version);
  expect(plan.summary).toMatchObject({ partitions: 2, certificate: { epsilon: '8', delta: '0' }, overCap: null });
  const run = await startRelease(stack.client, plan);
  const { state, partitions } = await reaches(stack.client, run, ['waiting', 'partitions-failed']);
  if (state === 'partitions-failed') {
    const failed = partitions.filter((one) => one.state === 'failed').map(({ part, day }) => ({ part, day }));
    await stack.client.ask(run, 'abandonPartitions', { partitions: failed, subject: 'demo-operator' });
  }
  const waiting = await reaches(stack.client, run, ['waiting']);
  const answer = await decideRelease(stack.client, {
    release: run,
    decision: 'approve',
    reason: waiting.attention.length > 0 ? 'attention-accepted' : 'audit-passed',
    note: '',
    acknowledged: waiting.attention,
    privateKey: approverKey(TEST_APPROVER).privateKey,
  });
  expect(answer).toMatchObject({ accepted: true });
  await reaches(stack.client, run, ['published']);
  return join(stack.files.publication, releasePath(run));
}

test('a day of counts becomes a GTFS-Realtime file with one status for each scheduled departure', async () => {
  const file = await seriesFile();
  await mkdir(join(stack.source, 'counts', WINDOW), { recursive: true });
  for (const part of PARTS) await writeFile(object(part), eventsOf(timetable, part, WINDOW));
  const folder = await publish(file, 1);

  const rows = parseStatuses(await readFile(join(folder, 'statuses.csv'), 'utf8'));
  expect(rows).toHaveLength(480);
  const feed = bindings.transit_realtime.FeedMessage.decode(await readFile(join(folder, 'trip-updates.pb')));
  expect(feed.header.gtfsRealtimeVersion).toBe('2.0');
  const stops = feed.entity.flatMap(({ tripUpdate }) =>
    (tripUpdate!.stopTimeUpdate ?? []).map(({ stopSequence, departureOccupancyStatus }) => {
      const status = bindings.transit_realtime.VehiclePosition.OccupancyStatus[departureOccupancyStatus!];
      return [tripUpdate!.trip.startDate, tripUpdate!.trip.tripId, stopSequence, status].join();
    }),
  );
  expect(stops).toEqual(rows.map(({ run, sequence, status }) => ['20260302', run, sequence, status].join()));
  // Noise of scale 5/4 or so: most statuses are the true ones, and they are not all the same.
  expect(new Set(rows.map(({ status }) => status)).size).toBeGreaterThan(3);
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
  expect(manifest).toMatchObject({ kind: 'occupancy', population: 'demo-rides' });
  const report = await verifyPublication(folder);
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.checks.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['parameters', 'certificate', 'departures', 'formats']),
  );

  // A second version charges the blocks again; a third one would be over the cap of the block.
  await rm(object('line-54'));
  const second = await publish(file, 2);
  const withHole = parseStatuses(await readFile(join(second, 'statuses.csv'), 'utf8'));
  const noData = withHole.filter(({ status }) => status === 'NO_DATA_AVAILABLE');
  const departures = runsOf(timetable, { part: 'line-54', day: WINDOW }).flatMap((run) => run.departures);
  expect(noData).toHaveLength(departures.length);
  expect(new Set(noData.map(({ part }) => part))).toEqual(new Set(['line-54']));
  expect(withHole).toHaveLength(480);
  expect((await verifyPublication(second)).verified).toBe(true);
  const third = await planRun(stack.client, file, WINDOW, 3);
  expect(third.summary.overCap).toContain('Block line-23/2026-03-02');
}, 240_000);
