import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { provideTool } from '../../infra/provision/tools.mjs';
import { newFolder } from '../support/new-folder.ts';
import { publishedSeries } from '../validators/published-series.fixture.ts';
import { publishedTown } from './town.fixture.ts';

/** The browser stays on this machine, and its sandbox needs rights that a container does not give. */
const OPTIONS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const WIDTHS = [390, 768, 1280, 1440];
/** Where pictures of the pages go: OPALINE_SCREENSHOTS, to look at them, or a folder that is removed. */
const PICTURES = process.env.OPALINE_SCREENSHOTS ?? newFolder();
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let browser: Browser;
let folder: string;
/** The page of a release with places: a ferry with 200 taps beside a train with 2 million. */
let town: string;
/** Every page: those of the series, and the audit of a release. */
let pages: string[];
let axe: string;

beforeAll(async () => {
  const published = await publishedSeries();
  ({ folder } = published);
  pages = (await readdir(folder)).filter((name) => name.endsWith('.html')).map((name) => join(folder, name));
  pages.push(join(published.newest, 'audit.html'));
  const series = await publishedTown();
  town = join(series, '2026-03-02-v1.html');
  pages.push(town, join(series, 'index.html'), join(series, '2026-03-02', 'v1', 'audit.html'));
  axe = await readFile(AXE, 'utf8');
  browser = await chromium.launch({ executablePath: await provideTool('chromium'), args: OPTIONS });
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

const findsNothing = async (colorScheme: 'light' | 'dark') => {
  for (const file of pages) {
    const page = await open(file, { colorScheme, viewport: { width: 390, height: 800 } });
    expect([file, await violations(page)]).toEqual([file, []]);
    await page.close();
  }
};
test('axe finds nothing on any page, light', () => findsNothing('light'));
test('axe finds nothing on any page, dark', { tags: 'soak' }, () => findsNothing('dark'));

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

/** The page of the town as readers have it, under its own policy, with what it complains of and asks for. */
async function openTown(options: Parameters<Browser['newPage']>[0], file = town) {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && request.url() !== pathToFileURL(file).href)
      complaints.push(request.url());
  });
  await page.goto(pathToFileURL(file).href);
  return { page, complaints };
}

/** Of each picture of a part, how many pixels its largest bar is high, or its largest circle is wide. */
const LARGEST = `[...document.querySelectorAll('.chart figure')].map((figure) => [
  figure.querySelector('figcaption').firstChild.textContent.trim(),
  Math.max(...[...figure.querySelectorAll('rect:not(.map rect), circle')].map((mark) => mark.getBoundingClientRect().height)),
])`;

const visibleRows = (page: Page): Promise<string[][]> =>
  page.evaluate(
    "[...document.querySelectorAll('.tall tbody tr')].filter((row) => row.checkVisibility()).map((row) => [...row.cells].filter((cell) => cell.checkVisibility()).map((cell) => cell.textContent))",
  );

const visibleMaps = (page: Page): Promise<string[]> =>
  page.evaluate(
    "[...document.querySelectorAll('.map')].filter((map) => map.checkVisibility()).map((map) => map.dataset.part)",
  );

const numberIn = (text: string): number => Number(text.replaceAll('\u202f', ''));

describe.each([390, 1280])('a release with places, at %i pixels', (width) => {
  test.each(['light', 'dark'] as const)(
    'a ferry with 200 taps is seen beside a train with 2 million, %s',
    async (colorScheme) => {
      const { page, complaints } = await openTown({ colorScheme, viewport: { width, height: 800 } });
      const largest = (await page.evaluate(LARGEST)) as [string, number][];
      expect(largest.map(([part]) => part)).toEqual(['bus', 'ferry', 'train', 'bus', 'ferry', 'train']);
      for (const [, pixels] of largest) expect(pixels).toBeGreaterThan(25);
      expect(await page.locator('.scale').allTextContents()).toEqual(
        largest.map(() => expect.stringMatching(/^scale of its own, .*[0-9]/)),
      );
      await mkdir(PICTURES, { recursive: true });
      const picture = await page.screenshot({
        fullPage: true,
        path: join(PICTURES, `release-${width}-${colorScheme}.png`),
      });
      expect(picture.readUInt32BE(16)).toBe(width);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('what is wider than the page scrolls by itself, has a name, and is reached by keys', async () => {
    const { page } = await openTown({ viewport: { width, height: 800 } });
    const regions = (await page.evaluate(
      "[...document.querySelectorAll('.wide, pre')].map((one) => [one.tabIndex, one.ariaLabel ?? one.textContent])",
    )) as [number, string][];
    for (const [tabIndex, name] of regions) expect([tabIndex, name.length > 0]).toEqual([0, true]);
    await page.focus('#filter-part');
    const reached: string[] = [];
    for (const _ of [1, 2, 3]) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate('document.activeElement.id || document.activeElement.ariaLabel'));
    }
    expect(reached).toEqual(['filter-day', 'filter-place', 'Places, as a table']);
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate('document.activeElement.scrollTop')).toBeGreaterThan(0);
    await page.close();
  });
});

test('circles are the numbers of the table, by area', async () => {
  const { page } = await openTown({});
  const rows = await visibleRows(page);
  const drawn = new Set<number>();
  for (const part of ['bus', 'ferry', 'train']) {
    const circles = (await page.evaluate(
      `[...document.querySelectorAll('.map[data-part=${part}] circle')].map((one) => [Number(one.dataset.row), Number(one.getAttribute('r')), one.textContent])`,
    )) as [number, number, string][];
    const [largest] = circles.map(([row, radius]) => [numberIn(rows[row]![2]!), radius] as const);
    expect(circles.length).toBeGreaterThan(5);
    for (const [row, radius, words] of circles) {
      drawn.add(row);
      const [name, mode, count] = rows[row]!;
      expect([mode, words]).toEqual([part, `${name}: ${count}`]);
      const area = Math.max(0, numberIn(count!)) / largest![0];
      if (radius > 1.5) expect((radius / largest![1]) ** 2).toBeCloseTo(area, 1);
    }
  }
  const words = await page.locator('p:has-text("no coordinates")').textContent();
  for (const [name] of rows.filter((_, at) => !drawn.has(at))) expect(words).toContain(name!.split(' (')[0]);
  expect(drawn.size).toBeLessThan(rows.length);
  await page.close();
});

test('without a server: mode, day and place are filtered, in the table and on the maps', async () => {
  const { page, complaints } = await openTown({});
  const all = await visibleRows(page);
  expect(await page.textContent('#filter-shown')).toBe(`${all.length} of ${all.length} places`);
  await page.selectOption('#filter-part', 'ferry');
  const ferries = await visibleRows(page);
  expect(ferries).toEqual(all.filter(([, mode]) => mode === 'ferry'));
  expect(await visibleMaps(page)).toEqual(['ferry']);
  await page.selectOption('#filter-day', '2026-03-04');
  expect(await visibleRows(page)).toEqual(ferries.map(([name, mode, , , , day]) => [name, mode, day]));
  const largest = ferries
    .filter(([name]) => !/list/.test(name!))
    .reduce((a, b) => (numberIn(b[5]!) > numberIn(a[5]!) ? b : a));
  expect(await page.textContent('.map[data-part=ferry] .largest')).toBe(`${largest[5]}, ${largest[0]}`);
  await page.fill('#filter-place', 'amberPOINT');
  expect((await visibleRows(page)).map(([name]) => name)).toEqual(['Amberpoint (F100)']);
  await page.fill('#filter-place', 'nowhere');
  expect(await visibleRows(page)).toEqual([]);
  await page.fill('#filter-place', '');
  await page.selectOption('#filter-part', 'All');
  await page.selectOption('#filter-day', 'All days');
  expect(await visibleRows(page)).toEqual(all);
  expect(complaints).toEqual([]);
  await page.close();
});

test('axe finds nothing while the filter is in use', async () => {
  const page = await open(town, { viewport: { width: 390, height: 800 } });
  await page.selectOption('#filter-part', 'ferry');
  await page.selectOption('#filter-day', '2026-03-04');
  expect(await violations(page)).toEqual([]);
  await page.close();
});

test('without scripts, and on paper, the page shows everything but the filter', async () => {
  const { page } = await openTown({ javaScriptEnabled: false });
  expect(await page.locator('#filter').isVisible()).toBe(false);
  expect(await page.locator('.map:visible').count()).toBe(3);
  expect(await page.locator('.tall tbody tr:visible').count()).toBe(110);
  await page.close();
  const { page: paper } = await openTown({ colorScheme: 'dark' });
  await paper.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await paper.locator('#filter').isVisible()).toBe(false);
  expect(await paper.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  const cut = "(() => { const one = document.querySelector('.tall'); return one.scrollHeight - one.clientHeight; })()";
  expect(await paper.evaluate(cut)).toBe(0);
  await paper.close();
});

test('the policy of the page runs its own script and no other, and its icon is a picture', async () => {
  const text = await readFile(town, 'utf8');
  const other = join(newFolder(), 'other.html');
  await writeFile(other, text.replace('</main>', "</main><script>document.title = 'run'</script>"));
  const { page, complaints } = await openTown({}, other);
  expect(await page.title()).not.toBe('run');
  expect(complaints).toEqual([expect.stringContaining('Content Security Policy')]);
  expect(await page.locator('#filter').isVisible()).toBe(true);
  const icon = `new Promise((resolve) => { const image = new Image(); image.onload = () => resolve(image.width > 0); image.onerror = () => resolve(false); image.src = document.querySelector('link[rel=icon]').href; })`;
  expect(await page.evaluate(icon)).toBe(true);
  await page.close();
});
