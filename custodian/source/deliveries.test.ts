import { describe, expect, test } from 'vitest';
import { bin } from '../../activities/private/bin.ts';
import { changedObjects } from '../../activities/private/changed-objects.ts';
import { ingest } from '../../activities/private/ingest.ts';
import { reingest } from '../../activities/private/reingest.ts';
import { CLEARANCE_FORMAT, type Clearance } from '../../contracts/formats/order.ts';
import { type Partition, PRIVATE_KEYS } from '../../contracts/names.ts';
import { showRows } from '../../kinds/taps/private/shown-rows.ts';
import { type SeriesChange, StageBench } from '../../kinds/taps/private/stages.fixture.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { POLICY_KEY, testPolicy } from '../../test/support/test-custody.ts';
import { inputReport } from '../preview/input-report.ts';
import { readWarnings } from '../preview/kept-warnings.ts';
import { newestTallies, sketchKey } from '../preview/tallies.ts';
import type { PrivateContext } from '../private-context.ts';
import { draftClearance, putClearance, readClearance } from './clearances.ts';
import { readInventory } from './inventory.ts';

const WINDOW = ['2026-03-02', '2026-03-03'] as const;
const [FIRST, SECOND] = WINDOW;
const HEAD = 'on_time,on_location,off_time,off_location\n';
const rowsOf = (day: string, many = 60): string =>
  HEAD +
  Array.from(
    { length: many },
    (_, at) => `${day} 08:${String(at % 60).padStart(2, '0')}:${10 + (at % 50)},2000,,\n`,
  ).join('');
const bus = (...days: string[]): Partition[] => days.map((day) => ({ part: 'bus', day }));

async function open(change: SeriesChange = {}): Promise<StageBench> {
  return StageBench.open({ modes: ['bus'], days: 2, ...change });
}
const codes = (faults: readonly { object: string; code: string }[]) =>
  faults.map(({ object, code }) => `${code} ${object}`);

describe('C6: a pattern that allows one object of a day', () => {
  const STAMPED = { source: { pattern: '{date}_{stamp}.csv' } };

  test('two deliveries of one day are OBJECT_TWICE before any row is read, whatever is in them', async () => {
    const bench = await open(STAMPED);
    for (const day of WINDOW) await bench.deliver(`${day}_0400.csv`, rowsOf(day));
    for (const second of [rowsOf(FIRST), `${rowsOf(FIRST)}\n`, HEAD, 'no csv at all']) {
      await bench.deliver(`${FIRST}_0900.csv`, second);
      const { faults } = await ingest(bench.context, { ...bench.run(), round: 0 });
      expect(faults).toEqual([
        { object: `${FIRST}_0400.csv`, code: 'OBJECT_TWICE', partitions: bus(...WINDOW) },
        { object: `${FIRST}_0900.csv`, code: 'OBJECT_TWICE', partitions: bus(...WINDOW) },
      ]);
      await bench.withdrawPrivate(PRIVATE_KEYS.inventory(bench.run(), 0));
    }
    // One is moved away, and the other is read by a retry.
    await bench.ingest();
    await bench.withdraw(`${FIRST}_0400.csv`);
    await bench.deliver(`${FIRST}_0900.csv`, rowsOf(FIRST));
    expect(await reingest(bench.context, { ...bench.run(), round: 1, partitions: bus(...WINDOW) })).toEqual({
      faults: [],
    });
    expect((await bin(bench.context, { ...bench.run(), round: 1, partitions: bus(...WINDOW) })).faults).toEqual([]);
  });

  test('two deliveries of one week are OBJECT_TWICE, a lone one feeds its days, and a missing one is missed by its name', async () => {
    const bench = await open({ source: { pattern: '{week}_{stamp}.csv' } });
    expect((await bench.ingest()).faults).toMatchObject([{ code: 'OBJECT_MISSING', object: '2026-W10_*.csv' }]);
    await bench.withdrawPrivate(PRIVATE_KEYS.inventory(bench.run(), 0));
    await bench.deliver('2026-W10_1.csv', rowsOf(FIRST) + rowsOf(SECOND).slice(HEAD.length));
    await bench.deliver('2026-W09_1.csv', rowsOf(FIRST));
    expect(await bench.count()).toEqual([]);
    expect((await bench.allCells()).length).toBeGreaterThan(0);
    await bench.withdrawPrivate(PRIVATE_KEYS.inventory(bench.run(), 0));
    await bench.deliver('2026-W10_2.csv', rowsOf(SECOND));
    expect(codes((await bench.ingest()).faults)).toEqual([
      'OBJECT_TWICE 2026-W10_1.csv',
      'OBJECT_TWICE 2026-W10_2.csv',
    ]);
  });

  test('under * a day may have several objects, and another day or mode is another object', async () => {
    const bench = await open({ source: { pattern: '{date}_*.csv' } });
    for (const day of WINDOW) for (const part of ['a', 'b']) await bench.deliver(`${day}_${part}.csv`, rowsOf(day));
    expect(await bench.ingest()).toEqual({ faults: [] });
  });

  test('a piece is one object, and two of one number are two deliveries of it', async () => {
    const bench = await open({ source: { pattern: '{date}_{piece}_{stamp}.csv' } });
    for (const day of WINDOW) for (const piece of [0, 1]) await bench.deliver(`${day}_${piece}_0400.csv`, rowsOf(day));
    expect(await bench.ingest()).toEqual({ faults: [] });
    await bench.withdrawPrivate(PRIVATE_KEYS.inventory(bench.run(), 0));
    await bench.deliver(`${FIRST}_01_0900.csv`, rowsOf(FIRST));
    expect(codes((await bench.ingest()).faults)).toEqual([
      `OBJECT_TWICE ${FIRST}_01_0900.csv`,
      `OBJECT_TWICE ${FIRST}_1_0400.csv`,
    ]);
  });
});

describe('C6: the delivery note of a supplier', () => {
  const NOTED = { source: { completeness: { manifest: '{date}/note.csv', waitHours: 1 } } };
  const note = (...lines: string[]) => `name,size,sha256,rows\n${lines.map((line) => `${line}\n`).join('')}`;
  const lineOf = (day: string, text = rowsOf(day), rows = 60) => `bus.csv,${text.length},${sha256(text)},${rows}`;

  async function noted(): Promise<StageBench> {
    const bench = await open(NOTED);
    for (const day of WINDOW) {
      await bench.deliver(`${day}/bus.csv`, rowsOf(day));
      await bench.deliver(`${day}/note.csv`, note(lineOf(day)));
    }
    return bench;
  }
  const faults = async (bench: StageBench) => codes((await bench.ingest()).faults);

  test('what it names as it is, is read; its own objects only, and others may be named beside', async () => {
    const bench = await noted();
    await bench.deliver(`${FIRST}/note.csv`, note(lineOf(FIRST), `ferry.txt,1,${'0'.repeat(64)},`));
    expect(await faults(bench)).toEqual([]);
  });

  test.each([
    ['names an object that is not there', FIRST, (line: string) => note(line, line.replace('bus', 'tram')), []],
    [
      'has another digest',
      FIRST,
      (line: string) => note(line.replace(/[0-9a-f]{64}/, '0'.repeat(64))),
      [`OBJECT_UNREADABLE ${FIRST}/bus.csv`],
    ],
    [
      'has another size',
      FIRST,
      (line: string) => note(line.replace(',', ',9')),
      [`OBJECT_UNREADABLE ${FIRST}/bus.csv`],
    ],
    ['does not name an object', FIRST, () => note(), [`OBJECT_UNEXPECTED ${FIRST}/bus.csv`]],
    ['is none', SECOND, () => '<html>', [`OBJECT_UNREADABLE ${SECOND}/note.csv`]],
  ])('a note that %s', async (_, day, edit, expected) => {
    const bench = await noted();
    await bench.deliver(`${day}/note.csv`, edit(lineOf(day)));
    expect(await faults(bench)).toEqual(expected);
  });

  test('a note, or an object of one, that is not there is missing', async () => {
    const bench = await noted();
    await bench.withdraw(`${SECOND}/note.csv`);
    await bench.withdraw(`${FIRST}/bus.csv`);
    expect(await faults(bench)).toEqual([`OBJECT_MISSING ${FIRST}/bus.csv`, `OBJECT_MISSING ${SECOND}/note.csv`]);
  });

  test('C5: the number of rows is a fault of nothing, and the custodian is told', async () => {
    const bench = await noted();
    await bench.deliver(`${FIRST}/note.csv`, note(lineOf(FIRST, rowsOf(FIRST), 61)));
    expect(await bench.ingest()).toEqual({ faults: [] });
    expect(await bench.bin()).toEqual({ faults: [] });
    const { warnings } = await inputReport(bench.context, bench.run(), { partitions: [], kept: null, samples: 0 });
    expect(warnings).toEqual([`${FIRST}/bus.csv has 60 rows, and its delivery note says 61.`]);
  });
});

describe('C5: deliveries that are alike are told to the custodian, and change nothing else', () => {
  const PIECES = { source: { pattern: '{date}_*.csv' } };
  const told = async (bench: StageBench) => {
    const kept = await readWarnings(bench.context.privateStore, PRIVATE_KEYS.warnings(bench.run(), 0, 'bin'));
    const listed = await readWarnings(bench.context.privateStore, PRIVATE_KEYS.warnings(bench.run(), 0, 'ingest'));
    return [...listed.warnings, ...kept.warnings].map(({ kind, sentence }) => `${kind}: ${sentence}`);
  };

  test.each([
    [
      'the same bytes',
      (text: string) => text,
      `copy: ${FIRST}_b.csv has the same bytes as ${FIRST}_a.csv, and was left out.`,
    ],
    [
      'one more line end',
      (text: string) => `${text}\n`,
      `alike: About 100.0 % of the rows of ${FIRST}_b.csv and ${FIRST}_a.csv are the same, and both were counted; is one a delivery of the other?`,
    ],
    [
      'another order of rows',
      (text: string) => HEAD + text.slice(HEAD.length).trimEnd().split('\n').reverse().join('\n'),
      `alike: About 100.0 % of the rows of ${FIRST}_b.csv and ${FIRST}_a.csv are the same, and both were counted; is one a delivery of the other?`,
    ],
    [
      'rows of last week',
      () => rowsOf('2026-02-23'),
      `unreadable: Hardly a row of ${FIRST}_b.csv can be read: 100.0 % was rejected.`,
    ],
  ])('%s, in preview, rejects and warnings', async (_, edit, sentence) => {
    const bench = await open(PIECES);
    for (const day of WINDOW) await bench.deliver(`${day}_a.csv`, rowsOf(day));
    await bench.deliver(`${FIRST}_b.csv`, edit(rowsOf(FIRST)));
    expect(await bench.count()).toEqual([]);
    const line = sentence.replace(/^[a-z]+: /, '');
    expect(await told(bench)).toEqual([sentence]);
    const { warnings } = await inputReport(bench.context, bench.run(), { partitions: [], kept: null, samples: 0 });
    expect(warnings).toEqual([line]);
    expect((await showRows(bench.context, bench.series, bench.window)).shown.warnings).toEqual([line]);
  });

  test('C11: each release has another key for its sketches, and neither leaves the custodian side', async () => {
    const bench = await open(PIECES);
    for (const day of WINDOW) await bench.deliver(`${day}_a.csv`, rowsOf(day));
    await bench.count();
    const [tally] = await newestTallies(bench.context, bench.run(), 0);
    expect(tally!.tally.sketch).toHaveLength(60);
    const keys = [1, 2].map((version) => sketchKey(bench.context, bench.run(version)));
    expect(new Set(keys).size).toBe(2);
    const text = await bench.releaseStoreText();
    for (const secret of [...keys, ...tally!.tally.sketch]) expect(text).not.toContain(secret);
  });
});

describe('C11a: a policy that asks for a clearance', () => {
  const clearing = (bench: StageBench): PrivateContext => {
    const { policy } = bench.context.policy;
    const populations = Object.fromEntries(
      Object.entries(policy.populations).map(([name, rules]) => [name, { ...rules, clearance: true }]),
    );
    return { ...bench.context, policy: testPolicy({ populations }) };
  };
  const sign = (clearance: Clearance, key = POLICY_KEY.privateKey) => jsonBytes(signDocument(clearance, key));
  const clearanceOf = (bench: StageBench, texts: Record<string, string>, version = 1): Clearance => ({
    format: CLEARANCE_FORMAT,
    series: bench.run().series,
    window: bench.window,
    version,
    deliveries: Object.entries(texts).map(([object, text]) => ({ object, sha256: sha256(text) })),
  });
  const put = (bench: StageBench, clearance: Clearance, key?: string) =>
    putClearance(bench.context.privateStore, clearance, sign(clearance, key));
  const PIECES = { source: { pattern: '{date}_*.csv' } };

  async function delivered(): Promise<StageBench> {
    const bench = await open(PIECES);
    for (const day of WINDOW) await bench.deliver(`${day}_a.csv`, rowsOf(day));
    await bench.deliver(`${FIRST}_b.csv`, `${rowsOf(FIRST)}\n`);
    return bench;
  }
  const SOUND = { [`${FIRST}_a.csv`]: rowsOf(FIRST), [`${SECOND}_a.csv`]: rowsOf(SECOND) };
  const waits = (bench: StageBench) => ingest(clearing(bench), { ...bench.run(), round: 0 });

  test('waits whatever the source holds, and nothing is pinned', async () => {
    for (const bench of [await delivered(), await open(PIECES)]) {
      await expect(waits(bench)).rejects.toMatchObject({
        code: 'ORDER_MISSING',
        message: expect.stringContaining('opaline order clear test-taps/2026-03-02/v1 --key KEY.pem'),
      });
      expect(await bench.context.privateStore.head(PRIVATE_KEYS.inventory(bench.run(), 0))).toBeNull();
    }
  });

  test('a clearance of a stranger, of another version or in the release store is none', async () => {
    const bench = await delivered();
    await put(bench, clearanceOf(bench, SOUND), generateSigningKey().privateKey);
    await put(bench, clearanceOf(bench, SOUND, 2));
    const bytes = sign(clearanceOf(bench, SOUND));
    await bench.store('release').putIfAbsent(`orders/${bench.run().series}/${sha256(bytes)}.json`, bytes);
    await expect(waits(bench)).rejects.toMatchObject({ code: 'ORDER_MISSING' });
  });

  test('what it names is read and nothing else; the custodian is told, and a later look names none of it', async () => {
    const bench = await delivered();
    const draft = await draftClearance(
      { ...clearing(bench), releaseStore: bench.store('release') },
      { ...bench.run(), version: 1 },
      [`${FIRST}_b.csv`],
    );
    expect(draft).toEqual(clearanceOf(bench, SOUND));
    expect(readClearance(sign(draft))).toEqual(draft);
    await put(bench, draft);
    expect(await waits(bench)).toEqual({ faults: [] });
    const { objects, leftOut } = await readInventory(bench.context, bench.run(), 0);
    expect(objects.map(({ key }) => key)).toEqual(Object.keys(SOUND));
    expect(leftOut).toEqual([`${FIRST}_b.csv`]);
    const { warnings } = await readWarnings(
      bench.context.privateStore,
      PRIVATE_KEYS.warnings(bench.run(), 0, 'ingest'),
    );
    expect(warnings.map(({ sentence }) => sentence)).toEqual([`${FIRST}_b.csv is not cleared, and was left out.`]);
    expect(await changedObjects(bench.context, bench.run())).toEqual({ changed: [], total: 0 });
    expect(await bench.releaseStoreText()).not.toContain(sha256(rowsOf(FIRST)));
  });

  test('what is named and is not there, or has other bytes, is at fault; the newest clearance counts', async () => {
    const bench = await delivered();
    await put(bench, clearanceOf(bench, { ...SOUND, [`${FIRST}_a.csv`]: 'other', [`${SECOND}_z.csv`]: 'gone' }));
    expect(codes((await waits(bench)).faults)).toEqual([
      `OBJECT_CHANGED ${FIRST}_a.csv`,
      `OBJECT_MISSING ${SECOND}_z.csv`,
    ]);
    await put(bench, clearanceOf(bench, SOUND));
    const again = { ...bench.run(), round: 1, partitions: bus(...WINDOW) };
    expect(await reingest(clearing(bench), again)).toEqual({ faults: [] });
  });
});

test('C11a: a release that was never charged looks again in the next round; a charged one answers as before', async () => {
  const bench = await open();
  for (const day of WINDOW) await bench.deliver(`${day}/bus.csv`, rowsOf(day));
  const run = { ...bench.run(2), round: 0 };
  expect(await ingest(bench.context, run)).toEqual({ faults: [] });
  expect(await ingest(bench.context, run)).toEqual({ faults: [] });
  await bench.deliver(`${FIRST}/bus.csv`, rowsOf(FIRST, 61));
  expect(await ingest(bench.context, run)).toEqual({ faults: [], round: 1 });
  expect(await ingest(bench.context, run)).toEqual({ faults: [], round: 1 });
  const [pin] = (await readInventory(bench.context, run, 1)).objects;
  expect(pin?.sha256).toBe(sha256(rowsOf(FIRST, 61)));
  expect(await bench.ingest()).toEqual({ faults: [] });
  await bench.deliver(`${FIRST}/bus.csv`, rowsOf(FIRST));
  expect(await bench.ingest()).toEqual({ faults: [] });
});
