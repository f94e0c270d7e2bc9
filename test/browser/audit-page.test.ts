import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERDICTS } from '../../contracts/audit-report.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { FOREIGN_DECLARATIONS, foreignPageInput, pageInput } from '../../services/audit-page/audit-page.fixture.ts';
import { auditFigures, auditPage } from '../../services/audit-page/audit-page.ts';
import { newFolder } from '../support/new-folder.ts';

/** The browser stays on this machine, and its sandbox needs rights that a container does not give. */
const OPTIONS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

let browser: Browser;
const folder = newFolder();

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: await provideTool('chromium'), args: OPTIONS });
});
afterAll(async () => {
  await browser?.close();
});

/** Opens HTML in a window of this width, and notes what it asks for and complains of. */
async function open(html: string, width: number) {
  const file = join(folder, `${width}.html`);
  await writeFile(file, html);
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const address = pathToFileURL(file).href;
  await page.goto(address);
  return { page, complaints, requests: requests.filter((url) => url !== address) };
}

/** How far anything reaches over the right edge of the window, in pixels. */
const overhang = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Tables that reach beyond the element that contains them, and how far. */
const WIDE_TABLES = `[...document.querySelectorAll('table')]
  .map((table) => [table.caption.textContent, table.getBoundingClientRect().right - table.parentElement.getBoundingClientRect().right])
  .filter(([, over]) => over > 0)`;

/** Numbers that are broken over two lines: a power of ten, or a percentage. */
const BROKEN_NUMBERS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const match of node.data.matchAll(/[0-9][0-9.]*(\\s×\\s10[⁻⁰¹²³⁴-⁹]+|\\s%|e-[0-9]+)/g)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      if (range.getClientRects().length > 1) broken.push(match[0]);
    }
  return broken;
})()`;

/** Texts in drawings that reach out of their drawing, or over another text. */
const COVERED_TEXTS = `[...document.querySelectorAll('figure svg')].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  return boxes
    .filter(([, box], i) => box.left < frame.left - 1 || box.right > frame.right + 1 || boxes.some(([, other], j) => j < i && over(box, other)))
    .map(([words]) => words);
})`;

describe.each([360, 390, 1280])('at %i pixels', (width) => {
  test.each(VERDICTS)('the audit page of the verdict %s fits, and loads and complains of nothing', async (verdict) => {
    const { report, subject } = pageInput(verdict);
    const { page, requests, complaints } = await open(await auditPage(report, subject), width);
    expect(await overhang(page)).toBe(0);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
    expect(await page.locator('h1').count()).toBe(1);
    const images = await page.locator('svg, img').count();
    expect(await page.locator('svg[role=img]:has(> title)').count()).toBe(images);
    expect(await page.evaluate(COVERED_TEXTS)).toEqual([]);
    expect(await page.evaluate(WIDE_TABLES)).toEqual([]);
    expect(await page.evaluate(BROKEN_NUMBERS)).toEqual([]);
    expect(await page.locator('.banner .shape').isVisible()).toBe(true);
    await page.close();
  });
});

describe.each([360, 1280])('at %i pixels', (width) => {
  test.each(FOREIGN_DECLARATIONS)(
    'the page of a publication of somebody else fits, and loads and complains of nothing (declared: "%s")',
    async (declared) => {
      const { report, subject } = foreignPageInput(declared);
      const { page, requests, complaints } = await open(await auditPage(report, subject), width);
      expect(await overhang(page)).toBe(0);
      expect(complaints).toEqual([]);
      expect(requests).toEqual([]);
      expect(await page.evaluate(COVERED_TEXTS)).toEqual([]);
      expect(await page.evaluate(WIDE_TABLES)).toEqual([]);
      expect(await page.evaluate(BROKEN_NUMBERS)).toEqual([]);
      const figures = await page.locator('figure').count();
      expect(figures).toBe(5);
      for (const { title } of auditFigures(report, subject))
        expect(await page.getByRole('img', { name: title }).count()).toBe(1);
      await page.close();
    },
  );
});

test('a page that is too wide, loads and runs is caught', async () => {
  const { page, requests, complaints } = await open(
    '<h1 style="width: 2000px">x</h1><img src="missing.png"><script>throw new Error("no")</script>' +
      '<div style="width: 2em"><table><caption>wide</caption><td>abcdefghijklmnopq</td></table><p>7.1 % 3.60e-6</p></div>',
    390,
  );
  expect(await page.evaluate(WIDE_TABLES)).toEqual([['wide', expect.any(Number)]]);
  expect(await page.evaluate(BROKEN_NUMBERS)).toEqual(['7.1 %', '3.60e-6']);
  expect(await overhang(page)).toBeGreaterThan(0);
  expect(requests).toHaveLength(1);
  expect(complaints.length).toBeGreaterThan(0);
  await page.close();
});

test('on paper no figure is cut in two', async () => {
  const { report, subject } = pageInput('fail');
  const { page } = await open(await auditPage(report, subject), 1280);
  await page.emulateMedia({ media: 'print' });
  const breaks = await page.evaluate(
    "[...document.querySelectorAll('figure, table')].map((e) => getComputedStyle(e).breakInside)",
  );
  expect(new Set(breaks as string[])).toEqual(new Set(['avoid']));
  expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
  await page.close();
});
