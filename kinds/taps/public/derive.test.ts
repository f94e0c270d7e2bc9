import { expect, test } from 'vitest';
import { derive } from '../../../activities/public/derive.ts';
import { FILES, RELEASE_KEYS } from '../../../contracts/names.ts';
import { dataFiles, stage } from '../../../services/release/audited-files.ts';
import { readBytes } from '../../../services/stores/json-objects.ts';
import { readSeries } from '../../../services/stores/series-objects.ts';
import { TEST_BUILD } from '../../../test/support/folder-contexts.ts';
import { readStagedFiles } from '../../../test/support/staged-files.ts';
import type { TableRows } from '../../../test/support/table-of-rows.ts';
import { type TestRelease, testRelease, testSeries, testTables } from '../../../test/support/test-release.ts';
import { privacyFileSchema } from './privacy-file.ts';

const open = async (...parameters: Parameters<typeof testRelease>) => {
  const release = await testRelease(...parameters);
  return release;
};

const stagedTexts = async ({ context, run }: TestRelease) =>
  new Map(
    [...(await readStagedFiles(context.releaseStore, run, TEST_BUILD))].map(([name, bytes]) => [
      name,
      bytes.toString(),
    ]),
  );

test('C9: the staged tables are those of the privatized tables, each as CSV and as Parquet', async () => {
  const release = await open();
  await derive(release.context, release.input);
  const files = await stagedTexts(release);
  expect([...files.keys()]).toEqual([
    'certificate.json',
    'location.csv',
    'location.parquet',
    'places-bus.csv',
    'places-ferry.csv',
    'places.csv',
    'places.parquet',
    'privacy.json',
    'time-location.csv',
    'time-location.parquet',
    'time.csv',
    'time.parquet',
    'totals.csv',
    'totals.parquet',
  ]);
  expect(files.get('time-location.csv')).toBe(
    [
      'mode,date,tap,time,start,end,loc,count',
      'bus,2026-03-02,on,07:15,2026-03-02T07:15:00,2026-03-02T07:30:00,Manly,91',
      'bus,2026-03-02,on,07:15,2026-03-02T07:15:00,2026-03-02T07:30:00,"Mosman, ""Bay""",12',
      'bus,2026-03-02,on,07:30,2026-03-02T07:30:00,2026-03-02T07:45:00,UNKNOWN,9',
      'bus,2026-03-03,on,23:45,2026-03-03T23:45:00,2026-03-04T00:00:00,Manly,1000',
      'ferry,2026-03-02,off,07:30,2026-03-02T07:30:00,2026-03-02T07:45:00,Circular Quay,41',
      'ferry,2026-03-02,on,07:15,2026-03-02T07:15:00,2026-03-02T07:30:00,Manly,91',
      'ferry,2026-03-02,on,07:15,2026-03-02T07:15:00,2026-03-02T07:30:00,"Mosman, ""Bay""",12',
      'ferry,2026-03-02,on,07:30,2026-03-02T07:30:00,2026-03-02T07:45:00,UNKNOWN,9',
      'ferry,2026-03-03,off,18:00,2026-03-03T18:00:00,2026-03-03T18:15:00,Circular Quay,25',
      '',
    ].join('\r\n'),
  );
  expect(files.get('time.csv')).toContain('ferry,2026-03-02,on,07:15,2026-03-02T07:15:00,2026-03-02T07:30:00,103\r\n');
  expect(files.get('location.csv')).toContain('bus,2026-03-03,on,Manly,1000\r\n');
  // Without margins a total is what the published cells add up to, and has no interval.
  expect(files.get('totals.csv')).toBe(
    'mode,date,count\r\nbus,2026-03-02,112\r\nbus,2026-03-03,1000\r\nferry,2026-03-02,153\r\nferry,2026-03-03,25\r\n',
  );
});

test('the profile of 2017 writes days as the original release did, in CSV alone, and says so', async () => {
  const usual = await open();
  const release = await open(testSeries({ publication: { ...testSeries().publication, profile: 'opal-2017' } }));
  for (const one of [usual, release]) await derive(one.context, one.input);
  const [of, files] = [await stagedTexts(usual), await stagedTexts(release)];
  const original = of
    .get('time.csv')!
    .replace(/,start,end|,2026-03-0\dT[^,]+/g, '')
    .replace(/2026-03-0(\d)/g, '2026030$1');
  expect(files.get('time.csv')).toBe(original);
  expect(files.get('time.parquet')).toBe(of.get('time.parquet'));
  expect(privacyFileSchema.parse(JSON.parse(files.get(FILES.privacy)!)).profile).toBe('opal-2017');
});

test('a series without cells as CSV has them as Parquet: what is checked begins with them', async () => {
  const release = await open(testSeries({ tables: ['time'] }));
  await derive(release.context, release.input);
  const tables = [...(await stagedTexts(release)).keys()].filter((name) => name.startsWith('time'));
  expect(tables).toEqual(['time-location.parquet', 'time.csv', 'time.parquet']);
});

test('C17: privacy.json says what readers need, and how to read a missing cell', async () => {
  const release = await open();
  await derive(release.context, release.input);
  const text = (await stagedTexts(release)).get(FILES.privacy)!;
  const privacy = privacyFileSchema.parse(JSON.parse(text));
  expect(privacy).toMatchObject({
    threshold: 9,
    d1: 4,
    scale: '1/2',
    parameters: { epsilon: '8', split: { cells: '8' } },
  });
  expect(privacy.reading.missingCell).toMatch(/not a zero/);
  // P[|X| > 1] = 2·α²/(1+α) = 0.032 and P[|X| > 0] = 0.238 with α = e^(−2).
  expect(privacy.reading.noiseHalfWidth95).toBe(1);
  expect(privacy.reading.example).toContain('between 108 and 110');
  const alpha = Math.exp(-2);
  expect(privacy.reading.appearance).toEqual([
    { people: 1, probability: (alpha ** 8 / (1 + alpha)).toPrecision(3) },
    { people: 5, probability: (alpha ** 4 / (1 + alpha)).toPrecision(3) },
    { people: 12, probability: (1 - alpha ** 4 / (1 + alpha)).toPrecision(3) },
  ]);
});

test('C9: remainder rows and margins have files of their own when the series has them, and only then', async () => {
  const margins: TableRows['margins'] = { time: [['on', '07:15', -2]], location: [] };
  const remainder: TableRows['remainder'] = {
    fit: 'level',
    time: [['on', '07:15', 4]],
    location: [['on', 'Manly', 4]],
  };
  const cells: TableRows['cells'] = [['on', '07:15', 'Manly', 91]];
  const tables = testTables().map((table) => ({ ...table, cells, margins, remainder }));
  const release = await open(testSeries(), tables);
  await derive(release.context, release.input);
  const files = await stagedTexts(release);
  expect(files.get('remainder-time.csv')).toMatch(
    /^mode,date,tap,time,start,end,count\r\nbus,2026-03-02,on,07:15,2026-03-02T07:15:00,2026-03-02T07:30:00,4\r\n/,
  );
  expect(files.get('remainder-location.csv')).toMatch(/^mode,date,tap,loc,count\r\nbus,2026-03-02,on,Manly,4\r\n/);
  expect(files.get('margins-time.csv')).toContain(
    'bus,2026-03-02,on,07:15,2026-03-02T07:15:00,2026-03-02T07:30:00,-2\r\n',
  );
  expect([...files.keys()].filter((name) => name.startsWith('margins'))).toEqual([
    'margins-time.csv',
    'margins-time.parquet',
  ]);
});

test('C2: numbers of left-out taps have a file of their own when the series counts them', async () => {
  const leftOut: TableRows['leftOut'] = [
    ['off', -3],
    ['on', 17],
  ];
  const release = await open(
    testSeries(),
    testTables().map((table) => ({ ...table, leftOut })),
  );
  await derive(release.context, release.input);
  const text = (await stagedTexts(release)).get(FILES.table('left-out'));
  expect(text).toMatch(/^mode,date,tap,count\r\nbus,2026-03-02,off,-3\r\nbus,2026-03-02,on,17\r\n/);
  expect((await stagedTexts(await open())).has(FILES.table('left-out'))).toBe(false);
});

const seriesOf = ({ context, input }: Awaited<ReturnType<typeof open>>) => readSeries(context.releaseStore, input);

test('safe-to-retry: a second run changes nothing, and C18: another order of the draws gives the same bytes', async () => {
  const release = await open();
  await derive(release.context, release.input);
  const first = await readStagedFiles(release.context.releaseStore, release.run, TEST_BUILD);
  await derive(release.context, release.input);
  expect(await readStagedFiles(release.context.releaseStore, release.run, TEST_BUILD)).toEqual(first);
  const other = await open();
  const reversed = { ...other.input, draws: other.input.draws.toReversed() };
  await stage(other.context, reversed, await dataFiles(other.context, reversed, await seriesOf(other)));
  expect(await readStagedFiles(other.context.releaseStore, other.run, TEST_BUILD)).toEqual(first);
});

test('a privatized table that is not the one that was drawn is refused', async () => {
  const release = await open();
  const [first, ...others] = release.input.draws;
  const draws = [{ ...first!, digest: 'ab'.repeat(32) }, ...others];
  const series = await seriesOf(release);
  await expect(dataFiles(release.context, { ...release.input, draws }, series)).rejects.toMatchObject({
    code: 'VERIFICATION_FAILED',
  });
  // Swapped partitions: the bytes have the digest, but are under the key of another partition.
  const bytes = await readBytes(release.context.releaseStore, RELEASE_KEYS.privatized(release.run, first!.partition));
  const moved = { part: 'tram', day: '2026-03-02' };
  await release.context.releaseStore.putIfAbsent(RELEASE_KEYS.privatized(release.run, moved), bytes);
  await expect(
    dataFiles(release.context, { ...release.input, draws: [{ ...first!, partition: moved }] }, series),
  ).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
});
