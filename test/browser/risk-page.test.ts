import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { riskAdvice } from '../../custodian/risk/advice.ts';
import { advicePage } from '../../custodian/risk/advice-page.ts';
import { riskPage } from '../../custodian/risk/report-page.ts';
import { openCustodianSide, TRIPS } from '../../custodian/risk/risk.fixture.ts';
import { riskReport } from '../../custodian/risk/risk-report.ts';
import { type RiskSubject, withSubject } from '../../custodian/risk/risk-subject.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { newFolder } from '../support/new-folder.ts';

/** The browser stays on this machine, and its sandbox needs rights that a container does not give. */
const OPTIONS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];

let browser: Browser;
const folder = newFolder();
const pages: Record<string, string> = {};

beforeAll(async () => {
  const side = await openCustodianSide();
  const path = join(side.folder, 'trips.csv');
  await writeFile(path, `${TRIPS}\n`);
  const columns = { measured: null, id: 'card', order: 'on_time' };
  const subject: RiskSubject = { kind: 'file', path, columns, levels: new Map() };
  const bins = [{ columns: ['on_time'], words: ['60', 'drop'] }];
  const report = await withSubject(side.context, subject, (opened) =>
    riskReport(opened, { known: null, bins, key: Buffer.from('key') }),
  );
  const goal = { kind: 'risk', most: 20 } as const;
  const advice = await withSubject(side.context, subject, (opened) =>
    riskAdvice(opened, { known: null, choices: bins, goal, cells: null, noise: null }),
  );
  pages.report = await riskPage(report, 'trips.csv');
  pages.advice = await advicePage(advice, 'trips.csv');
  browser = await chromium.launch({ executablePath: await provideTool('chromium'), args: OPTIONS });
});
afterAll(async () => {
  await browser?.close();
});

describe.each([360, 1280])('at %i pixels', (width) => {
  test.each(['report', 'advice'])('the page of the %s fits, and loads and complains of nothing', async (name) => {
    const file = join(folder, `${name}-${width}.html`);
    await writeFile(file, pages[name]!);
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    const [requests, complaints]: string[][] = [[], []];
    page.on('request', (request) => requests!.push(request.url()));
    page.on('console', (message) => complaints!.push(message.text()));
    page.on('pageerror', (error) => complaints!.push(error.message));
    await page.goto(pathToFileURL(file).href);
    const overhang = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect({ overhang, complaints, requests }).toEqual({
      overhang: 0,
      complaints: [],
      requests: [pathToFileURL(file).href],
    });
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.locator('figure svg').count()).toBe(name === 'report' ? 2 : 1);
    expect(await page.locator('strong').first().textContent()).toContain('Confidential');
    await page.close();
  });
});
