import { afterEach, expect, test } from 'vitest';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import { preview } from '../../../custodian/preview/preview.ts';
import { readBytes } from '../../../services/stores/json-objects.ts';
import { privateTaps } from './private-kind.ts';
import { type SeriesChange, StageBench } from './stages.fixture.ts';

let bench: StageBench | undefined;
afterEach(() => bench?.close());

const WINDOW = '2026-03-02';
const COLUMNS = { on_time: 'Start', on_location: 'From', off_time: 'End', off_location: 'To' };

/** What a look at two days of buses shows, whose objects are these. */
async function look(source: object, files: Record<string, string | Buffer>, change: SeriesChange = {}) {
  bench = await StageBench.open(
    { modes: ['bus'], days: 2, ...change, source: { pattern: '{date}.csv', columns: COLUMNS, ...source } },
    WINDOW,
  );
  for (const [key, content] of Object.entries(files)) await bench.deliver(key, content);
  return privateTaps.looks!.preview(bench.context, bench.series, WINDOW);
}

const HEAD = 'Start,From,End,To\n';

test('totals are of the window, by part and day, and not of the days beside it', async () => {
  const trips = (day: string, next: string) =>
    `${HEAD}${day} 08:00,2000,${day} 09:00,Nowhere\n${day} 23:50,2000,${next} 00:10,2010\n`;
  const { shown } = await look(
    {},
    {
      '2026-03-01.csv': trips('2026-03-01', '2026-03-02'),
      '2026-03-02.csv': trips('2026-03-02', '2026-03-03'),
      '2026-03-03.csv': trips('2026-03-03', '2026-03-04'),
    },
  );
  expect(shown.totals).toEqual([
    { part: 'bus', day: '2026-03-02', counted: 4, unknown: 1 },
    { part: 'bus', day: '2026-03-03', counted: 4, unknown: 1 },
  ]);
  expect(shown.unmatched).toEqual([{ part: 'bus', name: 'Nowhere', counted: 2 }]);
});

test('C6: of a document whose rows lie elsewhere the list is proposed to custodians, and the fault names nothing of it', async () => {
  const trip = '{"start":"2026-03-02 08:00","board":{"stop":"2000"},"end":"2026-03-02 09:00","to":"2010"}';
  const document = `{"made":{"by":"[x]"},"data":{"of":"2026-03-02","events":[\n${trip},\n${trip}\n]}}`;
  const select = `SELECT json->>'$.start' AS on_time, json->>'$.board.stop' AS on_location,
    json->>'$.end' AS off_time, json->>'$.to' AS off_location FROM source`;
  const read = async (json: object) => {
    const source = { pattern: '{date}.json', format: 'json', columns: undefined, select, json };
    const { shown, hints } = await look(source, { '2026-03-02.json': document });
    await bench!.close();
    return { fault: shown.objects[0]!.fault, hints, counted: shown.totals[0]!.counted };
  };
  const right = { list: 'data.events', first: 'start' };
  const wrong = await read({ list: 'events', first: 'start' });
  expect(wrong).toMatchObject({ hints: [{ source: { json: right } }], counted: 0 });
  expect(wrong.fault).not.toMatch(/events|data/);
  expect((await read({ list: 'data.events', first: 'to' })).hints).toContainEqual({ source: { json: right } });
  expect(await read(right)).toEqual({ fault: null, hints: [], counted: 4 });
});

test('values are shown by column, of a file that is read wrongly too, and what would read it is proposed', async () => {
  const row = '02.03.2026 08:00;20,5;02.03.2026 09:10;2010\n28.02.2026 08:00;20,5;;\n';
  const german = (text: string) => Buffer.from(`${HEAD.replaceAll(',', ';')}${text}`, 'latin1');
  const wrong = await look({}, { '2026-03-02.csv': german(row), '2026-03-03.csv': german(row) });
  expect(wrong.hints).toEqual([{ source: { csv: { delimiter: ';' } } }]);
  expect(wrong.shown.objects[0]!.fault).toContain('Columns that the series names are missing: Start (for on_time)');
  await bench!.close();
  const { hints, sample } = await look(
    { csv: { delimiter: ';' } },
    { '2026-03-02.csv': german(`${row}Z\xfcrich;;;\n`), '2026-03-03.csv': german(row) },
  );
  expect(sample).toEqual([
    { column: 'Start', values: ['02.03.2026 08:00', '28.02.2026 08:00'] },
    { column: 'From', values: ['20,5'] },
    { column: 'End', values: ['02.03.2026 09:10'] },
    { column: 'To', values: ['2010'] },
  ]);
  expect(hints).toEqual([{ source: { encoding: 'latin-1' } }, { source: { clock: { format: '%d.%m.%Y %H:%M' } } }]);
});

test('@contract C17: a look is recorded without values of rows', async () => {
  const time = '08:11:13.567';
  await look({}, { '2026-03-02.csv': `${HEAD}2026-03-02 ${time},2000,,\n`, '2026-03-03.csv': HEAD });
  const { shown, sample } = await preview(bench!.context, bench!.loaded, WINDOW);
  expect(JSON.stringify(sample)).toContain(time);
  const kept: string[] = [];
  const { privateStore } = bench!.context;
  for await (const { key } of privateStore.list(PRIVATE_KEYS.previews('test-riders')))
    kept.push((await readBytes(privateStore, key)).toString('utf8'));
  expect(kept).toHaveLength(1);
  expect(JSON.parse(kept[0]!).shown).toEqual(shown);
  expect(kept[0]).not.toContain(time);
});

test('of rows of JSON they are those of the outermost fields', async () => {
  const rows = [{ Start: 1772400000, From: '2000', more: { x: 1 } }, { Start: 1772400060 }];
  const { sample, hints } = await look(
    { pattern: '{date}.json', format: 'json', json: { first: 'Start' } },
    { '2026-03-02.json': JSON.stringify(rows), '2026-03-03.json': '[]' },
  );
  expect(sample).toEqual([
    { column: 'Start', values: ['1772400000', '1772400060'] },
    { column: 'From', values: ['2000'] },
    { column: 'more', values: ['{"x":1}'] },
  ]);
  expect(hints).toEqual([{ source: { clock: 'unix-seconds' } }]);
});

test('ragged lines are proposed where a header is declared', async () => {
  const csv = { header: ['Start', 'From', 'End', 'To'] };
  const files = { '2026-03-02.csv': '2026-03-02 08:00,2000\n', '2026-03-03.csv': '2026-03-03 08:00,2000,,\n' };
  expect((await look({ csv }, files)).hints).toEqual([{ source: { csv: { ragged: true } } }]);
  await bench!.close();
  const { hints, shown } = await look({ csv: { ...csv, ragged: true } }, files);
  expect(hints).toEqual([]);
  expect(shown.totals.map(({ counted }) => counted)).toEqual([1, 1]);
});

test('the clock of times that a select makes is proposed, and what no clock reads is not', async () => {
  const select = `SELECT json->>'$.at.time' AS on_time, json->>'$.stop' AS on_location FROM source`;
  const read = async (time: string, clock: string) => {
    const source = { pattern: '{date}.jsonl', format: 'jsonl', columns: undefined, select, clock };
    const line = JSON.stringify({ at: { time }, stop: '2000' });
    const { hints } = await look(source, { '2026-03-02.jsonl': line, '2026-03-03.jsonl': line });
    await bench!.close();
    return hints;
  };
  expect(await read('2026-03-02T08:00:00+01:00', 'local')).toEqual([{ source: { clock: 'offset' } }]);
  expect(await read('2026-03-02T08:00:00+01:00', 'offset')).toEqual([]);
  expect(await read('noon', 'local')).toEqual([]);
});

test('of two clocks that read the times the one of the window is proposed first', async () => {
  const files = (time: string) => ({ '2026-03-02.csv': `${HEAD}${time},2000,,\n`, '2026-03-03.csv': HEAD });
  const formats = (...days: string[]) => days.map((day) => ({ source: { clock: { format: `${day} %I:%M %p` } } }));
  expect((await look({}, files('03/02/2026 7:05 PM'))).hints).toEqual(formats('%m/%d/%Y', '%d/%m/%Y'));
  await bench!.close();
  expect((await look({}, files('2/3/2026 7:05 PM'))).hints).toEqual(formats('%d/%m/%Y', '%m/%d/%Y'));
});

test('of files of a week a pattern without days is proposed, and of a few rows of other days none', async () => {
  const row = (day: string, rows: number) => `2026-03-${day} 08:00,2000,,\n`.repeat(rows);
  const week = { 'w-20260302.csv': `${HEAD}${row('02', 4)}${row('06', 4)}` };
  const pattern = 'w-{yyyymmdd}.csv';
  expect((await look({ pattern }, week)).hints).toEqual([{ source: { pattern: 'w-*.csv' } }]);
  await bench!.close();
  const few = { 'w-20260302.csv': `${HEAD}${row('02', 20)}${row('06', 1)}` };
  expect((await look({ pattern }, few)).hints).toEqual([]);
});

test('C5: a day with few taps beside the others of its mode is named to custodians', async () => {
  const rows = (day: string, taps: number) => HEAD + `${day} 08:00,2000,,\n`.repeat(taps);
  const shown = async (last: number) => {
    const files = ['02', '03', '04'].map((day, at) => [
      `2026-03-${day}.csv`,
      rows(`2026-03-${day}`, [40, 50, last][at]!),
    ]);
    const { shown } = await look({}, Object.fromEntries(files), { days: 3 });
    await bench!.close();
    return shown.warnings;
  };
  const low = 'bus/2026-03-04 has 3 taps, and half the days of the window have 40 or more.';
  expect(await shown(3)).toContain(low);
  expect(await shown(4)).not.toContainEqual(expect.stringContaining('half the days'));
});
