/**
 * Parquet files that DuckDB does not write: types and annotations of any kind, in a schema of required columns and
 * structures. One row group, one page a column, values as PLAIN stores them.
 */

/** The physical types, by their number. */
const TYPES = ['BOOLEAN', 'INT32', 'INT64', 'INT96', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'] as const;

/** A column with one value for each row, or a structure. Annotations are numbers of the format. */
export type ParquetColumn =
  | { name: string; children: readonly ParquetColumn[] }
  | {
      name: string;
      type: (typeof TYPES)[number];
      values: readonly Buffer[];
      length?: number;
      converted?: number;
      scale?: number;
      precision?: number;
      /** Number of the logical type, and its fields. */
      logical?: readonly [type: number, fields: Fields];
    };

/** Values of Thrift: a number is an integer of 32 bits, a bigint one of 64. */
type Thrift = number | bigint | boolean | string | readonly Thrift[] | { fields: Fields };
type Fields = readonly (readonly [id: number, value: Thrift])[];

const varint = (value: bigint): number[] =>
  value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)];
const zigzag = (value: bigint): bigint => (value < 0n ? -2n * value - 1n : 2n * value);

function typeOf(value: Thrift): number {
  if (typeof value === 'boolean') return value ? 1 : 2;
  if (typeof value === 'number') return 5;
  if (typeof value === 'bigint') return 6;
  if (typeof value === 'string') return 8;
  return 'fields' in value ? 12 : 9;
}

function bytesOf(value: Thrift): number[] {
  if (typeof value === 'boolean') return [];
  if (typeof value === 'number' || typeof value === 'bigint') return varint(zigzag(BigInt(value)));
  if (typeof value === 'string') return [...varint(BigInt(Buffer.byteLength(value))), ...Buffer.from(value)];
  if ('fields' in value) return structure(value.fields);
  return [0xf0 | typeOf(value[0]!), ...varint(BigInt(value.length)), ...value.flatMap(bytesOf)];
}

function structure(fields: Fields): number[] {
  let before = 0;
  const bytes = fields.flatMap(([id, value]) => {
    const head = ((id - before) << 4) | typeOf(value);
    before = id;
    return [head, ...bytesOf(value)];
  });
  return [...bytes, 0];
}

const some = (id: number, value: Thrift | undefined): Fields => (value === undefined ? [] : [[id, value]]);

function schemaOf(column: ParquetColumn): { fields: Fields }[] {
  if ('children' in column) {
    const { name, children } = column;
    return [
      {
        fields: [
          [3, 0],
          [4, name],
          [5, children.length],
        ],
      },
      ...children.flatMap(schemaOf),
    ];
  }
  const { name, type, length, converted, scale, precision, logical } = column;
  const annotation = logical && { fields: [[logical[0], { fields: logical[1] }]] as const };
  return [
    {
      fields: [
        [1, TYPES.indexOf(type)],
        ...some(2, length),
        ...[[3, 0] as const, [4, name] as const],
        ...[...some(6, converted), ...some(7, scale), ...some(8, precision), ...some(10, annotation)],
      ],
    },
  ];
}

type Leaf = Exclude<ParquetColumn, { children: unknown }> & { path: string[] };
const leavesOf = (column: ParquetColumn, path: string[] = []): Leaf[] =>
  'children' in column
    ? column.children.flatMap((child) => leavesOf(child, [...path, column.name]))
    : [{ ...column, path: [...path, column.name] }];

export function handmadeParquet(columns: readonly ParquetColumn[]): Buffer {
  const leaves = columns.flatMap((column) => leavesOf(column));
  const rows = BigInt(leaves[0]!.values.length);
  const parts: Buffer[] = [Buffer.from('PAR1')];
  let offset = 4n;
  const chunks = leaves.map(({ type, values, path }) => {
    const data = type === 'BOOLEAN' ? booleans(values) : Buffer.concat(values.map((value) => stored(type, value)));
    const header = {
      fields: [
        [1, Number(rows)],
        [2, 0],
        [3, 3],
        [4, 3],
      ] as const,
    };
    const page = Buffer.from(
      structure([
        [1, 0],
        [2, data.length],
        [3, data.length],
        [5, header],
      ]),
    );
    const [start, size] = [offset, BigInt(page.length + data.length)];
    parts.push(page, data);
    offset += size;
    const facts: Fields = [
      ...[[1, TYPES.indexOf(type)] as const, [2, [0, 3]] as const, [3, path] as const, [4, 0] as const],
      ...[[5, rows] as const, [6, size] as const, [7, size] as const, [9, start] as const],
    ];
    return {
      fields: [
        [2, start],
        [3, { fields: facts }],
      ] as const,
    };
  });
  const group = {
    fields: [
      [1, chunks],
      [2, offset],
      [3, rows],
    ] as const,
  };
  const root = {
    fields: [
      [4, 'schema'],
      [5, columns.length],
    ] as const,
  };
  const footer = Buffer.from(
    structure([
      [1, 1],
      [2, [root, ...columns.flatMap(schemaOf)]],
      [3, rows],
      [4, [group]],
    ]),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([...parts, footer, length, Buffer.from('PAR1')]);
}

function stored(type: string, value: Buffer): Buffer {
  if (type !== 'BYTE_ARRAY') return value;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(value.length);
  return Buffer.concat([length, value]);
}

/** One bit a value, the lowest first. */
function booleans(values: readonly Buffer[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(values.length / 8));
  for (const [place, [bit]] of values.entries()) bytes[place >> 3]! |= (bit ?? 0) << (place & 7);
  return bytes;
}

/** An integer of `bytes` bytes, the lowest first. */
export function littleEndian(value: bigint, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at++) buffer[at] = Number((value >> BigInt(8 * at)) & 0xffn);
  return buffer;
}
