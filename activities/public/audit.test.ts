import { expect, test } from 'vitest';
import { auditReportSchema } from '../../contracts/audit-report.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import { CHECKS } from '../../counts/audit/checks/release-checks.ts';
import { MECHANISM_CHECKS } from '../../counts/audit/mechanism/mechanism-checks.ts';
import { WARNINGS } from '../../counts/audit/warnings/warnings.ts';
import { readKnowledge } from '../../kinds/taps/public/audit-subject/knowledge.ts';
import { readTyped } from '../../kinds/taps/public/audit-subject/table-files.ts';
import { publicTaps } from '../../kinds/taps/public/public-kind.ts';
import { TAPS_TABLES, tapsColumns } from '../../kinds/taps/public/tables.ts';
import { writeParquet } from '../../services/publication/table-parquet.ts';
import { dataFiles } from '../../services/release/audited-files.ts';
import { readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { TEST_BUILD } from '../../test/support/folder-contexts.ts';
import { putSigned } from '../../test/support/signed-publication.ts';
import { readStagedFiles } from '../../test/support/staged-files.ts';
import { putCharge } from '../../test/support/test-custody.ts';
import { type TestRelease, testRelease, testSeries, testTables } from '../../test/support/test-release.ts';
import { publisherKey } from '../../test/support/trust-files.ts';
import { audit } from './audit.ts';
import { derive } from './derive.ts';

const open = async (...parameters: Parameters<typeof testRelease>) => {
  const release = await testRelease(...parameters);
  return release;
};

const staged = ({ context, run }: TestRelease) => readStagedFiles(context.releaseStore, run, TEST_BUILD);
const reportOf = async (release: TestRelease) =>
  auditReportSchema.parse(JSON.parse((await staged(release)).get(FILES.audit)!.toString()));

test('an honest release passes every check, and the manifest names every staged file', async () => {
  const release = await open();
  await derive(release.context, release.input);
  const result = await audit(release.context, release.input);
  expect(await reportOf(release)).toMatchObject({ verdict: 'pass', release: 'demo/2026-03-02/v1' });
  expect((await reportOf(release)).checks.length).toBe(CHECKS.length + WARNINGS.length + MECHANISM_CHECKS.length);
  expect(result).toMatchObject({ verdict: 'pass', attention: [] });
  const files = await staged(release);
  const manifestBytes = files.get(FILES.manifest)!;
  expect(result.manifestDigest).toBe(sha256(manifestBytes));
  const manifest = manifestSchema.parse(JSON.parse(manifestBytes.toString()));
  expect(manifest.files).toEqual(
    [...files]
      .filter(([name]) => name !== FILES.manifest)
      .map(([name, bytes]) => ({ name, sha256: sha256(bytes), bytes: bytes.length })),
  );
  expect(manifest.partitions.map(({ part, day }) => `${part}/${day}`)).toEqual([
    'bus/2026-03-02',
    'bus/2026-03-03',
    'ferry/2026-03-02',
    'ferry/2026-03-03',
  ]);
});

test('C18: no clock, host or path in any staged file, and the same release elsewhere has the same bytes', async () => {
  const [a, b] = [await open(), await open()];
  for (const release of [a, b]) {
    await derive(release.context, release.input);
    await audit(release.context, release.input);
  }
  expect(await staged(b)).toEqual(await staged(a));
  for (const [name, bytes] of await staged(a)) {
    expect([name, bytes.includes(a.folder)]).toEqual([name, false]);
    // The moments of bins are those of the labels beside them.
    const text = bytes.toString('latin1').replace(/(?<=,\d\d:\d\d,)\d{4}-\d\d-\d\dT[^,]+,\d{4}-\d\d-\d\dT[^,]+/g, '');
    expect([name, /\d{4}-\d{2}-\d{2}T\d{2}/.test(text)]).toEqual([name, false]);
  }
});

test('the statement says in words what a reader needs', async () => {
  const release = await open();
  await derive(release.context, release.input);
  await audit(release.context, release.input);
  const text = (await staged(release)).get(FILES.statement)!.toString();
  for (const phrase of ['not a zero', 'm trips of one person: m·ε', 'CC BY 4.0', 'Synthetic.', 'epsilon: 8'])
    expect(text).toContain(phrase);
  expect(text).not.toMatch(/undefined|NaN|null/);
  // Of a histogram without margins: nothing of floors, hours, margins, fits or cards.
  for (const name of [FILES.statement, FILES.readme, FILES.dictionary, FILES.summary])
    expect((await staged(release)).get(name)!.toString().split('## Audit')[0]).not.toMatch(
      /hour row|floor|margin|remainder|fitted|card/i,
    );
});

/** The tables of the test, one partition of which has no published row. */
const withoutRows = () => testTables().map((table, n) => (n === 1 ? { ...table, cells: [] } : table));

test('@contract C4: a partition without a published row is named, asks for attention, and nothing says that all are there', async () => {
  const release = await open(testSeries(), withoutRows());
  await derive(release.context, release.input);
  const { verdict, attention } = await audit(release.context, release.input);
  expect([verdict, attention]).toEqual(['attention', ['published-taps']]);
  const text = (await staged(release)).get(FILES.statement)!.toString();
  expect(text.match(/No cell is published for ferry\/2026-03-03: too few taps, or none at all\./g)).toHaveLength(2);
  expect(text).toContain(
    'Nothing is published of ferry/2026-03-03 that noise alone would not make: fewer than noise can show, or none at all.',
  );
  expect(text).not.toMatch(/Every mode/);
  const { checks } = await reportOf(release);
  expect(checks.find(({ id }) => id === 'holes')).toMatchObject({ verdict: 'pass', statistic: 0 });

  const full = await open();
  await derive(full.context, full.input);
  await audit(full.context, full.input);
  const shown = (await staged(full)).get(FILES.statement)!.toString();
  expect(shown).toContain('Every partition that was drawn has published cells.');
  expect(shown).not.toContain('No cell is published');
  expect(shown).not.toMatch(/complete|all rows are there/);
});

test('holes are an attention point, named in the manifest and the statement', async () => {
  const hole = { part: 'bus', day: '2026-03-03', code: 'OBJECT_MISSING' as const };
  const release = await open(testSeries(), withoutRows().slice(0, 3), [hole]);
  await derive(release.context, release.input);
  expect(await audit(release.context, release.input)).toMatchObject({
    verdict: 'attention',
    attention: ['holes', 'published-taps'],
  });
  const files = await staged(release);
  expect(files.get(FILES.statement)!.toString()).toContain(
    'no data for bus/2026-03-03, because a source object could not be used. No cell is published for ferry/2026-03-03',
  );
  const manifest = manifestSchema.parse(JSON.parse(files.get(FILES.manifest)!.toString()));
  expect(manifest.partitions[1]).toEqual({
    part: 'bus',
    day: '2026-03-03',
    privatizedTable: null,
    hole: 'OBJECT_MISSING',
    receipt: expect.anything(),
  });
});

test('C15, safe-to-retry: the first verdict stands, and a second run gives the same result', async () => {
  const release = await open();
  await derive(release.context, release.input);
  const first = await audit(release.context, release.input);
  const files = await staged(release);
  expect(await audit(release.context, release.input)).toEqual(first);
  expect(
    await audit({ ...release.context, build: { sources: 'another build', runtime: async () => null } }, release.input),
  ).toEqual(first);
  expect(await staged(release)).toEqual(files);
});

const edited = (from: string, to: string) => (bytes: Buffer) => Buffer.from(bytes.toString().replace(from, to));

const FIRST_ROW = 'bus,2026-03-02,on,07:15,2026-03-02T07:15:00,2026-03-02T07:30:00,Manly,91\r\n';

test.each([
  [['sums', 'metadata'], 'time-location.csv', edited('2026-03-02T07:15:00', '2026-03-02T07:16:00')],
  [['sums', 'differencing'], 'time.csv', edited('07:30:00,103', '07:30:00,104')],
  [['sums'], 'location.csv', edited('bus,2026-03-03,on,Manly,1000\r\n', '')],
  [['sums'], 'time-location.csv', edited('UNKNOWN,9', 'UNKNOWN,10')],
  [['sums', 'order'], 'time-location.csv', edited(FIRST_ROW, '')],
  [['sums', 'metadata'], 'time-location.csv', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('</xml>\r\n')])],
  [
    ['metadata'],
    'privacy.json',
    edited('"missingCell":"', '"missingCell":"Made on host.example:// at 2026-03-02T10:00. '),
  ],
  [['metadata'], 'privacy.json', edited('"threshold":9', '"threshold":8')],
  [['sums', 'differencing', 'metadata'], 'time-location.parquet', (bytes: Buffer) => bytes.subarray(0, 100)],
  [['sums', 'metadata'], 'time.parquet', (bytes: Buffer) => bytes.subarray(0, 100)],
  [['certificate', 'presence', 'mechanism-threshold'], 'certificate.json', edited('"threshold":9', '"threshold":8')],
])('what a derivation with a bug would make fails the checks %j (%s)', async (expected, name, edit) => {
  const { context, input, series } = await open();
  const files = new Map(await dataFiles(context, input, series));
  const bytes = edit(files.get(name)!);
  expect(bytes.equals(files.get(name)!)).toBe(false);
  // A row that is missing at its place comes at the end: the sums stay, the order does not.
  const late = expected.includes('order') ? [Buffer.from(FIRST_ROW)] : [];
  files.set(name, Buffer.concat([bytes, ...late]));
  const { checks, verdict } = await publicTaps.audit(context, input, series, files);
  expect(verdict).toBe('fail');
  expect(checks.filter((one) => one.verdict === 'fail').map(({ id }) => id)).toEqual(expected);
});

test('a Parquet file whose bins end at another moment than their labels say fails, also when our own writer made it', async () => {
  const { context, input, series } = await open();
  const files = new Map(await dataFiles(context, input, series));
  const [table, name] = [TAPS_TABLES.time, FILES.table('time', 'parquet')];
  const rows = readTyped(table, files.get(name)!, 15).own;
  const written = (minutes: number) => ({ table, rows: tapsColumns(table, rows, minutes) });
  const [same, longer] = await writeParquet(context.scratch, [written(15), written(30)]);
  expect(same!.equals(files.get(name)!)).toBe(true);
  files.set(name, longer!);
  const { checks } = await publicTaps.audit(context, input, series, files);
  expect(checks.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []))).toEqual(['sums', 'metadata']);
});

test('cells that privatize should never have stored fail threshold and domain', async () => {
  const [first, ...others] = testTables();
  const low = { ...first!, cells: [['on', '07:15', 'Manly', 8] as ['on', string, string, number]] };
  const release = await open(testSeries(), [low, ...others]);
  await derive(release.context, release.input);
  await audit(release.context, release.input);
  expect((await reportOf(release)).checks.find(({ id }) => id === 'threshold')).toMatchObject({
    verdict: 'fail',
    statistic: 8,
    bound: 9,
  });

  const stranger = { ...first!, cells: [['on', '07:15', 'card 308425017', 80] as ['on', string, string, number]] };
  const outside = await open(testSeries(), [stranger, ...others]);
  await derive(outside.context, outside.input);
  await audit(outside.context, outside.input);
  expect((await reportOf(outside)).checks.find(({ id }) => id === 'domain')).toMatchObject({
    verdict: 'fail',
    statistic: 1,
  });
});

test('the 2017 mechanism never passes', async () => {
  const { privacy } = testSeries();
  const release = await open(testSeries({ privacy: { ...privacy, mechanism: 'sbh-2017' } }));
  await derive(release.context, release.input);
  expect(await audit(release.context, release.input)).toMatchObject({ verdict: 'fail' });
});

/** A release whose sibling published the same window in the same place: other noise, one more on every count. */
async function besideSibling(isCharged: boolean, change = (bytes: Buffer) => bytes): Promise<TestRelease> {
  const caps = { block: { epsilon: '16', delta: '1/500000' }, year: { epsilon: '500', delta: '1/10000' } };
  const privacy = { ...testSeries().privacy, caps };
  const noisier = testTables().map((table) => ({
    ...table,
    cells: table.cells.map(
      ([tap, time, place, count]) => [tap, time, place, count + 1] as (typeof table.cells)[number],
    ),
  }));
  const sibling = await open(testSeries({ series: 'sibling', privacy }), noisier);
  await derive(sibling.context, sibling.input);
  const release = await open(testSeries({ privacy, audit: { siblings: ['sibling', 'unpublished'] } }));
  const { releaseStore, publicationStore } = release.context;
  await releaseStore.putIfAbsent(
    RELEASE_KEYS.series('sibling', sibling.run.seriesDigest),
    await readBytes(sibling.context.releaseStore, RELEASE_KEYS.series('sibling', sibling.run.seriesDigest)),
  );
  const parquet = FILES.table('time-location', 'parquet');
  const files = [...(await staged(sibling))].map(([name, bytes]): [string, Buffer] => [
    name,
    name === parquet ? change(bytes) : bytes,
  ]);
  await putSigned(publicationStore, sibling.run, new Map(files), publisherKey);
  const partitions = release.input.draws.map(({ partition }) => partition);
  await putCharge(release.context.releaseStore, release.series, release.run, partitions);
  if (isCharged) await putCharge(release.context.releaseStore, sibling.series, sibling.run, partitions);
  await derive(release.context, release.input);
  return release;
}

const checkOf = async (release: TestRelease, id: string) =>
  (await reportOf(release)).checks.find((one) => one.id === id);

test('C12: a sibling publication of the same counts passes when the ledger holds its charge', async () => {
  const release = await besideSibling(true);
  expect(await audit(release.context, release.input)).toMatchObject({ verdict: 'pass' });
  const { statistic, bound } = (await checkOf(release, 'dependence'))!;
  expect(statistic).toBeCloseTo(bound!, 9);
});

test('C12: broken twin: a sibling publication that nobody paid for fails, by its name', async () => {
  const release = await besideSibling(false);
  expect(await audit(release.context, release.input)).toMatchObject({ verdict: 'fail' });
  const failing = (await reportOf(release)).checks.filter(({ verdict }) => verdict === 'fail');
  expect(failing.map(({ id }) => id)).toEqual(['dependence']);
  expect(failing[0]!.sentence).toContain('The ledger holds no charge for sibling/2026-03-02/v1.');
});

test('a sibling publication of the same places and bins is subtracted from what is suppressed here', async () => {
  const release = await besideSibling(true);
  const [sibling] = (await readKnowledge(release.context, release.input, release.series)).siblings;
  expect(sibling).toMatchObject({ minutes: 15, covering: new Set(['bus', 'ferry']) });
  const otherBins = { ...release.series, bins: { ...release.series.bins, minutes: 10 as const } };
  const [uneven] = (await readKnowledge(release.context, release.input, otherBins)).siblings;
  expect([...uneven!.covering]).toEqual([]);
});

test('a sibling publication that cannot be read stops the audit and is named', async () => {
  const release = await besideSibling(true, (bytes) => bytes.subarray(0, 100));
  await expect(audit(release.context, release.input)).rejects.toMatchObject({
    code: 'VERIFICATION_FAILED',
    message: expect.stringContaining('sibling/2026-03-02/v1 is damaged'),
  });
});
