import fc from 'fast-check';
import { handmadeParquet, littleEndian, type ParquetColumn } from '../support/handmade-parquet.ts';

/**
 * Parquet objects as no honest supplier writes them. Each comes twice: with a good last row, and with one whose place of
 * the tap off is no UTF-8, which DuckDB gives the whole object up for.
 */
export type HostileObject = { name: string; of(isOdd: boolean, day: string): { query: string } | { bytes: Buffer } };

/** Rows before the last one. */
export const GOOD_ROWS = 20;

/** What a tap on is read from: SQL of the time, and of the place, for each type that some writer gives them. */
const TIMES = ['TIMESTAMP', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMP_S', 'TIMESTAMPTZ', 'VARCHAR', 'DATE', 'TIME'];
const PLACES = ['VARCHAR', 'INTEGER', 'UBIGINT', 'DECIMAL(18,0)', 'DECIMAL(38,2)', 'DOUBLE', 'UUID', 'BLOB'];

/** A value of any type and nesting, under the name of a column of the series or one that is like it. */
const INSIDE = ['BIGINT', 'VARCHAR', 'TIMESTAMP_MS', 'DECIMAL(38,2)', 'DOUBLE', 'UUID', 'BOOLEAN', 'BLOB', 'DATE'];
const NAMES = ['on_time', 'on_location', 'off_time', 'off_location', 'card', 'key', 'value', 'list', 'element', 'a.b'];
const SHAPES = ['struct', 'list', 'map', 'list of structs', 'struct of lists', 'map of structs'] as const;

type Beside = { shape: (typeof SHAPES)[number]; names: string[]; types: string[] };
const beside: fc.Arbitrary<Beside> = fc.record({
  shape: fc.constantFrom(...SHAPES),
  names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 4 }),
  types: fc.array(fc.constantFrom(...INSIDE), { minLength: 4, maxLength: 4 }),
});

const schema = fc.record({
  before: fc.array(beside, { maxLength: 2 }),
  between: fc.array(beside, { maxLength: 1 }),
  after: fc.array(beside, { maxLength: 2 }),
  time: fc.constantFrom(...TIMES, ...TIMES.slice(0, 6)),
  place: fc.constantFrom(...PLACES, ...PLACES.slice(0, 5)),
});

function nested({ shape, names, types }: Beside): string {
  const struct = `STRUCT(${names.map((name, n) => `"${name}" ${types[n]}`).join(', ')})`;
  switch (shape) {
    case 'struct':
      return struct;
    case 'list':
      return `${types[0]}[]`;
    case 'map':
      return `MAP(VARCHAR, ${types[0]})`;
    case 'list of structs':
      return `${struct}[]`;
    case 'struct of lists':
      return `STRUCT("${names[0]}" ${types[0]}[], "${names[1]}" MAP(VARCHAR, ${types[1]}))`;
    case 'map of structs':
      return `MAP(VARCHAR, ${struct})`;
  }
}

/** Objects that DuckDB writes: nested columns at any place, with the names of the series inside. */
export const nestedObjects = (count: number): HostileObject[] =>
  fc.sample(schema, { numRuns: count, seed: 28 }).map(({ before, between, after, time, place }, number) => {
    const extra = (some: readonly Beside[], where: string): string =>
      some.map((one, n) => `NULL::${nested(one)} AS ${where}${n}, `).join('');
    return {
      name: `${number}: ${JSON.stringify({ before, between, after, time, place })}`,
      of: (isOdd, day) => ({
        query: `SELECT ${extra(before, 'b')}(TIMESTAMP '${day} 08:00:00')::VARCHAR::${time} AS on_time,
          ${extra(between, 'm')}${place === 'UUID' ? 'uuid()' : `'2000'::${place}`} AS on_location,
          TIMESTAMP '${day} 08:30:00' AS off_time,
          CASE WHEN i = ${GOOD_ROWS} THEN '${isOdd ? 'BREAKME' : 'stop-10'}' ELSE '2010' END AS off_location,
          ${extra(after, 'a')}i FROM range(${GOOD_ROWS + 1}) AS t(i)`,
      }),
    };
  });

const texts = (value: string): Buffer[] => Array.from({ length: GOOD_ROWS + 1 }, () => Buffer.from(value));
const repeated = (value: Buffer): Buffer[] => Array.from({ length: GOOD_ROWS + 1 }, () => value);
const float = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
/** TIMESTAMP of such a unit, and whether it is of UTC. */
const time = (unit: 1 | 2 | 3, isUtc = false) =>
  [
    8,
    [
      [1, isUtc],
      [2, { fields: [[unit, { fields: [] }]] }],
    ],
  ] as const;

/** Places of a tap on as types that DuckDB does not write. */
const ODD_PLACES: Record<string, Omit<Extract<ParquetColumn, { type: string }>, 'name'>> = {
  FLOAT16: { type: 'FIXED_LEN_BYTE_ARRAY', length: 2, logical: [15, []], values: repeated(Buffer.from([0, 0x3c])) },
  'fixed bytes': { type: 'FIXED_LEN_BYTE_ARRAY', length: 4, values: texts('2000') },
  'fixed text': { type: 'FIXED_LEN_BYTE_ARRAY', length: 4, converted: 0, values: texts('2000') },
  UUID: { type: 'FIXED_LEN_BYTE_ARRAY', length: 16, logical: [14, []], values: repeated(Buffer.alloc(16, 7)) },
  'DECIMAL of 40 digits': {
    type: 'FIXED_LEN_BYTE_ARRAY',
    length: 17,
    converted: 5,
    scale: 0,
    precision: 40,
    values: repeated(Buffer.concat([Buffer.alloc(15), Buffer.from([7, 208])])),
  },
  'DECIMAL of 20 digits in bytes': {
    type: 'BYTE_ARRAY',
    converted: 5,
    scale: 0,
    precision: 20,
    values: repeated(Buffer.from([7, 208])),
  },
  'DECIMAL with more digits than it has': {
    type: 'INT32',
    converted: 5,
    scale: 0,
    precision: 4,
    values: repeated(littleEndian(123_456n, 4)),
  },
  'an integer of 8 bits with more': { type: 'INT32', converted: 15, values: repeated(littleEndian(300n, 4)) },
  'an unsigned integer of 8 bits with less': { type: 'INT32', converted: 11, values: repeated(littleEndian(-1n, 4)) },
  'an unsigned integer of 64 bits': { type: 'INT64', converted: 14, values: repeated(littleEndian(-1n, 8)) },
  'an ENUM': { type: 'BYTE_ARRAY', converted: 4, values: texts('2000') },
  JSON: { type: 'BYTE_ARRAY', converted: 19, values: texts('2000') },
  BOOLEAN: { type: 'BOOLEAN', values: repeated(Buffer.from([1])) },
  DOUBLE: { type: 'DOUBLE', values: repeated(float(2000)) },
};

/** Times of a tap on, of milliseconds since 1970, in ways that DuckDB does not write. */
const ODD_TIMES: Record<string, (milliseconds: bigint) => Omit<Extract<ParquetColumn, { type: string }>, 'name'>> = {
  INT96: (at) => {
    const [days, rest] = [at / 86_400_000n, at % 86_400_000n];
    const bytes = Buffer.concat([littleEndian(rest * 1_000_000n, 8), littleEndian(days + 2_440_588n, 4)]);
    return { type: 'INT96', values: repeated(bytes) };
  },
  'milliseconds by both': (at) => ({
    type: 'INT64',
    converted: 9,
    logical: time(1),
    values: repeated(littleEndian(at, 8)),
  }),
  'milliseconds by one and microseconds by the other': (at) => ({
    type: 'INT64',
    converted: 9,
    logical: time(2),
    values: repeated(littleEndian(at * 1000n, 8)),
  }),
  'microseconds of UTC': (at) => ({
    type: 'INT64',
    logical: time(2, true),
    values: repeated(littleEndian(at * 1000n, 8)),
  }),
  milliseconds: (at) => ({ type: 'INT64', logical: time(1), values: repeated(littleEndian(at, 8)) }),
  nanoseconds: (at) => ({ type: 'INT64', logical: time(3), values: repeated(littleEndian(at * 1_000_000n, 8)) }),
  'nanoseconds of UTC': (at) => ({
    type: 'INT64',
    logical: time(3, true),
    values: repeated(littleEndian(at * 1_000_000n, 8)),
  }),
  'a time of the day': (at) => ({ type: 'INT64', converted: 8, values: repeated(littleEndian(at, 8)) }),
};

const text = (name: string, value: string, last = value): ParquetColumn => ({
  name,
  type: 'BYTE_ARRAY',
  converted: 0,
  values: texts(value).with(GOOD_ROWS, last === 'BREAKME' ? Buffer.alloc(7, 0xff) : Buffer.from(last)),
});

/** Structures with the names of the series inside, of types that would be read otherwise. */
const struct = (name: string): ParquetColumn => ({
  name,
  children: [
    { name: 'on_location', type: 'DOUBLE', values: repeated(float(1)) },
    { name: 'on_time', type: 'INT64', converted: 9, values: repeated(littleEndian(1n, 8)) },
    { name: 'off_location', type: 'INT32', values: repeated(littleEndian(1n, 4)) },
  ],
});

/** Objects written by hand: every odd type of the place, and every way to write the time. */
export function handmadeObjects(): HostileObject[] {
  const at = (day: string, clock: string): bigint => BigInt(Date.parse(`${day}T${clock}Z`));
  const object = (name: string, columns: (day: string) => ParquetColumn[]): HostileObject => ({
    name,
    of: (isOdd, day) => {
      const off: ParquetColumn[] = [
        ...[text('off_time', `${day} 08:30:00`), struct('between')],
        text('off_location', '2010', isOdd ? 'BREAKME' : 'stop-10'),
      ];
      return { bytes: handmadeParquet([struct('before'), ...columns(day), ...off, struct('after')]) };
    },
  });
  const clock = (day: string): ParquetColumn => text('on_time', `${day} 08:00:00`);
  return [
    ...Object.entries(ODD_PLACES).map(([name, place]) =>
      object(`a place of ${name}`, (day) => [clock(day), { name: 'on_location', ...place }]),
    ),
    ...Object.entries(ODD_TIMES).map(([name, of]) =>
      object(`a time of ${name}`, (day) => [
        { name: 'on_time', ...of(at(day, '08:00:00')) },
        text('on_location', '2000'),
      ]),
    ),
    object('two columns of one name', (day) => [clock(day), text('on_location', '2000'), text('ON_LOCATION', '2010')]),
    object('a place in a structure alone', (day) => [clock(day)]),
  ];
}
