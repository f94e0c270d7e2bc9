import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run as command, words } from '../../cli/process.fixture.ts';
import { decideRelease } from '../../client/release/decide-release.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { EXIT } from '../../contracts/errors.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { releasePath } from '../../contracts/names.ts';
import { STOPS, seriesText, TRIPS } from '../../kinds/synthetic/small-synthetic.fixture.ts';
import { filesWith } from '../support/files-with.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { approverKey, TEST_APPROVER } from '../support/test-trust.ts';

/** A day of trips goes through the stack to a table of the public domain that everybody can compute again. */
const WINDOW = '2026-03-02';
const POPULATION = 'small-riders';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack?.end());

test('trips become a published table, and verify computes every weight of it again', async () => {
  const folder = join(stack.root, 'series');
  await mkdir(folder, { recursive: true });
  await mkdir(join(stack.source, WINDOW), { recursive: true });
  for (const [name, text] of Object.entries(TRIPS)) await writeFile(join(stack.source, WINDOW, name), text);
  const file = join(folder, 'series.yaml');
  await writeFile(join(folder, 'stops.csv'), STOPS);
  const text = seriesText()
    .replace('population: riders', `population: ${POPULATION}`)
    .replace('manager@example.org', TEST_APPROVER);
  await writeFile(file, text);

  const plan = await planRun(stack.client, file, WINDOW, 1);
  expect(plan.summary).toMatchObject({ partitions: 2, certificate: { epsilon: '4', delta: '0' }, overCap: null });
  const run = await startRelease(stack.client, plan);
  expect(await reaches(stack.client, run, ['waiting', 'partitions-failed', 'stalled'])).toMatchObject({
    state: 'waiting',
    verdict: 'pass',
  });
  const { privateKey } = approverKey(TEST_APPROVER);
  const terms = { decision: 'approve', reason: 'audit-passed', note: '' } as const;
  const answer = await decideRelease(stack.client, { release: run, ...terms, acknowledged: [], privateKey });
  expect(answer).toMatchObject({ accepted: true });
  await reaches(stack.client, run, ['published']);

  const published = join(stack.files.publication, releasePath(run));
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(published, 'manifest.json'), 'utf8')));
  expect(manifest).toMatchObject({ kind: 'synthetic', population: POPULATION });
  const report = await verifyPublication(published);
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.checks.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['parameters', 'certificate', 'rounds', 'queries', 'weights', 'formats']),
  );

  // A custodian asks how safe the trips are: the answer is in the private store, and nowhere else.
  const custodians = stack.files.deployment('private');
  const safety = await command(words(`risk report ${releasePath(run)} --draws 2 --json`), { custodians });
  expect({ code: safety.code, stderr: safety.stderr }).toEqual({ code: EXIT.done, stderr: '' });
  const { format, confidential, mean } = JSON.parse(safety.stdout);
  const told = [format, confidential, String(mean)];
  expect(await filesWith(stack.files.store('private'), told)).toHaveLength(told.length);
  for (const place of [stack.files.store('release'), stack.files.publication, stack.files.logs])
    expect(await filesWith(place, told)).toEqual([]);
  const databases = (await readdir(stack.root)).filter((name) => name.startsWith('temporal.db'));
  const histories = (await Promise.all(databases.map((name) => readFile(join(stack.root, name), 'latin1')))).join();
  expect(histories).toContain(WINDOW); // histories are readable, so the search can find something
  for (const word of told) expect(histories.includes(word), word).toBe(false);

  // Most of the invented trips are of adults in the morning; with six rounds the table has found out.
  const rows = (await readFile(join(published, 'synthetic.csv'), 'utf8')).trimEnd().split('\r\n').slice(1);
  expect(rows).toHaveLength(2 * 21 * 3 * 3);
  const ofBus = rows.map((row) => row.split(',')).filter(([, part]) => part === 'bus');
  const total = ofBus.reduce((sum, fields) => sum + Number(fields.at(-1)), 0);
  expect(total).toBeCloseTo(300, 2);
}, 240_000);
