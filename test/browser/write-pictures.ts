import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { provideTool } from '../../infra/provision/tools.mjs';

/**
 * `node test/browser/write-pictures.ts FOLDER` makes docs/pictures/console-….jpg from the screenshots that the tests of
 * this folder leave in OPALINE_SCREENSHOTS: each page at 390, 768 and 1,440 pixels, and in its dark form.
 */
const [, , folder] = process.argv;
if (folder === undefined) throw new TypeError('name the folder of the screenshots');

const WEEK = '_releases_small_2026-03-';
const PUBLIC = {
  now: '_',
  releases: '_releases',
  release: `${WEEK}02_v1`,
  failed: `${WEEK}16_v1`,
  review: `${WEEK}09_v1_review`,
  series: '_series_small',
  budget: '_ledger_small-riders',
  log: '_log',
  passkey: '_passkey',
  sign: '_sign',
};
const PRIVATE = {
  waits: '_',
  preview: '_preview shown',
  input: '_releases_small_2026-03-02_v1',
  risk: '_releases_small_2026-03-02_v1_risk',
  policy: '_policy',
};
const sheets = [
  ...Object.entries(PUBLIC).map(([name, page]) => ({
    name: `console-${name}`,
    files: [`${page} light-390`, `${page} light-768`, `${page} light-1440`, `${page} dark-1440`],
  })),
  ...Object.entries(PRIVATE).map(([name, page]) => ({
    name: `custodian-${name}`,
    files: [`${page} light-390`, `${page} light-768`, `${page} light-1440`, `${page} dark-1440`].map(
      (one) => `custodian ${one}`,
    ),
  })),
];

/** Pixels of each of the four on a sheet, and of its height: what is further down is cut off. */
const WIDTHS = [195, 320, 480, 480];
const HEIGHT = 560;

const browser = await chromium.launch({
  executablePath: await provideTool('chromium'),
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1535, height: HEIGHT + 20 } });
for (const { name, files } of sheets) {
  const images = await Promise.all(files.map((file) => readFile(join(folder, `${file}.png`), 'base64')));
  const boxes = images.map(
    (image, place) =>
      `<div style="width:${WIDTHS[place]}px;height:${HEIGHT}px;overflow:hidden;border:1px solid #aaa"><img style="width:100%;display:block" src="data:image/png;base64,${image}"></div>`,
  );
  await page.setContent(`<body style="margin:8px;display:flex;gap:10px;background:#888">${boxes.join('')}</body>`);
  const path = new URL(`../../docs/pictures/${name}.jpg`, import.meta.url).pathname;
  await page.screenshot({ path, type: 'jpeg', quality: 72 });
}
await browser.close();
