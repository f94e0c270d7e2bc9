import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decideRelease } from '../../client/release/decide-release.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { releasePath } from '../../contracts/names.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { approverKey, TEST_APPROVER } from '../support/test-trust.ts';
import { COUNTS_VERIFICATION, countsForClients } from './client-kind.ts';
import { countsTexts } from './public-kind.ts';

/**
 * A kind that nothing outside this folder knows goes the whole way: file, ledger, draw, audit, gate, publication, check.
 * Workers and client are those of production, with one kind more in their tables.
 */
const KINDS = { ...CLIENT_KINDS, counts: countsForClients };
const WINDOW = '2026-03-02';
const DAYS = [WINDOW, '2026-03-03'];

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack(undefined, {
    private: new URL('./private.child.ts', import.meta.url),
    public: new URL('./public.child.ts', import.meta.url),
  });
});
afterAll(() => stack?.end());

const SERIES = `series: gates
kind: counts
population: gate-users
timeZone: Australia/Sydney
source: { store: gate-users, pattern: "gates/{date}.csv", format: csv, column: gate }
window: { days: 2, firstWeekday: monday }
values: [north, south, west]
privacy:
  unit: tap
  epsilon: 4
  delta: 0
  caps: { block: { epsilon: 8, delta: 0 }, year: { epsilon: 400, delta: 0 } }
gate:
  approvers:
    - subject: manager@example.org
publication: { title: Gates, licence: CC0-1.0 }
`;

const rowsOf = (day: string): string =>
  ['gate,card', ...Array.from({ length: 300 }, (_, n) => `${n % 3 === 0 ? 'north' : 'south'},${day}-${n}`)].join('\n');

test('from a CSV to a publication that verifies, through the stack, the ledger, the audit and the gate', async () => {
  const key = approverKey(TEST_APPROVER);
  const file = join(stack.root, 'gates.yaml');
  await writeFile(file, SERIES);
  await mkdir(join(stack.source, 'gates'), { recursive: true });
  for (const day of DAYS) await writeFile(join(stack.source, 'gates', `${day}.csv`), `${rowsOf(day)}\n`);

  const plan = await planRun(stack.client, file, WINDOW, 1, undefined, KINDS);
  expect(plan.summary).toMatchObject({ partitions: 2, certificate: { epsilon: '4', delta: '0' }, overCap: null });
  const run = await startRelease(stack.client, plan);
  const waiting = await reaches(stack.client, run, ['waiting']);
  expect(waiting.partitions.map(({ part, day, state }) => `${part} ${day} ${state}`)).toEqual(
    DAYS.map((day) => `all ${day} drawn`),
  );
  const terms = { decision: 'approve', reason: 'audit-passed', note: '', acknowledged: [] } as const;
  const answer = await decideRelease(stack.client, {
    release: run,
    ...terms,
    acknowledged: [],
    privateKey: key.privateKey,
  });
  expect(answer).toMatchObject({ accepted: true });
  await reaches(stack.client, run, ['published']);

  const folder = join(stack.files.publication, releasePath(run));
  const table = (await readFile(join(folder, 'counts.csv'), 'utf8')).trimEnd().split('\r\n').slice(1);
  expect(table).toHaveLength(6);
  // Noise of scale 1/2: 30 has a chance of e^-60.
  for (const [index, line] of table.entries())
    expect(Math.abs(Number(line.split(',')[2]) - [100, 200, 0][index % 3]!)).toBeLessThan(30);
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
  expect(manifest).toMatchObject({ kind: 'counts', population: 'gate-users' });
  const report = await verifyPublication(folder, null, { counts: { checks: COUNTS_VERIFICATION, texts: countsTexts } });
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.checks.map(({ id }) => id)).toEqual(expect.arrayContaining(['values', 'texts']));

  // A second release of the same days is over the cap of a block: the ledger counts blocks of a part that is no mode.
  const again = await planRun(stack.client, file, WINDOW, 2, undefined, KINDS);
  await startRelease(stack.client, again);
  await reaches(stack.client, again.run, ['waiting']);
  const third = await planRun(stack.client, file, WINDOW, 3, undefined, KINDS);
  expect(third.summary.overCap).toContain('Block all/2026-03-02');
}, 240_000);

test('a reader that does not know the kind says so, and nothing else', async () => {
  const folder = join(stack.files.publication, 'gates', WINDOW, 'v1');
  const report = await verifyPublication(folder);
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([
    { id: 'kind', ok: false, sentence: 'No kind of series is called counts; those are taps,occupancy,synthetic.' },
  ]);
});
