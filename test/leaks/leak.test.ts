import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run as command, words } from '../../cli/process.fixture.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { EXIT } from '../../contracts/errors.ts';
import { FILES, releasePath } from '../../contracts/names.ts';
import { freeAddresses } from '../observe/scrape.fixture.ts';
import { filesWith } from '../support/files-with.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import {
  SMALL_WINDOW,
  smallTrips,
  writeSmallSeries,
  writeSmallTrips,
  writeTrips,
  writeTruncatedTrips,
} from '../support/small-series.ts';
import { POLICY_KEY } from '../support/test-custody.ts';
import { reaches, startTestStack, type TestStack, usualDeployments } from '../support/test-stack.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { writeWideSeries, writeWideTrips } from '../support/weekly-series.ts';

/** A card, a stop with one visitor, a time, and what bad rows hold: none may be seen outside the custodian side. */
const CANARIES = ['CARD-7031-CANARY', 'LONELY-STOP-CANARY', '03:07:41', 'NOT-A-TIME-CANARY', 'UNKNOWN-MODE-CANARY'];

let stack: TestStack;
let receiver: Receiver;
let metrics: { private: string; public: string };

beforeAll(async () => {
  receiver = await startReceiver();
  process.env.OPALINE_TEST_WEBHOOK = 'a secret of the custodian';
  const [ofPrivate, ofPublic, ...health] = (await freeAddresses(4)) as [string, string, string, string];
  metrics = { private: ofPrivate, public: ofPublic };
  stack = await startTestStack((root) => {
    const usual = usualDeployments(root);
    const warnings = { webhook: { url: receiver.url, secret: { env: 'OPALINE_TEST_WEBHOOK' } } };
    return {
      ...usual,
      private: { ...usual.private, warnings, observe: { metrics: ofPrivate, health: health[0]! } },
      public: { ...usual.public, observe: { metrics: ofPublic, health: health[1]! } },
    };
  });
});
afterAll(async () => {
  await stack?.end();
  await receiver?.close();
});

const exported = async (address: string): Promise<string> => (await fetch(`http://${address}/metrics`)).text();

test('no canary of the raw data reaches Temporal, a log, the release store or the publication', async () => {
  const series = await writeSmallSeries(join(stack.root, 'small'));
  await writeSmallTrips(stack.source);
  const rows = [
    'bus,2026-03-02 03:07:41,LONELY-STOP-CANARY,,',
    'bus,NOT-A-TIME-CANARY,stop-1,,',
    'UNKNOWN-MODE-CANARY,2026-03-02 09:00:00,stop-1,,',
    'bus,2026-03-02 09:00:00,"unclosed CARD-7031-CANARY',
  ];
  await writeTrips(stack.source, '2026-03-02', 'bus', `${smallTrips('2026-03-02', 'bus')}${rows.join('\n')}\n`);
  // A whole object that cannot be used must not be quoted either.
  await writeTrips(stack.source, '2026-03-03', 'bus', 'other,columns\nCARD-7031-CANARY,LONELY-STOP-CANARY\n');
  await writeTruncatedTrips(stack.source, '2026-03-04', 'ferry');
  const run = await startSmall(stack.client, series);
  const failed = await reaches(stack.client, run, ['partitions-failed', 'waiting']);
  expect(failed.state).toBe('partitions-failed');
  await writeTrips(stack.source, '2026-03-03', 'bus', smallTrips('2026-03-03', 'bus'));
  await writeTrips(stack.source, '2026-03-04', 'ferry', smallTrips('2026-03-04', 'ferry'));
  await stack.client.ask(run, 'retryPartitions', { partitions: [], subject: 'test' });
  await reaches(stack.client, run, ['waiting']);
  await decideSmall(stack.client, series, run, 'approve');
  await reaches(stack.client, run, ['published']);

  // A custodian looks at the raw data too. What the report says is as confidential: none of it is on the other side.
  const custodians = stack.files.deployment('private');
  const risk = await command(words(`risk report small --window ${SMALL_WINDOW} --json`), { custodians });
  expect({ code: risk.code, stderr: risk.stderr }).toEqual({ code: EXIT.done, stderr: '' });
  const { format, confidential, rows: measured, exposed } = JSON.parse(risk.stdout);
  expect(measured).toBeGreaterThan(0);
  const told = [format, confidential, ...exposed.map(({ name }: { name: string }) => name)];
  expect(await filesWith(stack.files.store('private'), told)).not.toEqual([]);
  for (const word of CANARIES) expect(risk.stdout.includes(word), word).toBe(false);

  // The same beside the release: a step of its own that no release waits for, and that runs once.
  const beside = await command(words('risk report --releases --json'), { custodians });
  expect({ code: beside.code, stderr: beside.stderr }).toEqual({ code: EXIT.done, stderr: '' });
  const key = `risk/small/${SMALL_WINDOW}/v1/report.json`;
  expect(JSON.parse(beside.stdout)).toEqual([{ release: `small/${SMALL_WINDOW}/v1`, key, problem: null }]);
  const kept = JSON.parse(await readFile(join(stack.files.store('private'), key), 'utf8'));
  expect(kept).toMatchObject({ format, rows: measured, changed: { rules: expect.any(Array) } });
  told.push(...kept.exposed.map(({ name }: { name: string }) => name), 'v1/report.json');
  const again = await command(words('risk report --releases'), { custodians });
  expect(again.stdout).toBe('Every release has its report.\n');

  // So are the warnings of what the source holds: the private worker reports them, in its log and by its webhook.
  const warned = [' was rejected.', 'opaline-input-warnings', 'opaline_input_warnings'];
  while (!receiver.got.some(({ body }) => body.includes(warned[0]!))) await delay(200);
  for (const own of [await readFile(stack.files.log('private'), 'utf8'), await exported(metrics.private)])
    expect(warned.some((word) => own.includes(word))).toBe(true);
  told.push(...warned);
  expect((await exported(metrics.public)).includes('opaline_worker_ready')).toBe(true);
  for (const word of told) expect((await exported(metrics.public)).includes(word), word).toBe(false);

  // The search itself works: the custodian side does hold them.
  expect(await filesWith(stack.files.store('private'), ['NOT-A-TIME-CANARY'])).not.toEqual([]);
  const { root, files } = stack;
  expect(await filesWith(files.logs, CANARIES)).toEqual([]);
  const logs = (await readdir(files.logs)).filter((name) => name !== 'private.log');
  const ofLogs = await Promise.all(logs.map((name) => readFile(join(files.logs, name), 'utf8')));
  expect(logs).toContain('public.log');
  for (const word of told) expect(ofLogs.join().includes(word), word).toBe(false);
  for (const folder of [files.store('release'), files.publication, files.scratch('public')])
    expect(await filesWith(folder, [...CANARIES, ...told])).toEqual([]);
  const databases = (await readdir(root)).filter((name) => name.startsWith('temporal.db'));
  const histories = (await Promise.all(databases.map((name) => readFile(join(root, name), 'latin1')))).join();
  expect(histories).toContain('OBJECT_UNREADABLE'); // histories are readable, so the search can find something
  for (const canary of [...CANARIES, ...told]) expect(histories.includes(canary), canary).toBe(false);
});

test('C17: bins that were chosen on a week run through the pipeline when the series says so, and its certificate does', {
  tags: 'soak',
  timeout: 240_000,
}, async () => {
  const custodians = stack.files.deployment('private');
  const week = '2026-03-09';
  const series = await writeWideSeries(join(stack.root, 'wide'));
  await writeWideTrips(stack.source, [week]);
  const text = (await readFile(series.file, 'utf8')).replace('minutes: 15', 'minutes: 5');
  await writeFile(series.file, text);
  const loaded = await loadSeriesFile(series.file);
  await applySeries({ releaseStore: stack.client.releaseStore, signingKey: POLICY_KEY.privateKey }, loaded);
  const risk = await command(words(`risk advise wide --window ${week} --utility 0.1 --json`), { custodians });
  expect({ code: risk.code, stderr: risk.stderr }).toEqual({ code: EXIT.done, stderr: '' });
  const { snippet } = JSON.parse(risk.stdout);
  const chosenOn = `wide in the window of ${week}`;
  expect(snippet).toBe(
    `bins:\n  minutes: 15 # day.starts and day.ends have to be the start of one\nprivacy:\n  chosenOn: ${chosenOn}`,
  );

  // Who takes the bins and hushes it up is refused before anything is charged.
  const advised = text.replace('minutes: 5', 'minutes: 15');
  await writeFile(series.file, advised.replace('series: wide', 'series: hushed'));
  const hushed = await startRelease(stack.client, await planRun(stack.client, series.file, week, 1));
  const { stall, charge } = await reaches(stack.client, hushed, ['stalled']);
  expect(stall).toMatchObject({ code: 'POLICY_REFUSED', message: expect.stringContaining('privacy.chosenOn') });
  expect(charge).toBeNull();

  await writeFile(series.file, advised.replace('privacy:\n', `privacy:\n  chosenOn: ${chosenOn}\n`));
  const run = await startRelease(stack.client, await planRun(stack.client, series.file, week, 1));
  await reaches(stack.client, run, ['waiting']);
  await decideSmall(stack.client, series, run, 'approve');
  await reaches(stack.client, run, ['published']);
  const folder = join(stack.files.publication, releasePath(run));
  const certificate = JSON.parse(await readFile(join(folder, FILES.certificate), 'utf8'));
  const sentence = `Parameters were chosen with uncharged access to data of ${chosenOn}.`;
  expect(certificate).toMatchObject({ chosenOn, assumptions: expect.arrayContaining([sentence]) });
  expect((await verifyPublication(folder)).checks.filter(({ ok }) => !ok)).toEqual([]);
});

/** Values that only one row holds; the place would clear a screen. */
const [PLACE, MOMENT] = ['PLACE-OF-ONE-ROW', '08:11:13.567'];

test('@contract C5 @contract C20: exact totals and values that a custodian reads are on the terminal, and of no use to a stranger', async () => {
  const [window, next] = ['2026-03-23', '2026-03-24'] as const;
  const series = await writeSmallSeries(join(stack.root, 'totals'), { series: 'totals' }, (yaml) =>
    yaml.replace('privacy:\n', 'privacy:\n  chosenOn: the weeks before\n'),
  );
  await writeSmallTrips(stack.source, [window, next, '2026-03-25']);
  // The day before cannot be read, so nothing of this day is drawn: what is found of it could come from its rows alone.
  await writeTrips(stack.source, window, 'bus', `other,columns\n`);
  const many = 104_729;
  const trip = `bus,${next} 09:00:00,stop-1,,\n`;
  await writeTrips(stack.source, next, 'bus', smallTrips(next, 'bus') + trip.repeat(many));
  const odd = `ferry,${window} ${MOMENT},${PLACE}\u001b[2J,,`;
  await writeTrips(stack.source, window, 'ferry', smallTrips(window, 'ferry').replace('\n', `\n${odd}\n`));
  // 90 trips of two taps, and one of one.
  const total = many + 181;
  const custodians = stack.files.deployment('private');
  const shown = await command(words(`preview ${series.file} --window ${window} --json`), { custodians });
  expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: EXIT.done, stderr: '' });
  expect(JSON.parse(shown.stdout).totals).toContainEqual({ part: 'bus', day: next, counted: total, unknown: 0 });
  const run = await startRelease(stack.client, await planRun(stack.client, series.file, window, 1));
  await reaches(stack.client, run, ['partitions-failed']);
  const left = await command(words(`rejects ${releasePath(run)}`), { custodians });
  expect(left.stdout).toMatch(new RegExp(`bus +${next} +${total.toLocaleString('en')} +0\\b`));

  // On a terminal there are values too, but none that a terminal would obey; elsewhere there are no values.
  const line = `${process.execPath} cli/main.ts preview ${series.file} --window ${window}`;
  const typed = await promisify(execFile)('script', ['-qec', line, '/dev/null'], {
    env: { ...process.env, OPALINE_PRIVATE_DEPLOYMENT: custodians },
  });
  expect(typed.stdout).toMatch(/on_stop +"PLACE-OF-ONE-ROW\\u001b\[2J"/);
  expect(typed.stdout).toContain(MOMENT);
  expect(typed.stdout).not.toContain('\u001b[2J');
  const piped = await command(words(`preview ${series.file} --window ${window}`), { custodians });
  expect(piped.stdout).toContain(total.toLocaleString('en'));
  expect(piped.stdout + shown.stdout).not.toContain(MOMENT);

  const { root, files } = stack;
  const planted = [String(total), total.toLocaleString('en'), String(many), PLACE, MOMENT];
  // Digests have digits too, but none that stand alone.
  const alone = planted.map((word) => new RegExp(`(?<![0-9A-Za-z+/=_-])${word}(?![0-9A-Za-z+/=_-])`));
  const search = async (paths: readonly string[]): Promise<string[]> => {
    const texts = await Promise.all(paths.map(async (path) => [path, await readFile(path, 'latin1')] as const));
    return texts.flatMap(([path, text]) => alone.filter((word) => word.test(text)).map((word) => `${word} in ${path}`));
  };
  const below = async (folder: string): Promise<string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  // The search itself works: the private store has the tally.
  expect(await search(await below(join(files.store('private'), 'tallies')))).not.toEqual([]);
  const databases = (await readdir(root))
    .filter((name) => name.startsWith('temporal.db'))
    .map((name) => join(root, name));
  const folders = [files.logs, files.store('release'), files.publication, files.scratch('public')];
  const reached = [...databases, ...(await Promise.all(folders.map(below))).flat()];
  expect(reached.length).toBeGreaterThan(20);
  expect(await search(reached)).toEqual([]);
  // What is recorded of the look has no value of a row.
  const looks = await below(join(files.store('private'), 'previews'));
  expect(looks.length).toBeGreaterThan(2);
  for (const look of looks) expect(await readFile(look, 'utf8')).not.toContain(MOMENT);
  for (const address of [metrics.private, metrics.public])
    for (const word of alone) expect(word.test(await exported(address))).toBe(false);
}, 240_000);
