import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provideChromium } from '../../infra/provision/tools.mjs';
import { publishedSeries } from '../validators/published-series.fixture.ts';

/** The browser stays on this machine, and its sandbox needs rights that a container does not give. */
const OPTIONS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const WIDTHS = [390, 768, 1440];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let browser: Browser;
let folder: string;
/** Every page: those of the series, and the audit of a release. */
let pages: string[];
let axe: string;

beforeAll(async () => {
  const published = await publishedSeries();
  ({ folder } = published);
  pages = (await readdir(folder)).filter((name) => name.endsWith('.html')).map((name) => join(folder, name));
  pages.push(join(published.newest, 'audit.html'));
  axe = await readFile(AXE, 'utf8');
  browser = await chromium.launch({ executablePath: await provideChromium(), args: OPTIONS });
});
afterAll(async () => {
  await browser?.close();
});

async function open(file: string, options: Parameters<Browser['newPage']>[0]): Promise<Page> {
  // The page itself runs nothing: its policy is set aside for axe, which is not of the page.
  const page = await browser.newPage({ bypassCSP: true, ...options });
  await page.goto(pathToFileURL(file).href);
  return page;
}

/** Rules of WCAG 2.2 AA that a page breaks, with the first place of each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const found = (await page.evaluate(`window.axe.run(document, { runOnly: ${JSON.stringify(tags)} })`)) as AxeResults;
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`);
}

test.each(['light', 'dark'] as const)('axe finds nothing on any page, %s', async (colorScheme) => {
  for (const file of pages) {
    const page = await open(file, { colorScheme, viewport: { width: 390, height: 800 } });
    expect([file, await violations(page)]).toEqual([file, []]);
    await page.close();
  }
});

test('broken twin: axe sees a picture without a name, and grey on grey', async () => {
  const page = await browser.newPage();
  await page.setContent(
    '<html lang="en"><title>a</title><main><h1>a</h1><svg role="img"><rect/></svg><p style="color:#bbb">grey words</p></main>',
  );
  expect((await violations(page)).map((one) => one.split(':')[0])).toEqual(
    expect.arrayContaining(['svg-img-alt', 'color-contrast']),
  );
});

test('nothing reaches over the edge of a phone, a tablet or a desk', async () => {
  for (const file of pages)
    for (const width of WIDTHS) {
      const page = await open(file, { viewport: { width, height: 800 } });
      const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect([file, width, over]).toEqual([file, width, 0]);
      await page.close();
    }
});

test('the list of releases fits a phone without scrolling, with no word, day or version broken over two lines', async () => {
  const page = await open(join(folder, 'index.html'), { viewport: { width: 390, height: 800 } });
  const over = await page.evaluate(
    "[...document.querySelectorAll('.words')].map((region) => region.scrollWidth - region.clientWidth)",
  );
  expect(over).toEqual([0]);
  const lines = await page.evaluate(
    "[...document.querySelectorAll('.words thead th, .words td, .words .day')].map((one) => { const range = document.createRange(); range.selectNodeContents(one); return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8))).size; })",
  );
  expect(new Set(lines as number[])).toEqual(new Set([1]));
  await page.close();
});

test('a browser reads the feed as well-formed XML with an entry for everything that happened', async () => {
  const page = await browser.newPage();
  const text = await readFile(join(folder, 'feed.atom'), 'utf8');
  const entries = await page.evaluate(
    `(() => {
      const feed = new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xml');
      return feed.querySelector('parsererror') ? 'broken' : [...feed.querySelectorAll('entry > link')].map((link) => link.getAttribute('href'));
    })()`,
  );
  expect(entries).toHaveLength(3);
});
