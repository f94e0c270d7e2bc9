import { BackwardBits } from './bits.ts';
import { constantTable, type FseTable, fseTable, readFseTable } from './fse-table.ts';

/** What a sequence is made of: so many literals, then a match of so many bytes, so far back. */
export type Sequence = { literals: number; match: number; offset: number };

/** A code of lengths or offsets: base and further bits of each symbol, and the table that is known before. */
type Field = { base: readonly number[]; bits: readonly number[]; mostAccuracy: number; known: FseTable };

const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, at) => from + at);
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

/** Codes and distributions of RFC 8878, sections 3.1.1.3.2.1.1 and 3.1.1.3.2.2. */
const LITERALS: Field = {
  base: [...upTo(16), 16, 18, 20, 22, 24, 28, 32, 40, 48, ...upTo(11, 6).map((power) => 2 ** power)],
  bits: [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, ...upTo(11, 6)],
  mostAccuracy: 9,
  known: fseTable([4, 3, ...Array(11).fill(2), 1, 1, 1, ...Array(9).fill(2), 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1], 6),
};
const MATCHES: Field = {
  base: [
    ...upTo(32, 3),
    ...[35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99],
    ...upTo(10, 7).map((power) => 2 ** power + 3),
  ],
  bits: [...zeros(32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, ...upTo(10, 7)],
  mostAccuracy: 9,
  known: fseTable([1, 4, 3, ...Array(6).fill(2), ...Array(37).fill(1), ...Array(7).fill(-1)], 6),
};
/** An offset of 2^31 or more would point before every block that we read. */
const OFFSETS: Field = {
  base: upTo(31).map((power) => 2 ** power),
  bits: upTo(31),
  mostAccuracy: 8,
  known: fseTable([1, 1, 1, 1, 1, 1, 2, 2, 2, ...Array(15).fill(1), ...Array(5).fill(-1)], 5),
};
const FIELDS = { literals: LITERALS, offsets: OFFSETS, matches: MATCHES } as const;
type Tables = Record<keyof typeof FIELDS, FseTable>;

/**
 * Reads the sequences of the blocks of one frame, one block after the other: tables and the last offsets live on from
 * block to block. RFC 8878, section 3.1.1.3.2.
 */
export class SequenceReader {
  private readonly last: Partial<Tables> = {};
  private readonly recent = [1, 4, 8] as [number, number, number];

  /** The sequences of a section, in order. Throws SyntaxError for bytes that are none. */
  *read(bytes: Uint8Array): Generator<Sequence> {
    const [first = 0, second = 0, third = 0] = bytes;
    const head = first < 128 ? 1 : first < 255 ? 2 : 3;
    const count = first < 128 ? first : first < 255 ? ((first - 128) << 8) + second : second + (third << 8) + 0x7f00;
    if (count === 0) {
      if (bytes.length !== 1) throw new SyntaxError('a block of the frame has more than its sequences');
      return;
    }
    const { tables, length } = this.readTables(bytes.subarray(head));
    const source = new BackwardBits(bytes.subarray(head + length));
    const states = {
      literals: source.read(tables.literals.accuracy),
      offsets: source.read(tables.offsets.accuracy),
      matches: source.read(tables.matches.accuracy),
    };
    const read = (name: keyof Tables): number => {
      const symbol = tables[name].symbol[states[name]]!;
      const { base, bits } = FIELDS[name];
      if (symbol >= base.length) throw new SyntaxError('a sequence of the frame has a strange code');
      return base[symbol]! + source.read(bits[symbol]!);
    };
    for (let place = 0; place < count; place++) {
      const [offset, match, literals] = [read('offsets'), read('matches'), read('literals')];
      yield { literals, match, offset: this.offsetOf(offset, literals) };
      if (place === count - 1) break;
      for (const name of ['literals', 'matches', 'offsets'] as const) {
        const { base, bits } = tables[name];
        states[name] = base[states[name]]! + source.read(bits[states[name]]!);
      }
    }
    if (source.left !== 0) throw new SyntaxError('the sequences of a block have another length');
  }

  private readTables(bytes: Uint8Array): { tables: Tables; length: number } {
    const modes = bytes[0] ?? 0;
    if ((modes & 3) !== 0) throw new SyntaxError('a block of the frame has a strange header');
    let length = 1;
    const tableOf = (name: keyof Tables, mode: number): FseTable => {
      const { known, base, mostAccuracy } = FIELDS[name];
      if (mode === 0) return known;
      if (mode === 1) return constantTable(bytes[length++] ?? base.length);
      if (mode === 3) {
        const last = this.last[name];
        if (last) return last;
        throw new SyntaxError('a block of the frame repeats a table that there is not');
      }
      const read = readFseTable(bytes.subarray(length), base.length, mostAccuracy);
      length += read.length;
      return read.table;
    };
    const tables = {
      literals: tableOf('literals', modes >> 6),
      offsets: tableOf('offsets', (modes >> 4) & 3),
      matches: tableOf('matches', (modes >> 2) & 3),
    };
    Object.assign(this.last, tables);
    return { tables, length };
  }

  /** Small values name one of the last three offsets. RFC 8878, section 3.1.1.5. */
  private offsetOf(value: number, literals: number): number {
    const [a, b, c] = this.recent;
    const place = value > 3 ? 3 : value - 1 + (literals === 0 ? 1 : 0);
    const offset = value > 3 ? value - 3 : ([a, b, c, a - 1][place] as number);
    if (place > 0) {
      this.recent[0] = offset;
      this.recent[1] = a;
      if (place > 1) this.recent[2] = b;
    }
    return offset;
  }
}
