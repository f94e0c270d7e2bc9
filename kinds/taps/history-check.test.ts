import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readFolder } from '../../client/verify/folder-files.ts';
import { attest, bury, decide, edit, sealAll, sealManifest } from '../../client/verify/forgery.fixture.ts';
import { underName } from '../../client/verify/place.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import type { AuditReport } from '../../contracts/audit-report.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { attentionPoints } from '../../core/verdict/verdict.ts';
import { certify } from '../../counts/certificate/certify.ts';
import { timeLabels } from '../../services/calendar/time-zone.ts';
import { Publication } from '../../services/publication/publication.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { drawTable } from '../../test/support/draw-rows.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { publishRelease } from '../../test/support/publish-release.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { anotherRelease, testRelease, testSeries, testTables } from '../../test/support/test-release.ts';
import { ada, ben, TEST_CHAIN } from '../../test/support/trust-files.ts';
import { checkHistory } from './history-check.ts';
import { tapsOf } from './taps-domain.ts';

const WINDOWS = ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23', '2026-03-30'];
/** Published after the last one, which has not read it. */
const LATE = '2026-04-06';
const LAST = '2026-04-13';

const scratch = newFolder();
let honest: string;

/** Windows of a series with noisy totals, each audited beside those before; buses of the last week came thrice. */
beforeAll(async () => {
  const series = testSeries({
    privacy: { ...testSeries().privacy, split: { cells: '7', time: '1' } },
  });
  const domain = {
    taps: tapsOf(series),
    times: timeLabels(series, '2026-03-02'),
    locations: ['Circular Quay', 'Manly', 'Mosman, "Bay"', 'UNKNOWN'],
  };
  const random = seededSource(7);
  const tables = (share: number) =>
    testTables().map(({ part, day, cells }) => {
      const many = cells.map(
        ([tap, time, place]) => [tap, time, place, part === 'bus' ? share : 8000] satisfies (typeof cells)[number],
      );
      return drawTable({ part, day }, many, domain, certify(series.privacy), random);
    });
  const first = await testRelease(series, tables(9000));
  await publishRelease(first);
  for (const window of [...WINDOWS.slice(1), LAST, LATE])
    await publishRelease(await anotherRelease(first, { window }, tables(window === LAST ? 30_000 : 9000)));
  honest = join(first.folder, 'publication', 'demo');
}, 600_000);

let copies = 0;
/** A copy of the series under its own name, in which the last window is looked at. */
async function copied(): Promise<{ series: string; last: string; of: (window: string, version?: number) => string }> {
  copies += 1;
  const series = join(scratch, `history-${copies}`, 'demo');
  await cp(honest, series, { recursive: true });
  const of = (window: string, version = 1) => join(series, window, `v${version}`);
  return { series, of, last: of(LAST) };
}

async function found(folder: string, history?: string) {
  const { checks } = await verifyPublication(folder, TEST_CHAIN, undefined, history);
  const { sentence, ok } = checks.find(({ id }) => id === 'history')!;
  return { ok, sentence, failed: checks.filter((one) => !one.ok).map(({ id }) => id) };
}

/** Changes the audit, and signs all of it again as approvers and publisher can. */
async function audited(folder: string, change: (audit: AuditReport) => void): Promise<void> {
  await edit(folder, 'audit.json', (text) => {
    const audit: AuditReport = JSON.parse(text);
    change(audit);
    return jsonBytes(audit).toString();
  });
  await sealed(folder);
}

/** Signs what is there, as people would who have seen what asks for attention. */
async function sealed(folder: string): Promise<void> {
  await sealManifest(folder);
  const acknowledged = attentionPoints(JSON.parse(await readFile(join(folder, 'audit.json'), 'utf8')));
  const approvals = [ada, ben].map((person) => decide(folder, person, { acknowledged }));
  await attest(folder, [ada, ben], await Promise.all(approvals));
}

const usual = ({ checks }: AuditReport) => checks.find(({ id }) => id === 'usual-taps')!;

test('@contract C15 what the audit found beside earlier publications is made again from them', async () => {
  const { last } = await copied();
  const audit: AuditReport = JSON.parse(await readFile(join(last, 'audit.json'), 'utf8'));
  expect(usual(audit)).toMatchObject({ verdict: 'attention' });
  expect(usual(audit).sentence).toContain('Far more taps than is usual: bus/2026-04-13');
  const { ok, sentence } = await found(last);
  expect([ok, sentence]).toEqual([
    true,
    `What the audit found beside earlier days follows from the earlier publications ${[...WINDOWS]
      .reverse()
      .map((window) => `demo/${window}/v1`)
      .join(', ')}.`,
  ]);
  expect((await found(join(honest, WINDOWS[0]!, 'v1'))).sentence).toBe(
    'What the audit found beside earlier days follows from no earlier publication.',
  );
});

test('nothing of an earlier publication is read twice, as each may be far away', async () => {
  const { series, last } = await copied();
  const reads = new Map<string, number>();
  const folder = underName('demo', new FolderStore(series));
  const counting: ObjectReader = {
    list: (prefix) => folder.list(prefix),
    get: (key) => {
      reads.set(key, (reads.get(key) ?? 0) + 1);
      return folder.get(key);
    },
  };
  const sentence = await checkHistory(
    new Publication(await readFolder(last)),
    { store: counting, isNamed: true },
    TEST_CHAIN,
  );
  expect(sentence).toContain('follows from the earlier publications');
  expect(reads.size).toBeGreaterThan(WINDOWS.length * 8);
  expect([...reads].filter(([, times]) => times > 1)).toEqual([]);
});

test('where the history is not at hand one line says so, and --history names its place', async () => {
  const { series, last } = await copied();
  const alone = join(scratch, `alone-${copies}`);
  await rename(last, alone);
  expect(await found(alone)).toMatchObject({
    ok: true,
    sentence:
      'Not made again: what the audit found beside 5 earlier publications; name the place of the series with --history.',
  });
  expect((await found(alone, series)).sentence).toContain('follows from the earlier publications demo/2026-03-30/v1');
  await expect(found(alone, 'ftp://example.org/demo')).rejects.toThrow('https');
});

test.each<[string, RegExp, (audit: AuditReport) => void]>([
  [
    'a sentence that names nothing',
    /gives? that it names|: usual-taps\./,
    (audit) => {
      usual(audit).sentence = 'Of 4 partitions none has far more or fewer taps than is usual.';
    },
  ],
  ['a number', /: usual-taps\./, (audit) => void Object.assign(usual(audit), { statistic: 1 })],
  ['a check less', /usual-profile/, (audit) => void audit.checks.splice(audit.checks.indexOf(usual(audit)) + 1, 1)],
  ['the check twice', /twice|usual/, (audit) => void audit.checks.push(usual(audit))],
  ['a wider range', /usual ranges/, ({ history }) => void Object.assign(history!.days[0]!, { usual: [0, 99_999] })],
  ['a changed place more', /changed places/, ({ history }) => void history!.places.push({ ...place })],
  ['a declared day more', /Not what/, ({ history }) => void history!.unusual.push({ ...odd })],
  ['a publication less', /Not what/, ({ history }) => void history!.read.shift()],
  ['another order', /newest first/, ({ history }) => void history!.read.reverse()],
  [
    'one of another series',
    /earlier ones of this series/,
    ({ history }) => void Object.assign(history!.read[4]!, { release: OTHER }),
  ],
  ['no history', /does not say/, (audit) => void delete audit.history],
  [
    'other totals',
    /audit read: demo\/2026-03-30/,
    ({ history }) => void Object.assign(history!.read[0]!, { totals: 'ab'.repeat(32) }),
  ],
])('C15: an audit with %s is refused, though people and publisher have signed it', async (_, words, change) => {
  const { last } = await copied();
  await audited(last, change);
  const { failed, sentence } = await found(last);
  expect([failed, words.test(sentence) || sentence]).toEqual([['history'], true]);
});
const OTHER = 'other/2026-03-02/v1';
const place = { part: 'bus', place: 'Manly', count: 1, before: 1000 };
const odd = { from: '2026-03-02', to: '2026-03-30', reason: 'odd' };

test('C16: an earlier publication that was replaced, damaged or signed by a stranger is named, and fails', async () => {
  const forged = async (change: (folder: string) => Promise<void>) => {
    const { last, of } = await copied();
    await change(of('2026-03-16'));
    return found(last);
  };
  const cases: ((folder: string) => Promise<void>)[] = [
    (f) => edit(f, 'totals.csv', (text) => text.replace(/\d\r\n/, '0\r\n')),
    async (f) => {
      await edit(f, 'README.md', (text) => `${text}\n`);
      await sealAll(f);
    },
    async (f) => {
      const approvals = [await decide(f, ada), await decide(f, ben)];
      await attest(f, [ada, ben], approvals, {}, generateSigningKey());
    },
  ];
  for (const change of cases)
    expect(await forged(change)).toMatchObject({
      ok: false,
      sentence: 'Not the earlier publications that the audit read: demo/2026-03-16/v1.',
    });
});

test('C16: one that is gone is named, and fails where a person said that the series is there', async () => {
  const { series, last, of } = await copied();
  await rm(dirname(of('2026-03-16')), { recursive: true });
  expect(await found(last)).toMatchObject({
    ok: true,
    sentence: expect.stringContaining(
      'Not made again: what the audit found beside earlier publications, of which demo/2026-03-16/v1 are not there.',
    ),
  });
  expect(await found(last, series)).toMatchObject({
    ok: false,
    sentence: 'Earlier publications that the audit read are not there: demo/2026-03-16/v1.',
  });
});

test('C16: one that was public before and left out, one that nobody signed, and one that was taken back are named', async () => {
  const { last, of } = await copied();
  const approvals = [await decide(of(LATE), ada), await decide(of(LATE), ben)];
  await attest(of(LATE), [ada, ben], approvals, { publishedAt: '2026-03-19T00:00:00.000Z' });
  await writeFile(join(of('2026-03-30'), 'RETRACTED.json'), '{}\n');
  await bury(of('2026-03-16'), [ada, ben], undefined, { retractedAt: '2026-03-18T00:00:00.000Z' });
  await cp(of('2026-03-09'), of('2026-03-30', 7), { recursive: true });
  const { ok, sentence } = await found(last);
  expect([ok, sentence.slice(sentence.indexOf('Public before'))]).toEqual([
    true,
    'Public before this release, and not among them: demo/2026-04-06/v1. Taken back before this release was public: demo/2026-03-16/v1. Not signed by a publisher, and not named by the audit: demo/2026-03-30/v7.',
  ]);
});
