import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/process.fixture.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import {
  type Edit,
  SMALL_WINDOW,
  type SmallSeries,
  smallKey,
  smallTrips,
  writeSmallSeries,
  writeSmallTrips,
} from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack, usualDeployments } from '../support/test-stack.ts';
import { TEST_TRUST } from '../support/test-trust.ts';

const PATIENCE = 200;
const LONG = { timeout: 3 * PATIENCE * 1000 };

/** A population whose policy asks for clearances. */
const CLEARED = 'cut-riders';

let stack: TestStack;
beforeAll(async () => {
  const { populations } = TEST_TRUST;
  const clearing = { ...populations, [CLEARED]: { ...populations[CLEARED]!, clearance: true } };
  stack = await startTestStack(usualDeployments, undefined, { ...TEST_TRUST, populations: clearing });
  await writeSmallTrips(stack.source);
});
afterAll(() => stack?.end());

const seriesOf = (name: string, edit?: Edit): Promise<SmallSeries> =>
  writeSmallSeries(join(stack.root, name), { series: name, population: name }, edit);
const release = (series: string, version = 1): ReleaseReference => ({ series, window: SMALL_WINDOW, version });
const at = (one: ReleaseReference, ...states: Parameters<typeof reaches>[2]) =>
  reaches(stack.client, one, states, PATIENCE);
const cli = (...words: string[]) =>
  run(words, {
    cwd: stack.root,
    deployment: stack.files.deployment('client'),
    custodians: stack.files.deployment('private'),
  });

/** Runs a command as it was printed, with the files of this series where it has words for them. */
async function runPrinted(line: string, { file, key }: SmallSeries) {
  const signer = join(stack.root, 'me.pem');
  await writeFile(signer, key.privateKey);
  const isDecision = /^opaline (approve|reject) /.test(line);
  const words = line.replace('SERIES.yaml', file).replace('KEY.pem', isDecision ? signer : stack.files.key('policy'));
  const [program, ...rest] = words.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));
  expect(program).toBe('opaline');
  const ended = await cli(...rest);
  // 3: it waits, now as before.
  expect([0, 3], `${line}: ${ended.stderr}`).toContain(ended.code);
  return ended;
}
/** A command in a text; how the program is called depends on how the text was asked for. */
const printed = (text: string, name: string): string => `opaline ${new RegExp(` (${name} .*)`).exec(text)?.[1]}`;
const explained = async (one: ReleaseReference): Promise<string[]> =>
  JSON.parse((await cli('explain', releasePath(one), '--json')).stdout).commands;

test.concurrent(
  '@contract C11a: where the policy asks for a clearance a window waits; a file that was delivered twice is seen, and left out',
  LONG,
  async () => {
    const series = await seriesOf(CLEARED, (text) => text.replace('{mode}.csv.gz', '{mode}.*.gz'));
    const again = smallKey(SMALL_WINDOW, 'bus').replace('csv', 'again');
    await writeFile(join(stack.source, again), gzipSync(`${smallTrips(SMALL_WINDOW, 'bus')}\n`));
    const one = release(CLEARED);
    await cli('run', series.file, '--window', SMALL_WINDOW);
    const { stall, charge, partitions } = await at(one, 'stalled');
    expect(stall).toMatchObject({ activity: 'ingest', code: 'ORDER_MISSING' });
    expect(charge).toBeNull();
    expect(partitions.every(({ state }) => state === 'pending')).toBe(true);

    const preview = await cli('preview', series.file, '--window', SMALL_WINDOW);
    expect(preview.stdout).toMatch(/! About 100\.0 % of the rows of .* are the same/);
    expect(preview.stdout).toContain(again);
    const command = printed(preview.stdout, 'order clear');
    await runPrinted(`${command} --except ${again}`, series);
    expect(await cli('order', 'put', 'clear.json')).toMatchObject({ code: 0, stderr: '' });
    await runPrinted((await explained(one))[0]!, series);
    await at(one, 'waiting');
    const rejects = await cli('rejects', releasePath(one));
    expect(rejects.stdout).toContain(`${again} is not cleared, and was left out.`);
    expect((await cli('show', releasePath(one))).stdout).not.toContain('again');
    const { stdout } = await cli('show', releasePath(one), '--sources');
    expect(stdout).not.toContain('again');
  },
);

test.concurrent('what explain prints works as printed, from a cancelled start to a correction', {
  ...LONG,
  tags: 'soak',
}, async () => {
  const series = await seriesOf('late', (text) =>
    text
      .replace('{mode}.csv.gz', '{mode}.late.gz')
      .replace('  rows: trips', '  completeness: { waitHours: 2 }\n  rows: trips'),
  );
  const [first, second, third] = [1, 2, 3].map((version) => release('late', version)) as [
    ReleaseReference,
    ReleaseReference,
    ReleaseReference,
  ];
  const deliver = async (modes: string[], edit: Edit = (text) => text) => {
    for (const day of ['2026-03-02', '2026-03-03', '2026-03-04'])
      for (const mode of modes)
        await writeFile(join(stack.source, `${day}/${mode}.late.gz`), gzipSync(edit(smallTrips(day, mode))));
  };
  await deliver(['bus']);
  // Nothing was read or charged: the same version runs again, and reads what is there then.
  await cli('run', series.file, '--window', SMALL_WINDOW);
  await at(first, 'waiting-for-objects');
  expect(await cli('cancel', releasePath(first))).toMatchObject({ code: 0 });
  await at(first, 'cancelled');
  await deliver(['ferry']);
  const [again, ...others] = await explained(first);
  expect([again, others]).toEqual([`opaline run SERIES.yaml --window ${SMALL_WINDOW}`, []]);
  await runPrinted(again!, series);
  await at(first, 'waiting');
  // At the gate; rejected, the next version needs an order.
  const [approve] = await explained(first);
  await runPrinted(approve!.replace('approve', 'reject').replace(/ --acknowledge.*/, ''), series);
  await at(first, 'rejected');
  for (const line of await explained(first)) await runPrinted(line, series);
  await at(second, 'waiting');
  await runPrinted((await explained(second))[0]!, series);
  await at(second, 'published');
  // Public: a look at the sources proposes a correction, which takes its order in the same command.
  await deliver(['bus'], (text) => text.replaceAll('stop-2', 'stop-1'));
  const look = await runPrinted((await explained(second))[0]!, series);
  await runPrinted(printed(look.stdout, 'correct'), series);
  expect(await at(third, 'waiting')).toMatchObject({ correction: { of: 2, reason: 'object-corrected' } });
  expect(await cli('cancel', releasePath(third))).toMatchObject({ code: 0 });
  await at(third, 'cancelled');
  const { entries } = await readLedger(stack.client.releaseStore, 'late');
  expect(entries.filter(({ kind }) => kind === 'reserve')).toHaveLength(3);
});

test.concurrent('what explain prints of failed partitions works as printed', LONG, async () => {
  const series = await seriesOf('holes', (text) => text.replace('{mode}.csv.gz', '{mode}.holes.gz'));
  for (const day of ['2026-03-02', '2026-03-03', '2026-03-04'])
    for (const mode of ['bus', 'ferry'])
      await writeFile(join(stack.source, `${day}/${mode}.holes.gz`), gzipSync(smallTrips(day, mode)));
  await rm(join(stack.source, '2026-03-04/bus.holes.gz'));
  await cli('run', series.file, '--window', SMALL_WINDOW);
  const one = release('holes');
  await at(one, 'partitions-failed');
  const [retry, abandon] = await explained(one);
  await runPrinted(retry!, series);
  await at(one, 'partitions-failed');
  await runPrinted(abandon!, series);
  await at(one, 'waiting');
});
