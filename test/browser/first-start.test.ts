import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ending, type Running, run, start, words } from '../../cli/process.fixture.ts';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { newFolder } from '../support/new-folder.ts';
import { launchBrowser, takePicture, withAuthenticator } from './console-browser.fixture.ts';

/** What `npm start` starts, in a folder of its own; everything after it is done by the pages, as a person would. */
const folder = newFolder();
const SECOND = 'demo-taps/2026-03-09/v1';
const BROKEN = 'demo-taps/2026-03-16/v1';

let up: Running;
let said = '';
let browser: Browser;

/** Waits for words of the terminal. */
const says = (text: string): Promise<void> =>
  expect.poll(() => said, { timeout: 500_000, interval: 500 }).toContain(text);

const opaline = async (line: string): Promise<Ending> => {
  const ended = await run(words(line), { cwd: folder });
  expect([line, ended.code, ended.stderr]).toEqual([line, 0, expect.anything()]);
  return ended;
};

beforeAll(async () => {
  up = start(['up', '--example', 'demo'], { cwd: folder });
  for (const stream of [up.child.stdout, up.child.stderr])
    stream.on('data', (text: Buffer) => {
      said += text;
    });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  up?.child.kill('SIGINT');
  await up?.ending;
});

test('C16: from npm start to a signed approval and the published page', { timeout: 1_200_000 }, async () => {
  await says('The console, for one browser:');
  const { context, page } = await withAuthenticator(browser);
  const picture = (name: string) => takePicture(page, `start-${name}`);
  const link = /http:\/\/localhost:\S+/.exec(said)![0];
  const { origin } = new URL(link);
  const isShown = (release: string, state: string, timeout: number) =>
    expect
      .poll(
        async () => {
          await page.goto(`${origin}/releases/${release}`);
          return page.textContent('#state');
        },
        { timeout, interval: 2000 },
      )
      .toBe(state);
  await page.goto(link);
  expect(await page.textContent('h1')).toBe('What needs whom, now');
  await says(`Window 2026-03-16: the release is partitions-failed.`);

  // A passkey, which counts when the root has signed it.
  await page.click('text=Passkey');
  await page.click('#register');
  await page.waitForSelector('#entry');
  const entry = JSON.parse((await page.textContent('#entry'))!) as TrustVersion['approvers'][number];
  const fingerprint = (await page.textContent('#fingerprint'))!;
  const commands = (await page.textContent('#commands'))!.split('\n').map((line) => {
    expect(line).toMatch(/^opaline /);
    const named = line.replace('TRUST.json', '.opaline/trust.json').replace('ROOT.pem', '.opaline/keys/root.pem');
    return named.slice('opaline '.length);
  });
  expect(commands).toHaveLength(2);
  await opaline(commands[0]!);
  const draft = JSON.parse(await readFile(join(folder, 'next.json'), 'utf8')) as TrustVersion;
  await writeFile(join(folder, 'next.json'), JSON.stringify({ ...draft, approvers: [...draft.approvers, entry] }));
  const signed = await opaline(`${commands[1]!} --yes`);
  expect(`${signed.stdout}${signed.stderr}`).toContain(fingerprint);
  await page.reload();
  expect(await page.textContent('main')).toContain('in the trust file');
  expect(await page.locator('#entry').count()).toBe(0);
  // A gate reads its approvers again at most every few seconds.
  await page.waitForTimeout(12_000);

  // The good one: from the first page to the review, every point, and a touch.
  await page.goto(origin);
  await picture('now');
  await page.locator('.cards li', { hasText: SECOND }).getByRole('link').click();
  await page.waitForURL(`${origin}/releases/${SECOND}/review`);
  await picture('review');
  const form = page.locator('form:has(input[name=decision][value=approve])');
  for (const point of await form.locator('input[name=acknowledge]').all()) await point.check();
  await form.locator('textarea').fill('Every check passed, and nothing is missing.');
  await form.locator('button').click();
  await page.waitForURL(/\/sign\//);
  expect(await page.textContent('#words')).toContain(SECOND);
  await picture('sign');
  await page.click('#sign');
  await page.waitForURL(/review$/);
  expect(await page.textContent('.flash')).toContain('Your decision is signed and recorded: approve.');
  await isShown(SECOND, 'published', 120_000);
  const publication = join(folder, '.opaline', 'stores', 'publication');
  const checked = await opaline(`verify ${join(publication, SECOND)} --trust .opaline/trust.json --json`);
  expect(checked.stdout).toContain(entry.subject);
  await page.goto(pathToFileURL(join(publication, 'demo-taps', 'index.html')).href);
  expect(await page.textContent('body')).toContain('2026-03-09');

  // The failed one: delivered again, retried at 0 ε, and rejected with a reason.
  await page.goto(`${origin}/releases/${BROKEN}`);
  await picture('failed');
  const [, from, to] = /cp (\S+) (\S+)/.exec(said)!;
  await cp(join(folder, from!), join(folder, to!));
  await page.click('text=Retry what failed');
  expect(await page.textContent('.flash')).toContain('0 ε');
  await isShown(BROKEN, 'waiting', 200_000);
  await page.goto(`${origin}/releases/${BROKEN}/review`);
  await picture('mended');
  await context.close();
});
