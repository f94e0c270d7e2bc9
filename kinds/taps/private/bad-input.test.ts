import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../contracts/errors.ts';
import { sourceFields } from '../../../contracts/series.ts';
import type { RejectReason } from '../../../custodian/source/clean-lines.ts';
import { zipArchive } from '../../../test/support/zip-archive.ts';
import {
  CANARY,
  DAY,
  DOCUMENT_FAULTS,
  DOCUMENT_REJECTS,
  document,
  GOOD,
  jsonGood,
  RAGGED,
  RAGGED_REJECTS,
  raggedGood,
} from './bad-text.fixture.ts';
import { outOfRange, withoutUtf8 } from './damaged-bytes.fixture.ts';
import { type SeriesChange, StageBench, sameNames } from './stages.fixture.ts';

let bench: StageBench;

const HEAD = 'on_time,on_location,off_time,off_location\n';
const bad = (row: string): string => `${HEAD}${row}\n${GOOD}`;
const zipped = zipArchive({ 'a.csv': HEAD + GOOD });
const gzipped = gzipSync(`${HEAD}${CANARY},,,\n${GOOD}`);
const PARQUET = { format: 'parquet', pattern: '{date}/{mode}.parquet' };
const GZIP = { compression: 'gzip' };
const ZIP = { compression: 'zip' };
const SELECT_TIMES = 'SELECT nope AS on_time, on_location, off_time, off_location FROM source';
const goodRow = `TIMESTAMP '${DAY} 08:00' AS on_time, '2000' AS on_location, TIMESTAMP '${DAY} 08:20' AS off_time, '2010' AS off_location`;
const IN_MILLISECONDS = `SELECT TIMESTAMP_MS '${DAY} 08:00' AS on_time, '2000' AS on_location,
  TIMESTAMP_MS '${DAY} 08:20' AS off_time, '2010' AS off_location
  UNION ALL SELECT TIMESTAMP_MS '${DAY} 09:00', '${CANARY}', NULL, NULL`;
const canaryRow = `TIMESTAMP '${DAY} 09:00', '${CANARY}', NULL, NULL`;

type Content = string | Buffer | { parquet: string; damage?: (bytes: Buffer) => Buffer } | null;
type Change = SeriesChange['source'];
/** Why a row, or one tap of it, is not counted: names of the list of rejects. */
type RowReason =
  | 'no-tap'
  | 'time-unreadable'
  | 'time-outside-day'
  | 'time-nonexistent'
  | 'card-missing'
  | 'tap-unknown'
  | 'value-unusable'
  | 'mode-unknown'
  | 'mode-undeclared'
  | 'day-undeclared';
type Reason = RowReason | RejectReason;

/** Objects that are at fault as a whole: kind, code, content, change of the source, key when it is not the usual one. */
const FAULTS: [kind: string, code: ErrorCode, content: Content, change?: Change, key?: string][] = [
  ['an object that is not there', 'OBJECT_MISSING', null],
  ['an object named by a day that does not exist', 'OBJECT_MISSING', bad(CANARY), {}, '2026-02-30/bus.csv'],
  ['an object named by a mode in capitals', 'OBJECT_MISSING', bad(CANARY), {}, `${DAY}/Bus.csv`],
  ['an empty CSV object', 'OBJECT_SCHEMA', ''],
  ['a CSV header without one of the columns', 'OBJECT_SCHEMA', `on_time,on_location,off_time\n${CANARY},,\n`],
  ['a CSV header with two equal names', 'OBJECT_SCHEMA', `on_time,${HEAD}${CANARY},,,,\n`],
  ['a CSV header with an empty name', 'OBJECT_SCHEMA', `,${HEAD}${CANARY},,,,\n`],
  ['a CSV header with another delimiter', 'OBJECT_SCHEMA', HEAD.replaceAll(',', ';') + CANARY],
  ['a CSV header of 10 MB', 'OBJECT_SCHEMA', `${CANARY.repeat(1_000_000)}\n${GOOD}`],
  ['a CSV header of 100,000 columns', 'OBJECT_SCHEMA', manyColumns(100_000)],
  ['a CSV header of one column too many', 'OBJECT_SCHEMA', manyColumns(9_997)],
  ['gzip where none is declared', 'OBJECT_UNREADABLE', gzipped],
  ['text in UTF-16', 'OBJECT_UNREADABLE', Buffer.from(`\uFEFF${bad(CANARY)}`, 'utf16le')],
  ['text where gzip is declared', 'OBJECT_UNREADABLE', bad(CANARY), GZIP],
  ['gzip that is truncated', 'OBJECT_UNREADABLE', gzipped.subarray(0, -3), GZIP],
  ['gzip with a wrong checksum', 'OBJECT_UNREADABLE', flipped(gzipped, -6), GZIP],
  ['gzip followed by garbage', 'OBJECT_UNREADABLE', Buffer.concat([gzipped, Buffer.from(CANARY)]), GZIP],
  ['an empty object where gzip is declared', 'OBJECT_UNREADABLE', '', GZIP],
  ['text where zip is declared', 'OBJECT_UNREADABLE', bad(CANARY), ZIP],
  ['zip that is truncated', 'OBJECT_UNREADABLE', zipped.subarray(0, -10), ZIP],
  ['CSV where Parquet is declared', 'OBJECT_UNREADABLE', bad(CANARY), PARQUET],
  ['an empty Parquet object', 'OBJECT_UNREADABLE', '', PARQUET],
  ['Parquet that is truncated', 'OBJECT_UNREADABLE', damagedParquet((bytes) => bytes.subarray(0, -20)), PARQUET],
  [
    'Parquet with a damaged footer',
    'OBJECT_UNREADABLE',
    damagedParquet((bytes) => bytes.fill(0xff, bytes.length - 120, bytes.length - 8)),
    PARQUET,
  ],
  ['Parquet with damaged pages', 'OBJECT_UNREADABLE', damagedParquet((bytes) => bytes.fill(0xff, 4, 60)), PARQUET],
  ['Parquet of one column too many', 'OBJECT_SCHEMA', { parquet: `SELECT ${'1, '.repeat(9_997)}${goodRow}` }, PARQUET],
  ['Parquet without one of the columns', 'OBJECT_SCHEMA', { parquet: `SELECT '${CANARY}' AS on_location` }, PARQUET],
  ['Parquet with a time that is a day', 'OBJECT_SCHEMA', retyped("on_time: DATE '2026-03-02'"), PARQUET],
  ['Parquet with a time that is a number', 'OBJECT_SCHEMA', retyped('on_time: 1772400000'), PARQUET],
  ['Parquet with a time that is a list', 'OBJECT_SCHEMA', retyped("on_time: ['2026-03-02 08:00']"), PARQUET],
  ['Parquet with a location that is a list', 'OBJECT_SCHEMA', retyped(`on_location: ['${CANARY}']`), PARQUET],
  ['Parquet with a location of bytes', 'OBJECT_SCHEMA', retyped(`on_location: '${CANARY}'::BLOB`), PARQUET],
  ['a source that the select does not fit', 'OBJECT_SCHEMA', bad(CANARY), { columns: undefined, select: SELECT_TIMES }],
  ...DOCUMENT_FAULTS,
  [
    'rows without a mode under a name without one',
    'OBJECT_SCHEMA',
    bad(CANARY),
    { pattern: '{date}.csv' },
    `${DAY}.csv`,
  ],
];

/** A CSV object with this number of columns besides those that are read. */
function manyColumns(count: number): string {
  const more = Array.from({ length: count }, (_, index) => `,${index.toString(36)}x`).join('');
  return `${HEAD.trimEnd()}${more}\n${GOOD.trimEnd()}${','.repeat(count)}\n`;
}

const SELECT_LONGER =
  "SELECT on_time, replace(on_location, 'A', 'AAA') AS on_location, off_time, off_location FROM source";
const HEADLESS = { csv: { header: ['on_time', 'on_location', 'off_time', 'off_location'] } };
const headless = (start: string): Buffer => Buffer.from(`${start}${CANARY},,,\n${GOOD}`, 'latin1');
/** Each tap of the row says it. */
const UNUSABLE: Reason[] = ['value-unusable', 'value-unusable'];

const JSONL = { format: 'jsonl', pattern: '{date}/{mode}.jsonl' };
const MODE = { columns: sameNames(['mode', 'on_time', 'on_location', 'off_time', 'off_location']) };
const moded = (mode: string): string => `mode,${HEAD}${mode},${DAY} 09:00,${CANARY},,\nbus,${GOOD}`;
const TAPS = { rows: 'taps', columns: sameNames(['tap', 'time', 'location']) };
const tapped = (tap: string): string =>
  `tap,time,location\n${tap},${DAY} 09:00,${CANARY}\non,${DAY} 08:00,2000\noff,${DAY} 08:20,2010\n`;
const MINUTES = { columns: sameNames(['on_day', 'on_minute', 'on_location', 'off_day', 'off_minute', 'off_location']) };
const minutes = (day: string, minute: string): string =>
  `on_day,on_minute,on_location,off_day,off_minute,off_location\n${day},${minute},${CANARY},,,\n${DAY},480,2000,${DAY},500,2010\n`;
const select = (time: string) => ({
  columns: undefined,
  select: `SELECT ${time} AS on_time, on_location, off_time, off_location FROM source`,
});

/** Rows that are rejects: kind, reasons, content with one good row, change of the source. */
const REJECTS: [kind: string, reasons: Reason[], content: Content, change?: Change][] = [
  ['a row with too few fields', ['field-count'], bad(CANARY)],
  ['a row with too many fields', ['field-count'], bad(`,,,,${CANARY}`)],
  ['a last line that breaks off', ['field-count'], `${HEAD}${GOOD}${DAY} 09:00,${CANARY}`],
  ['a quote that is never closed', ['quote-unclosed'], bad(`"${CANARY},2000,,`)],
  ['a quote inside a field', ['quote-misplaced'], bad(`${CANARY}"x",2000,,`)],
  ['text after a closing quote', ['quote-misplaced'], bad(`"${DAY} 09:00"${CANARY},2000,,`)],
  [
    'a line end inside quotes',
    ['quote-unclosed', 'quote-unclosed'],
    bad(`${DAY} 09:00,"${CANARY}\nx,2000",,`).replace('x,2000",,', ',,,"x'),
  ],
  ['a NUL byte', ['control-character'], bad(`${DAY} 09:00,${CANARY}\0,,`)],
  ['a carriage return inside a row', ['control-character'], bad(`${DAY} 09:00,\r${CANARY},,`)],
  ['bytes that are no UTF-8', ['not-utf8'], Buffer.from(bad(`${DAY} 09:00,${CANARY}\xff\xfe,,`), 'latin1')],
  ['a line of 10 MB', ['line-too-long'], bad(`${DAY} 09:00,${CANARY.repeat(1_000_000)},,`)],
  ['a header in the place of a row', ['time-unreadable', 'time-unreadable'], bad(`${CANARY},on_location,off_time,`)],
  ['a time that is text', ['time-unreadable'], bad(`${CANARY},2000,,`)],
  ['a time without a clock', ['time-unreadable'], bad(`${DAY},${CANARY},,`)],
  ['a clock without a day', ['time-unreadable'], bad(`09:00,${CANARY},,`)],
  ['a day that does not exist', ['time-unreadable'], bad(`2026-02-30 09:00,${CANARY},,`)],
  ['an hour that does not exist', ['time-unreadable'], bad(`${DAY} 25:00,${CANARY},,`)],
  ['a time in seconds since 1970', ['time-unreadable'], bad(`1772400000,${CANARY},,`)],
  ['the word infinity', ['time-unreadable'], bad(`infinity,${CANARY},,`)],
  ['day and month in the order of another country', ['time-unreadable'], bad(`02/03/2026 09:00,${CANARY},,`)],
  ['an offset in a source of local times', ['time-unreadable'], bad(`${DAY}T09:00+11:00,${CANARY},,`)],
  ['a time of the far future', ['day-undeclared'], bad(`2999-12-31 09:00,${CANARY},,`)],
  ['a time of the day before', ['day-undeclared'], bad(`2026-03-01 09:00,${CANARY},,`)],
  ['a tap-off two days later', ['day-undeclared'], bad(`,,2026-03-04 09:00,${CANARY}`)],
  ['a row of commas', ['no-tap'], bad(',,,')],
  ['a location and no time', ['no-tap'], bad(`,${CANARY},,`)],
  ['a mode that the series does not have', ['mode-unknown'], moded(CANARY), MODE],
  ['no mode in a column of modes', ['mode-unknown'], moded(''), MODE],
  ["a mode that the object's name does not declare", ['mode-undeclared'], moded('train'), MODE],
  ['a tap that is neither on nor off', ['tap-unknown'], tapped(CANARY), TAPS],
  ['a tap without a kind', ['tap-unknown'], tapped(''), TAPS],
  ['a minute that is no number', ['time-unreadable'], minutes(DAY, CANARY), MINUTES],
  ['a minute with a fraction', ['time-unreadable'], minutes(DAY, '540.5'), MINUTES],
  ['a minute after the day', ['time-outside-day'], minutes(DAY, '1440'), MINUTES],
  ['a minute without a day', ['time-unreadable'], minutes('', '540'), MINUTES],
  ['a minute on a day that does not exist', ['time-unreadable'], minutes('2026-02-30', '540'), MINUTES],
  ['JSON that breaks off', ['not-json'], `{"on_time": "${CANARY}\n${jsonGood}`, JSONL],
  ['JSON with a carriage return between its values', ['no-tap'], `{"x": 1,\r"y": "${CANARY}"}\n${jsonGood}`, JSONL],
  ['JSON that is a list', ['not-json'], `["${CANARY}"]\n${jsonGood}`, JSONL],
  ['JSON with a time that is an object', ['time-unreadable'], `{"on_time": {"x": "${CANARY}"}}\n${jsonGood}`, JSONL],
  [
    'JSON of two thousand brackets',
    ['time-unreadable'],
    `{"${CANARY}": 1, "on_time": ${'['.repeat(2_000)}${']'.repeat(2_000)}}\n${jsonGood}`,
    JSONL,
  ],
  [
    'JSON of two hundred thousand brackets',
    ['line-too-long'],
    `{"${CANARY}": 1, "on_time": ${'['.repeat(200_000)}${']'.repeat(200_000)}}\n${jsonGood}`,
    JSONL,
  ],
  ...RAGGED_REJECTS,
  ...DOCUMENT_REJECTS,
  ['a location over the limit', UNUSABLE, bad(`${DAY} 09:00,${CANARY.repeat(410)},,`)],
  ['a time over the limit', UNUSABLE, bad(`${CANARY.repeat(410)},2000,,`)],
  [
    'a location that the select makes longer than the limit',
    UNUSABLE,
    bad(`${DAY} 09:00,${CANARY.repeat(400)},,`),
    { columns: undefined, select: SELECT_LONGER },
  ],
  [
    'a location of JSON that is longer than the limit when it is written out',
    UNUSABLE,
    `{"${CANARY}": 1, "on_time": "${DAY} 09:00", "on_location": [${'1e20,'.repeat(500)}1]}\n${jsonGood}`,
    JSONL,
  ],
  ['a location over the limit in Parquet', UNUSABLE, oddParquet(`'${CANARY.repeat(410)}' AS on_location`), PARQUET],
  ['a location of 200 MB in Parquet', UNUSABLE, oddParquet(`repeat('${CANARY}', 20000000) AS on_location`), PARQUET],
  [
    'a location in Parquet that is no UTF-8',
    UNUSABLE,
    { ...oddParquet("'BREAKME' AS on_location"), damage: withoutUtf8 },
    PARQUET,
  ],
  [
    'a time out of range in Parquet',
    ['time-unreadable'],
    { parquet: IN_MILLISECONDS, damage: outOfRange(`${DAY}T09:00Z`) },
    PARQUET,
  ],
  ['CSV without header that begins like gzip', ['not-utf8'], headless('\x1f\x8b'), HEADLESS],
  ['CSV without header that begins like UTF-16', ['not-utf8'], headless('\xff\xfe'), HEADLESS],
  ['JSON that begins like gzip', ['not-utf8'], Buffer.from(`\x1f\x8b${CANARY}\n${jsonGood}`, 'latin1'), JSONL],
  ['JSON without any of the columns', ['no-tap'], `{"x": "${CANARY}"}\n${jsonGood}`, JSONL],
  [
    'a value on which the select overflows',
    ['no-tap'],
    bad(`9e18,${CANARY},,`),
    select(
      "CASE WHEN on_time LIKE '9e18' THEN TRY_CAST(TRY_CAST(9000000000000000 * 1000 AS BIGINT) * 1000 * TRY_CAST(on_time AS BIGINT) AS VARCHAR) ELSE on_time END",
    ),
  ],
  ['an infinite timestamp in Parquet', ['time-unreadable'], retyped("on_time: TIMESTAMP 'infinity'"), PARQUET],
  [
    'a timestamp of the far future in Parquet',
    ['day-undeclared'],
    retyped("on_time: TIMESTAMP '290000-01-01'"),
    PARQUET,
  ],
];

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  const place = at < 0 ? copy.length + at : at;
  copy[place] = copy[place]! ^ 0xff;
  return copy;
}

function damagedParquet(damage: (bytes: Buffer) => Buffer): Content {
  return { parquet: `SELECT ${goodRow} UNION ALL SELECT ${canaryRow}`, damage };
}

/** A good row and one whose column has this value; the column takes the type of the value. */
function retyped(field: string): { parquet: string } {
  const [column, value] = [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1)];
  const replace = `${value} AS ${column}`;
  const canary = `SELECT * REPLACE ('${CANARY}' AS on_location, NULL AS off_time) FROM (SELECT ${goodRow})`;
  const changed = `SELECT * REPLACE (${replace}) FROM (${canary})`;
  const compatible = value.includes('TIMESTAMP');
  return { parquet: compatible ? `${changed} UNION ALL SELECT ${goodRow}` : changed };
}

/** A good row, and the same with other values. */
function oddParquet(replace: string): { parquet: string } {
  return { parquet: `SELECT * REPLACE (${replace}) FROM (SELECT ${goodRow}) UNION ALL SELECT ${goodRow}` };
}

async function deliver(key: string, content: Content): Promise<void> {
  if (content === null) return;
  if (typeof content === 'string' || Buffer.isBuffer(content)) return bench.deliver(key, content);
  await bench.deliverParquet(key, content.parquet);
  if (content.damage) await bench.deliver(key, content.damage(await bench.sourceBytes(key)));
}

/** A good object under each compression. */
const PACKED: Readonly<Record<StageBench['series']['source']['compression'], (text: string) => string | Buffer>> = {
  none: (text) => text,
  gzip: gzipSync,
  zip: (text) => zipArchive({ 'a.csv': text }),
};

/** A release of one day: the bad bus object, and a good train object unless the name declares no mode. */
async function run(content: Content, change: Change, key?: string) {
  bench = await StageBench.open({ days: 1, source: change });
  const { pattern, format, compression } = bench.series.source;
  const name = (mode: string): string => pattern.replace('{date}', DAY).replace('{mode}', mode);
  await deliver(key ?? name('bus'), content);
  if (pattern.includes('{mode}')) {
    const good = goodObject(format, change);
    await deliver(name('train'), typeof good === 'string' ? PACKED[compression](good) : good);
  }
  return bench.count();
}

function goodObject(format: string, change: Change): Content {
  if (format === 'parquet') return { parquet: `SELECT ${goodRow}` };
  if (format === 'jsonl') return jsonGood;
  if (format === 'json') return document(jsonGood);
  if (change === HEADLESS) return GOOD;
  if (change === RAGGED) return raggedGood;
  if (change === MODE) return `mode,${HEAD}train,${GOOD}`;
  if (change === TAPS) return `tap,time,location\non,${DAY} 08:00,2000\noff,${DAY} 08:20,2010\n`;
  if (change === MINUTES) return minutes(DAY, '').replace(/\n[^\n]*CANARY[^\n]*/, '');
  return HEAD + GOOD;
}

const COUNTED = (mode: string): string[] => [`${mode} ${DAY} off 08:15 2010 = 1`, `${mode} ${DAY} on 08:00 2000 = 1`];

/** What can be wrong with a line, before there is a row. */
const LINE_REASONS: Record<RejectReason, true> = {
  'field-count': true,
  'quote-unclosed': true,
  'quote-misplaced': true,
  'control-character': true,
  'not-utf8': true,
  'line-too-long': true,
  'not-json': true,
};
/** Why a row, or one tap of it, is not counted: custodian/risk/sql names these. */
const ROW_REASONS = [
  'no-tap',
  'time-unreadable',
  'time-outside-day',
  'time-nonexistent',
  'card-missing',
  'tap-unknown',
  'value-unusable',
  'mode-unknown',
  'mode-undeclared',
  'day-undeclared',
];
/** They need a day on which clocks are put forward, and cards: bin.test.ts and bounding.test.ts have them. */
const ELSEWHERE = ['time-nonexistent', 'card-missing'];
/**
 * Those that are too large are in test/fault, odd names in odd-names.test.ts, two of one name in deliveries.test.ts; in
 * bin.test.ts one changes meanwhile.
 */
const FAULTS_ELSEWHERE = ['OBJECT_TOO_LARGE', 'OBJECT_CHANGED', 'OBJECT_UNEXPECTED', 'OBJECT_TWICE'];

describe('every kind of bad input', () => {
  it('no reason of a reject, code of an object, compression and format is left out', () => {
    const reasons = new Set<string>(REJECTS.flatMap(([, some]) => some));
    const all = [...ROW_REASONS, ...Object.keys(LINE_REASONS)].filter((reason) => !ELSEWHERE.includes(reason));
    expect([...reasons].sort()).toEqual(all.sort());
    const codes = Object.keys(ERRORS).filter((code) => code.startsWith('OBJECT_') && !FAULTS_ELSEWHERE.includes(code));
    expect([...new Set<string>(FAULTS.map(([, code]) => code))].sort()).toEqual(codes.sort());
    const damaged = new Set(FAULTS.map(([, , , change]) => change?.compression ?? 'none'));
    expect(damaged).toEqual(new Set(Object.keys(PACKED)));
    const formats = new Set([...FAULTS, ...REJECTS].map(([, , , change]) => change?.format ?? 'csv'));
    expect(formats).toEqual(new Set(sourceFields.format.options));
  });

  it.each(FAULTS)(
    '@contract C6: %s is the fault %s, of exactly the partitions that it may feed',
    async (_, code, content, change = {}, key) => {
      const faults = await run(content, change, key);
      expect(faults.map((fault) => fault.code)).toContain(code);
      const failed = new Set(faults.flatMap(({ partitions }) => partitions.map(({ part: mode }) => mode)));
      const { pattern, select } = bench.series.source;
      // A select that does not fit one object fits none.
      const all = !pattern.includes('{mode}') || select !== undefined;
      expect([...failed].sort()).toEqual(all ? ['bus', 'train'] : ['bus']);
      expect(await bench.allCells()).toEqual(all ? [] : COUNTED('train'));
      expect(JSON.stringify(faults) + (await bench.releaseStoreText())).not.toContain(CANARY);
    },
  );

  it.each(REJECTS)(
    '@contract C5: %s is a private reject (%s), and the rest of the object counts',
    async (_, reasons, content, change = {}) => {
      const faults = await run(content, change);
      expect(faults).toEqual([]);
      expect(await bench.reasons()).toEqual(reasons);
      expect(await bench.allCells()).toEqual([...COUNTED('bus'), ...COUNTED('train')]);
      expect(JSON.stringify(faults) + (await bench.releaseStoreText())).not.toContain(CANARY);
    },
  );
});

describe('the list of rejects', () => {
  it('@contract C5: reads the columns that the series names and no other', async () => {
    const odd = oddParquet(`TIMESTAMP 'infinity' AS on_time, NULL AS off_time`).parquet;
    const parquet = `SELECT *, 'BREAKME' AS note FROM (${odd})`;
    const faults = await run({ parquet, damage: withoutUtf8 }, PARQUET);
    expect(faults).toEqual([]);
    expect(await bench.reasons()).toEqual(['time-unreadable']);
  });
});

describe('what leaves the custodian side', () => {
  it('@contract C6: keeps what DuckDB says in the diagnostics, under the name of the object', async () => {
    await run(bad(CANARY), PARQUET);
    expect(await bench.diagnostics()).toContain(`bin ${DAY}/bus.parquet`);
  });
});
