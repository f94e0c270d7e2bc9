/**
 * Reads every table of the folder of a publication, of whatever kind, as CSV and as Parquet, and checks each column
 * against its stated meaning: public lists and parameters, sums of other tables, and totals. A table or a column
 * that is not named here is refused. It imports nothing of Opaline; DuckDB reads the files:
 *
 *   node examples/readers/tables.mjs FOLDER
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('Name the folder of a publication: node tables.mjs FOLDER');
  process.exit(2);
}
const json = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const privacy = json('privacy.json');
const { domain } = privacy;

const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
const rowsOf = async (sql) => (await connection.runAndReadAll(sql)).getRows();
const numberOf = async (sql) => Number((await rowsOf(sql))[0][0]);

const text = (value) => `'${String(value).replaceAll("'", "''")}'`;
const name = (value) => `"${value.replaceAll('"', '""')}"`;
const among = (column, values) => `${name(column)} IN (${values.map(text).join(', ')})`;

const say = (what, wrong) => {
  console.log(wrong ? `NO  ${what}: ${wrong}` : `ok  ${what}`);
  if (wrong) process.exitCode = 1;
};

/** A CSV file as a table of texts, under its own name. */
async function loadCsv(file) {
  const [header] = readFileSync(join(folder, file), 'utf8').split(/\r?\n/, 1);
  const columns = header.split(',').map((one) => one.trim().replaceAll('"', ''));
  const texts = columns.map((column) => `${text(column)}: 'VARCHAR'`).join(', ');
  await connection.run(`CREATE TABLE ${name(file)} AS SELECT row_number() OVER () AS "#", * FROM read_csv(
    ${text(join(folder, file))}, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"',
    nullstr = '\\0', columns = {${texts}})`);
  return columns;
}

/** A Parquet file as a table, with the type of each column. */
async function loadParquet(file) {
  const from = `read_parquet(${text(join(folder, file))})`;
  await connection.run(`CREATE TABLE ${name(file)} AS SELECT row_number() OVER () AS "#", * FROM ${from}`);
  return (await rowsOf(`DESCRIBE SELECT * FROM ${from}`)).map(([column, type]) => [column, type]);
}

/** How many rows are in one of two queries and not in the other. */
const differenceOf = (a, b) =>
  numberOf(`SELECT count(*) FROM ((${a}) EXCEPT ALL (${b}) UNION ALL ((${b}) EXCEPT ALL (${a})))`);

const minutes = (label) =>
  `(TRY_CAST(split_part(${label}, ':', 1) AS INT) * 60 + TRY_CAST(split_part(${label}, ':', 2) AS INT))`;

/** Of each kind its tables, of each table its columns in their order: type, and what holds of every value. */
const KINDS = {
  'opaline-privacy': async () => {
    await loadCsv('places.csv');
    const placeTypes = (await loadParquet('places.parquet')).filter(([column]) => /^(mode|loc|l.+tude)$/.test(column));
    const hasTypes = placeTypes.join(' ') === 'mode,VARCHAR loc,VARCHAR latitude,DOUBLE longitude,DOUBLE';
    const select = (file) => `SELECT mode, loc, name FROM ${name(file)}`;
    const others = hasTypes && (await differenceOf(select('places.csv'), select('places.parquet')));
    say('places.parquet', (!hasTypes && `${placeTypes}`) || (others > 0 && `${others} rows differ from places.csv`));
    const [starts, ends] = [domain.dayStarts, domain.dayEnds].map((label) => minutes(text(label)));
    /** The moment of a label, whose hours may go on past 24:00. */
    const moment = (column, later) => `date + to_minutes(CAST(${minutes(column)} + ${later} AS BIGINT))`;
    const moments = (column, length) => ({
      start: ['TIMESTAMP', `"start" = ${moment(column, 0)}`],
      end: ['TIMESTAMP', `"end" = ${moment(column, length)}`],
    });
    const isTime = `regexp_full_match("time", '\\d\\d:[0-5]\\d') AND ${minutes('"time"')} >= ${starts}
      AND ${minutes('"time"')} < ${ends} AND (${minutes('"time"')} - ${starts}) % ${domain.binMinutes} = 0`;
    const slice = {
      mode: ['VARCHAR', among('mode', domain.modes)],
      date: ['DATE', among('date', domain.days)],
      tap: ['VARCHAR', among('tap', ['on', 'off'])],
    };
    const time = { time: ['VARCHAR', isTime], ...moments('"time"', domain.binMinutes) };
    const hour = {
      hour: [
        'VARCHAR',
        `regexp_full_match("hour", '\\d\\d:00') AND ${minutes('"hour"')} BETWEEN ${starts} - 59 AND ${ends} - 1`,
      ],
      ...moments('"hour"', 60),
    };
    const place = { loc: ['VARCHAR', '(mode, loc) IN (SELECT (mode, loc) FROM "places.csv")'] };
    const count = { count: ['BIGINT', '"count" IS NOT NULL'] };
    const isKnown = privacy.threshold === null || Object.keys(privacy.marginScales).length > 0;
    return {
      'time-location': { ...slice, ...time, ...place, ...count },
      time: { ...slice, ...time, ...count },
      location: { ...slice, ...place, ...count },
      hours: { ...slice, ...hour, ...place, ...count },
      'remainder-time': { ...slice, ...time, ...count },
      'remainder-location': { ...slice, ...place, ...count },
      'margins-time': { ...slice, ...time, ...count },
      'margins-location': { ...slice, ...place, ...count },
      'left-out': { ...slice, ...count },
      totals: {
        mode: slice.mode,
        date: slice.date,
        ...count,
        ...(isKnown && { low: ['BIGINT', '"low" <= "high"'], high: ['BIGINT', '"count" <= "high"'] }),
      },
    };
  },
  'opaline-occupancy-privacy': async () => {
    const columns = await loadCsv('timetable.csv');
    const days = columns.includes('days') ? 'trim(days)' : "'daily'";
    const list = `[${domain.days.map(text).join(', ')}]`;
    const fields = ['part', 'date', 'run', 'sequence', 'stop', 'departure', 'vehicle'];
    const terms = ['part', 'run', 'stop', 'departure', 'vehicle'].map((field) => `trim(${field}) AS ${field}`);
    await connection.run(`CREATE TABLE scheduled AS SELECT ${fields.join(', ')} FROM (
      SELECT ${terms.join(', ')}, trim("sequence")::INT AS "sequence", ${days} AS on_days, unnest(${list})::DATE AS date
      FROM "timetable.csv") WHERE part IN (${domain.parts.map(text).join(', ')})
      AND (on_days = 'daily' OR list_contains(string_split(on_days, ' '), lower(dayname(date))))`);
    const isScheduled = (...some) => `(${some.join(', ')}) IN (SELECT (${some.join(', ')}) FROM scheduled)`;
    const { vehicles } = json('certificate.json');
    const holes = `(part || '/' || date::VARCHAR) IN (${[...privacy.holes, ''].map(text).join(', ')})`;
    const statuses = Object.entries(vehicles).map(
      ([vehicle, { categories }]) => `(vehicle = ${text(vehicle)} AND ${among('status', categories)})`,
    );
    return {
      statuses: {
        part: ['VARCHAR', among('part', domain.parts)],
        date: ['DATE', among('date', domain.days)],
        run: ['VARCHAR', isScheduled('part', 'date', 'run')],
        sequence: ['INTEGER', isScheduled('part', 'date', 'run', '"sequence"')],
        stop: ['VARCHAR', isScheduled('part', 'date', 'run', '"sequence"', 'stop')],
        departure: ['VARCHAR', isScheduled('part', 'date', 'run', '"sequence"', 'departure')],
        vehicle: ['VARCHAR', isScheduled('part', 'date', 'run', '"sequence"', 'vehicle')],
        status: ['VARCHAR', `CASE WHEN ${holes} THEN status = 'NO_DATA_AVAILABLE' ELSE ${statuses.join(' OR ')} END`],
      },
    };
  },
  'opaline-synthetic-privacy': async () => {
    const start = {
      date: ['DATE', among('date', domain.days)],
      part: ['VARCHAR', among('part', domain.parts)],
    };
    const attributes = domain.attributes.map((one) => [one.name, ['VARCHAR', among(one.name, one.values)]]);
    const hasName = domain.attributes.map((one) => `starts_with(one, ${text(`${one.name}=`)})`).join(' OR ');
    const words = `len(list_filter(string_split(cells, '; '), lambda one: NOT (${hasName}))) = 0`;
    return {
      synthetic: {
        ...start,
        ...Object.fromEntries(attributes),
        weight: ['BIGINT', '"weight" >= 0'],
        rows: ['DECIMAL(18,6)', '"rows" >= 0'],
      },
      measurements: {
        ...start,
        round: ['BIGINT', `"round" BETWEEN 0 AND ${privacy.parameters.rounds}`],
        query: ['VARCHAR', `CASE "round" WHEN 0 THEN query = '' ELSE regexp_full_match(query, '\\d+') END`],
        cells: ['VARCHAR', `CASE "round" WHEN 0 THEN cells = 'all' ELSE ${words} END`],
        value: ['BIGINT', '"value" IS NOT NULL'],
      },
    };
  },
};

/** Columns that hold what is counted or drawn, or when a bin begins and ends; the others distinguish rows. */
const VALUES = ['start', 'end', 'count', 'low', 'high', 'status', 'weight', 'rows', 'query', 'cells', 'value'];
/** Tables that follow from others: which rows they have to hold. */
const SUMS = {
  time: ['mode, date, tap, "time"', ['time-location', 'remainder-time']],
  location: ['mode, date, tap, loc', ['time-location', 'hours', 'remainder-location']],
};

const DICTIONARY_TYPES = {
  VARCHAR: 'string',
  DATE: 'date',
  INTEGER: 'integer',
  BIGINT: 'integer',
  'DECIMAL(18,6)': 'number',
  DOUBLE: 'number',
  TIMESTAMP: 'datetime',
};

const kind = Object.keys(KINDS).find((one) => privacy.format.startsWith(`${one}/`));
if (kind === undefined) {
  console.error(
    `This reader does not know a kind whose privacy.json is ${privacy.format}: its tables belong into KINDS.`,
  );
  process.exit(2);
}
const tables = await KINDS[kind]();
/** Lists as they were given, and what describes the tables. */
const LISTS = /^((places-.+|timetable|data-dictionary)\.csv|places\.(csv|parquet))$/;
const files = readdirSync(folder).filter((file) => /\.(csv|parquet)$/.test(file) && !LISTS.test(file));
const strangers = files.filter((file) => !(file.replace(/\.\w+$/, '') in tables));
say('tables that are known', strangers.join(', '));
await loadCsv('data-dictionary.csv');
const totals = new Map(json('summary.json').files.map(({ name: file, total }) => [file, total]));

/** Tables that have the columns that they should. */
const sound = new Set();

for (const [table, columns] of Object.entries(tables)) {
  const [csv, parquet] = [`${table}.csv`, `${table}.parquet`];
  if (!files.includes(parquet)) {
    say(table, files.includes(csv) && 'it has no Parquet file');
    continue;
  }
  const entries = Object.entries(columns);
  const types = await loadParquet(parquet);
  const header = entries.map(([column, [type]]) => `${column} ${type}`).join();
  const actual = types.map((one) => one.join(' ')).join();
  say(`${parquet}, columns`, actual !== header && `${actual} instead of ${header}`);
  if (actual !== header) continue;
  sound.add(table);
  for (const [column, [, holds]] of entries) {
    const wrong = await numberOf(`SELECT count(*) FROM ${name(parquet)} WHERE (${holds}) IS NOT TRUE`);
    say(`${parquet}, ${column}`, wrong > 0 && `${wrong} rows have values that this column does not have`);
  }
  // The CSV files of the original Opal release write days in another way, and have no moments.
  const isOfOpal = privacy.profile === 'opal-2017';
  const inCsv = entries.filter(([, [type]]) => !isOfOpal || type !== 'TIMESTAMP').map(([column]) => column);
  const formats = { DATE: isOfOpal ? '%Y%m%d' : '%Y-%m-%d', TIMESTAMP: '%Y-%m-%dT%H:%M:%S' };
  const texts = inCsv.map((column) => {
    const format = formats[columns[column][0]];
    return format ? `strftime(${name(column)}, ${text(format)})` : `${name(column)}::VARCHAR`;
  });
  if (files.includes(csv)) {
    const names = (await loadCsv(csv)).join();
    say(`${csv}, columns`, names !== inCsv.join() && names);
    const all = inCsv.map(name).join(', ');
    const other = await differenceOf(
      `SELECT "#", ${texts.join(', ')} FROM ${name(parquet)}`,
      `SELECT "#", ${all} FROM ${name(csv)}`,
    );
    say(`${csv}, rows`, other > 0 && 'they are not those of the Parquet file, in their order');
  }
  const keys = Object.keys(columns).filter((column) => !VALUES.includes(column));
  const twice = await numberOf(
    `SELECT count(*) - count(DISTINCT (${keys.map(name).join(', ')})) FROM ${name(parquet)}`,
  );
  say(`${parquet}, keys`, twice > 0 && `${twice} rows have the key of another`);
  for (const file of [csv, parquet].filter((one) => files.includes(one))) {
    const rows = await rowsOf(
      `SELECT "column", "type" FROM "data-dictionary.csv" WHERE file = ${text(file)} ORDER BY "position"::INT`,
    );
    const there = file === csv ? inCsv : Object.keys(columns);
    const fields = there.map((column) => [column, DICTIONARY_TYPES[columns[column][0]]]);
    say(`${file}, data dictionary`, JSON.stringify(rows) !== JSON.stringify(fields) && JSON.stringify(rows));
    if ('count' in columns) {
      const total = await numberOf(`SELECT coalesce(sum("count"), 0) FROM ${name(parquet)}`);
      say(`${file}, total`, total !== totals.get(file) && `${total}, and the summary says ${totals.get(file)}`);
    }
  }
}

for (const [table, [keys, parts]] of Object.entries(SUMS)) {
  if (!sound.has(table)) continue;
  const there = parts.filter((part) => sound.has(part));
  if (there.length === 0) {
    say(`${table} is a sum`, `${parts.join(' and ')} cannot be read`);
    continue;
  }
  const rows = there.map((part) => `SELECT ${keys}, "count" FROM ${name(`${part}.parquet`)}`).join(' UNION ALL ');
  const sums = `SELECT ${keys}, sum("count") FROM (${rows}) GROUP BY ALL`;
  const wrong = await differenceOf(sums, `SELECT ${keys}, "count" FROM ${name(`${table}.parquet`)}`);
  say(`${table} is the sum of ${there.join(' and ')}`, wrong > 0 && `${wrong} rows differ`);
}

const views = ['margins-time', 'margins-location', 'time-location'].filter((one) => sound.has(one));
if (sound.has('totals') && views.length === 0) say('totals are sums', 'no table that counts taps can be read');
else if (sound.has('totals')) {
  // Margins count every tap, cells only where there are no margins.
  const sources = views.length > 1 ? views.slice(0, -1) : views;
  const sums = sources.map(
    (one) => `SELECT mode, date, sum("count") AS "count" FROM ${name(`${one}.parquet`)} GROUP BY ALL`,
  );
  const other = await numberOf(`SELECT count(*) FROM "totals.parquet"
    WHERE "count" <> 0 AND (mode, date, "count") NOT IN (${sums.join(' UNION ALL ')})`);
  say('totals are sums of rows that count every tap', other > 0 && `${other} rows differ`);
}

if (sound.has('statuses')) {
  const all = 'part, date, run, "sequence", stop, departure, vehicle';
  const wrong = await differenceOf(`SELECT ${all} FROM scheduled`, `SELECT ${all} FROM "statuses.parquet"`);
  say('statuses has each scheduled departure once', wrong > 0 && `${wrong} rows differ`);
}

if (sound.has('synthetic') && sound.has('measurements')) {
  const draws = 'SELECT date, part, "value" FROM "measurements.parquet" WHERE "round" = 0';
  const wrong = await numberOf(`SELECT count(*) FROM (SELECT s."rows", m."value" * s.weight::DOUBLE / sum(s.weight) OVER
    (PARTITION BY s.date, s.part) AS share FROM "synthetic.parquet" s LEFT JOIN (${draws}) m USING (date, part))
    WHERE (abs("rows"::DOUBLE - share) < 0.0000015) IS NOT TRUE`);
  say('rows is the share of each weight in the rows of its part and day', wrong > 0 && `${wrong} rows differ`);
  const cells = domain.attributes.reduce((product, { values }) => product * values.length, 1);
  const partial = await numberOf(`SELECT count(*) FROM (SELECT count(s.weight) AS cells FROM (${draws}) m LEFT JOIN
    "synthetic.parquet" s USING (date, part) GROUP BY date, part) WHERE cells <> ${cells}`);
  say('synthetic has each cell of the domain once', partial > 0 && `${partial} parts and days have not`);
}
