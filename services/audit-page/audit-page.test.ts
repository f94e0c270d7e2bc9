import { describe, expect, test } from 'vitest';
import { audit } from '../../activities/public/audit.ts';
import { derive } from '../../activities/public/derive.ts';
import { VERDICTS } from '../../contracts/audit-report.ts';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import { parseRational, rational } from '../../core/rational/rational.ts';
import { noiseOfCells } from '../../counts/audit/checks/declared-noise.ts';
import { suppressionLimit } from '../../counts/audit/checks/suppressed-cell.ts';
import type { CertificateRequest } from '../../counts/certificate/certify.ts';
import { absenceInterval } from '../../counts/mechanisms/count-interval.ts';
import { TEST_BUILD } from '../../test/support/folder-contexts.ts';
import { testRelease } from '../../test/support/test-release.ts';
import { readBytes, sha256 } from '../stores/json-objects.ts';
import { FOREIGN_DECLARATIONS, foreignPageInput, type PageInput, pageInput } from './audit-page.fixture.ts';
import { auditFigures, auditPage } from './audit-page.ts';
import { spread } from './figures/people-figure.ts';
import { labelOf } from './page-subject.ts';

const pageOf = ({ report, subject }: Pick<PageInput, 'report' | 'subject'>) => auditPage(report, subject);

/** The icon is in the page itself. */
const ICON = /<link rel="icon" href="data:image\/svg\+xml,[^"]+">/;

/** Certificates of each kind that the page meets. */
const REQUESTS: [name: string, change: Partial<CertificateRequest>][] = [
  ['remainders', {}],
  ['card', { unit: 'card-window', maxTaps: 8, split: { cells: '8' } }],
  ['wide noise', { epsilon: '1/4', split: { cells: '1/4' } }],
  ['complete domain', { mechanism: 'complete-domain', delta: '0', split: { cells: '8' } }],
  ['2017', { mechanism: 'sbh-2017', split: { cells: '8' } }],
];

test('C18: equal input gives equal bytes, in whatever order pages are made', async () => {
  const first = await pageOf(pageInput('fail'));
  await pageOf(pageInput('pass', { epsilon: '2', split: { cells: '2' } }));
  expect(await pageOf(pageInput('fail'))).toBe(first);
  const [a, b] = await Promise.all([pageOf(pageInput('fail')), pageOf(pageInput('fail'))]);
  expect([a, b]).toEqual([first, first]);
});

test.each(VERDICTS)('the verdict %s comes first, as a word, a shape and a heading', async (verdict) => {
  const input = pageInput(verdict);
  const page = await pageOf(input);
  expect(input.report.verdict).toBe(verdict);
  const word = { pass: 'Pass', attention: 'Attention', fail: 'Fail' }[verdict];
  const body = page.slice(page.indexOf('<body>'));
  expect(body.indexOf(`<title>${word}</title>`)).toBeLessThan(body.indexOf('<h1>'));
  expect(body).toContain(`<h1>${word}: `);
  expect(body.indexOf('<h1>')).toBeLessThan(body.indexOf('<h2>'));
  expect(body.includes('What has to be looked at')).toBe(verdict !== 'pass');
  for (const { id, sentence } of input.report.checks) {
    expect(body).toContain(`<code>${id}</code>`);
    expect(body.replaceAll('\u00a0', ' ')).toContain(sentence.replaceAll("'", '&#39;'));
  }
});

test('small numbers are written with their power of ten, and bounds are rounded up', async () => {
  const { report, subject, certificate } = pageInput('attention');
  const page = await pageOf({ report, subject });
  expect(page).toContain('4.78\u00a0×\u00a010⁻⁷');
  expect(page).toContain('1\u00a0in\u00a02,100,000');
  expect(certificate.deltaUpper).toMatch(/^9\.566\d+e-7$/);
  expect(page).toContain('<td>9.57\u00a0×\u00a010⁻⁷</td>');
  const words = page.slice(page.indexOf('<body>')).replaceAll(/<svg[\s\S]*?<\/svg>/g, '');
  expect(words).not.toMatch(/\de-\d|\d %/);
  const names = { ...subject, title: 'series-e-7 of 12e-4-2026', gaps: ['a1e-5', '10.5e-6b'] };
  const text = await pageOf({ report, subject: names });
  for (const name of [names.title, ...names.gaps]) expect(text).toContain(name);
});

test('where empty cells have noise too, the page says that a published cell proves nobody', async () => {
  const people = {
    mechanism: 'discrete-gaussian',
    unit: 'card-window',
    maxTaps: 4,
    place: 2,
    neighbours: 'add-remove',
    epsilon: '1',
    delta: '1/1000000',
    split: { cells: '1' },
    floor: 32,
  } as const;
  const [floor, threshold] = await Promise.all([people, {}].map((change) => pageOf(pageInput('pass', change))));
  const words = (page: string): string => page.replaceAll('\u00a0', ' ');
  expect(words(floor!)).toMatch(
    /A cell that is published does not prove that anybody was there: one in which nobody was is published with a chance of 1 in /,
  );
  expect(words(floor!)).toMatch(
    /A cell with nobody in it shows at least once with a chance of 1 in \d+: to show does not prove that anybody was there\./,
  );
  expect(words(floor!)).not.toContain('tells that somebody was there');
  expect(words(threshold!)).toContain('A cell that is published tells that somebody was there.');
  expect(words(threshold!)).not.toContain('nobody in it');
});

test('what fails is shown before what needs attention', async () => {
  const page = await pageOf(pageInput('fail'));
  expect(page.indexOf('<code>sums</code>')).toBeLessThan(page.indexOf('<code>holes</code>'));
});

test.each(REQUESTS)('nothing is loaded or run, and nothing comes out as no number (%s)', async (_name, change) => {
  const page = await pageOf(pageInput('attention', change));
  expect(page).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"`,
  );
  expect(page.replace(ICON, '')).not.toMatch(
    /<script|<link|<img|<iframe|\b(src|href|on[a-z]+)=|url\(|@import|https?:|\/\//i,
  );
  expect(page).not.toMatch(/undefined|NaN|Infinity|\bnull\b|\[object/);
  expect(page).not.toMatch(/\d{4}-\d{2}-\d{2}T\d{2}/);
});

test.each(REQUESTS)(
  'headings are in order, ids are unique, images have words, tables captions (%s)',
  async (_name, change) => {
    const page = await pageOf(pageInput('attention', change));
    const levels = [...page.matchAll(/<h(\d)>/g)].map((match) => Number(match[1]));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [svg] of page.matchAll(/<svg[\s\S]*?<\/svg>/g))
      expect(svg).toMatch(/role="img"[^>]*>\s*<title[^>]*>[^<]+</);
    expect([...page.matchAll(/<table>\n<caption>[^<]+</g)]).toHaveLength([...page.matchAll(/<table/g)].length);
    expect(page).toContain('<html lang="en">');
  },
);

describe.each(FOREIGN_DECLARATIONS)('the page of a publication of somebody else, declared: "%s"', (declared) => {
  test('gives the verdict for it, every check, and what cannot be learnt', async () => {
    const input = foreignPageInput(declared);
    const page = await pageOf(input);
    expect(page).toContain('<h1>Fail: this is not fit to be published.</h1>');
    expect(page).toContain('<p class="kicker">Audit of opal</p>');
    expect(page).toContain('2 tables with 6 counts on 2016-08-12.');
    expect(page).toContain('Left out, for it holds no counts: README.md.');
    for (const { id } of input.report.checks) expect(page).toContain(`<code>${id}</code>`);
    expect(input.subject.gaps.length).toBeGreaterThan(0);
    expect([...page.matchAll(/<li>/g)]).toHaveLength(input.subject.gaps.length);
    // Words that hold for a release of ours only.
    expect(page).not.toMatch(/acknowledge|statement\.md|audit\.json|Parameters of the certificate/);
  });

  test('loads and runs nothing, and nothing comes out as no number', async () => {
    const page = await pageOf(foreignPageInput(declared));
    expect(page.replace(ICON, '')).not.toMatch(
      /<script|<link|<img|<iframe|\b(src|href|on[a-z]+)=|url\(|@import|https?:|\/\//i,
    );
    expect(page).not.toMatch(/undefined|NaN|Infinity|\bnull\b|\[object/);
    expect(await pageOf(foreignPageInput(declared))).toBe(page);
  });

  test('shows what can be subtracted, and how strong the noise is only when it is known', async () => {
    const { report, subject } = foreignPageInput(declared);
    const ids = auditFigures(report, subject).map(({ id }) => id);
    const last = declared === '' ? 'scale' : 'count';
    expect(ids).toEqual(['presence', 'accumulation', 'differences', 'missing', last]);
    const page = await pageOf({ report, subject });
    expect(page.includes('what is declared</td>')).toBe(declared !== '');
    expect(page.includes('smallest count</td>')).toBe(declared === '');
  });
});

test('a label in a drawing keeps both ends of a long name', () => {
  expect(labelOf('location.csv')).toBe('location.csv');
  const label = labelOf('train_tap_on_timeloc_20160725-31.csv');
  expect(label).toMatch(/^train_tap.*….*725-31\.csv$/);
  expect(label).toHaveLength(30);
});

test('every text is escaped', async () => {
  const evil = `<script>alert("1")</script>&'`;
  const { report, certificate, subject } = pageInput('attention');
  const checks = report.checks.map((check) => ({ ...check, id: evil, attack: evil, sentence: evil }));
  const scale = { ...checks[2]!, id: 'scale' };
  const page = await auditPage(
    { ...report, release: evil, checks: [...checks, scale] },
    { ...subject, title: evil, cover: evil, gaps: [evil], certificate: { ...certificate, deltaUpper: evil } },
  );
  expect(page).not.toContain('<script');
  expect(page).not.toContain(`&'`);
  expect(page.split('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;').length).toBeGreaterThan(15);
});

test('a report without checks makes a page: the first verdict of another build stands', async () => {
  const { subject } = pageInput('pass');
  const report = {
    format: 'opaline-audit/2' as const,
    release: 'demo/2026-03-02/v1',
    verdict: 'fail' as const,
    checks: [],
  };
  expect(await auditPage(report, subject)).toContain('No attack is recorded.');
});

test('a complete domain has no missing cells and nobody who shows: those figures are left out', () => {
  const { report, subject } = pageInput('pass', {
    mechanism: 'complete-domain',
    delta: '0',
    split: { cells: '8' },
  });
  expect(auditFigures(report, subject).map(({ id }) => id)).toEqual(['count', 'scale']);
});

test('C19: the interval of a missing cell is the one of the reading guide', () => {
  for (const [, change] of REQUESTS.slice(0, 3)) {
    const { certificate } = pageInput('pass', change);
    for (const [share, exact] of [
      [0.9, rational(9n, 10n)],
      [0.95, rational(19n, 20n)],
      [0.99, rational(99n, 100n)],
    ] as const)
      expect(suppressionLimit(noiseOfCells(certificate), share)).toBe(
        absenceInterval(certificate.threshold!, exact, {
          law: 'discrete-laplace',
          amount: parseRational(certificate.scale),
        }).highest,
      );
  }
});

test('labels that would cover each other are moved apart, in their order, and stay inside', () => {
  expect(spread([0.1, 0.5, 0.9], 0.1)).toEqual([0.1, 0.5, 0.9]);
  const moved = spread([0.98, 0.99, 1], 0.1);
  expect(moved[2]).toBe(1);
  expect(moved[2]! - moved[1]!).toBeCloseTo(0.1);
  expect(moved[1]! - moved[0]!).toBeCloseTo(0.1);
});

test('the audit stage stages the page, and the manifest names it', async () => {
  const release = await testRelease();
  const { releaseStore } = release.context;
  await derive(release.context, release.input);
  const { verdict } = await audit(release.context, release.input);
  const staged = (file: string) => readBytes(releaseStore, RELEASE_KEYS.staged(release.run, TEST_BUILD, file));
  const page = await staged(FILES.auditPage);
  expect(verdict).toBe('pass');
  expect(page.toString()).toContain('<h1>Pass: ');
  expect((await staged(FILES.manifest)).toString()).toContain(sha256(page));
});
