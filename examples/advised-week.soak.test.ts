import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run as command, words } from '../cli/process.fixture.ts';
import { planRun, startRelease } from '../client/release/plan-run.ts';
import { applySeries } from '../client/series/apply-series.ts';
import { loadSeriesFile } from '../client/series/series-file.ts';
import { verifyPublication } from '../client/verify/verify-publication.ts';
import { EXIT } from '../contracts/errors.ts';
import { FILES, releasePath } from '../contracts/names.ts';
import { folderDeployments, locateFiles } from '../stack/embedded-files.ts';
import { copyExampleSeries } from '../test/support/example-series.ts';
import { decideSmall } from '../test/support/releases.ts';
import { POLICY_KEY } from '../test/support/test-custody.ts';
import { reaches, startTestStack, type TestStack } from '../test/support/test-stack.ts';

/** The bins that risk advice gives for the Oyster week go into its series file, and the week is released with them. */
const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const OYSTER = join(resolve(process.env.OPALINE_DATA ?? join(PROJECT, '..', 'shared', 'data')), 'tfl-oyster');
const WEEK = '2009-11-01';

let stack: TestStack;
beforeAll(async () => {
  if (existsSync(OYSTER))
    stack = await startTestStack((root) => folderDeployments(locateFiles(root), { oyster: OYSTER }));
});
afterAll(() => stack?.end());

test.skipIf(!existsSync(OYSTER))(
  'the advised bins of the Oyster week go through the pipeline to a publication that verifies and says what they were chosen on',
  async () => {
    const series = await copyExampleSeries('oyster', join(stack.root, 'series'));
    const loaded = await loadSeriesFile(series.file);
    await applySeries({ releaseStore: stack.client.releaseStore, signingKey: POLICY_KEY.privateKey }, loaded);

    const custodians = stack.files.deployment('private');
    const tried = 'on_minute+off_minute=15|30';
    const asked = words(`risk advise oyster-taps --window ${WEEK} --try ${tried} --utility 0 --json`);
    const { code, stdout, stderr } = await command(asked, { custodians });
    expect({ code, stderr }).toEqual({ code: EXIT.done, stderr: '' });
    const { original, tried: points, chosen, snippet } = JSON.parse(stdout);
    expect(chosen.risk).toBeLessThan(original);
    expect(chosen.risk).toBe(Math.min(...points.map(({ risk }: { risk: number }) => risk)));
    const told = `oyster-taps in the window of ${WEEK}`;
    expect(snippet).toBe(
      `bins:\n  minutes: 30 # day.starts and day.ends have to be the start of one\nprivacy:\n  chosenOn: ${told}`,
    );

    const text = await readFile(series.file, 'utf8');
    // Half hours divide the traffic day only when it ends with one.
    const advised = text
      .replace('ends: "28:45"', 'ends: "29:00"')
      .replace('minutes: 15', 'minutes: 30')
      .replace(/chosenOn: .*/, `chosenOn: ${told}`);
    expect(advised).not.toBe(text);
    await writeFile(series.file, advised);
    const run = await startRelease(stack.client, await planRun(stack.client, series.file, WEEK, 1));
    const waiting = await reaches(stack.client, run, ['waiting', 'failed', 'partitions-failed', 'stalled'], 600);
    expect(waiting.state).toBe('waiting');
    // Of a Sunday of trams sometimes nothing is published that noise alone would not make.
    expect(['published-taps']).toEqual(expect.arrayContaining(waiting.attention));
    expect(await decideSmall(stack.client, series, run, 'approve', waiting.attention)).toMatchObject({
      accepted: true,
    });
    await reaches(stack.client, run, ['published'], 120);
    const folder = join(stack.files.publication, releasePath(run));
    expect((await verifyPublication(folder)).checks.filter(({ ok }) => !ok)).toEqual([]);
    const certificate = JSON.parse(await readFile(join(folder, FILES.certificate), 'utf8'));
    expect(certificate).toMatchObject({ chosenOn: told });
    const share = (point: { published: number | null }) => `${((point.published ?? 0) * 100).toFixed(1)} %`;
    const table = points.map((point: { risk: number; utility: number; published: number; words: string[] }) =>
      [point.words.join(' '), point.risk.toFixed(2), point.utility.toFixed(3), share(point)].join(' | '),
    );
    console.log([`PIF as it is ${original.toFixed(2)} bits`, ...table].join('\n'));
  },
  1_800_000,
);
