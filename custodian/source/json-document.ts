import { OpalineError } from '../../contracts/errors.ts';
import type { Series } from '../../contracts/series.ts';

/**
 * One JSON document with a list of rows in it, as lines. A row is the text from a comma with `{` and the name that rows
 * begin with to the next such place: the few bytes there decide, and nothing before them. So a row that breaks off, or
 * holds a stray quote, costs itself and never the next one (C3, C5); docs/adr/0014 has the reasons.
 */

/** Where the rows are; see the fields of source.json. */
export type JsonRows = NonNullable<Series['source']['json']>;

/** The part before the list is at most this long, in bytes: as long as a line of CSV that names the columns. */
const HEAD_BYTES_MAX = 1 << 16;
/** At most this number of blanks may come before a row. */
const BLANKS_MAX = 1000;
const [TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
/** A text of JSON, and all up to the first `[` outside of texts. */
const TEXT = /"(?:[^"\\]|\\.)*"/gs;
const HEAD = new RegExp(`^(?:[^"[]|${TEXT.source})*\\[`, 's');

/** The rows of a document, a line each, and lines of what is between them. Line ends inside become returns. */
export async function* documentLines(input: AsyncIterable<Buffer>, { list, first }: JsonRows): AsyncGenerator<Buffer> {
  const rows = new RowMarks(Buffer.from(JSON.stringify(first)));
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of input) {
    if (head === null) {
      yield rows.mark(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = headEnd(head, list);
    if (end < 0) continue;
    yield rows.mark(Buffer.concat([Buffer.from(',,'), head.subarray(end)]));
    head = null;
  }
  if (head !== null) throw noList();
  yield rows.undecided;
}

class RowMarks {
  /** What a row may begin with: from the last comma on. */
  undecided: Buffer = Buffer.alloc(0);
  readonly #name: Buffer;
  /** Places of a comma and of a `{` after it, −1: there is none; and how much of the name has come. */
  #comma = -1;
  #open = -1;
  #next = 0;
  /** Objects that are open in a row; 0: no row is. */
  #depth = 0;
  #quoted = false;
  #escaped = false;

  constructor(name: Buffer) {
    this.#name = name;
  }

  /** The text with a line end before each row and after it. */
  mark(chunk: Buffer): Buffer {
    const out = Buffer.allocUnsafe(this.undecided.length + 3 * chunk.length);
    let length = this.undecided.copy(out);
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      out[length] = byte === NEWLINE ? RETURN : byte;
      if (this.#begins(byte, length)) {
        out[this.#open - 1] = NEWLINE;
        [this.#comma, this.#depth, this.#quoted] = [-1, 1, false];
      } else if (this.#ends(byte)) {
        out[length + 1] = NEWLINE;
        // Whatever follows is no row.
        out[length + 2] = COMMA;
        length += 2;
      }
      length += 1;
    }
    const end = this.#comma < 0 ? length : this.#comma;
    this.undecided = Buffer.from(out.subarray(end, length));
    [this.#comma, this.#open] = [Math.min(this.#comma, 0), this.#open - end];
    return out.subarray(0, end);
  }

  /** Does a row begin, with its name whole at this byte? */
  #begins(byte: number, at: number): boolean {
    if (byte === COMMA) [this.#comma, this.#open, this.#next] = [at, -1, 0];
    else if (this.#comma < 0 || (this.#next === 0 && isBlank(byte) && at - this.#comma <= BLANKS_MAX)) return false;
    else if (this.#open < 0 && byte === OPEN_OBJECT) this.#open = at;
    else if (this.#open < 0 || byte !== this.#name[this.#next]) this.#comma = -1;
    else this.#next += 1;
    return this.#comma >= 0 && this.#next === this.#name.length;
  }

  /** Does the row that is open end at this byte? */
  #ends(byte: number): boolean {
    if (this.#depth === 0) return false;
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = this.#quoted;
    else if (byte === QUOTE) this.#quoted = !this.#quoted;
    else if (!this.#quoted && byte === OPEN_OBJECT) this.#depth += 1;
    else if (!this.#quoted && byte === CLOSE_OBJECT) this.#depth -= 1;
    return this.#depth === 0;
  }
}

const isBlank = (byte: number): boolean => byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;

const noList = (): OpalineError =>
  new OpalineError(
    'OBJECT_SCHEMA',
    'A JSON object does not begin as source.json says: with names and plain values, and then the list.',
  );

/**
 * Where the first list of a document begins; −1: it has not come yet. `path`: names of the fields that lead to it, with
 * dots between; absent: the document is the list. The part before it is no row, and holds no other list, which could
 * be one of rows. Throws OBJECT_SCHEMA when the first list is not the one at the path.
 */
function headEnd(start: Buffer, path: string | undefined): number {
  const end = listBegin(start);
  if (end === 0 && start.length < HEAD_BYTES_MAX) return -1;
  try {
    const document = headDocument(start, end);
    const names = path?.split('.') ?? [];
    if (Array.isArray(names.reduce((value, name) => (value as Record<string, unknown>)[name], document))) return end;
  } catch {
    // Reported below, as every other way to begin.
  }
  throw noList();
}

/** Bytes up to the first list and with its bracket; 0: there is none. A byte is a character here. */
const listBegin = (start: Buffer): number => HEAD.exec(start.toString('latin1', 0, HEAD_BYTES_MAX))?.[0].length ?? 0;

/** The part before the first list, with an empty list. Throws when that is not JSON. */
function headDocument(start: Buffer, end: number): unknown {
  const head = start.toString('utf8', 0, end).replace(/^\ufeff/, '');
  const braces = head.replaceAll(TEXT, '');
  const open = braces.split('{').length - braces.split('}').length;
  return JSON.parse(`${head}]${'}'.repeat(Math.max(open, 0))}`);
}

/**
 * Where the rows of a document seem to be, by how it begins: in its first list, each with the first field of the first
 * one. Null where no list of rows comes first. For custodians alone: names of fields may be of the data.
 */
export async function proposeRows(input: AsyncIterable<Buffer>): Promise<JsonRows | null> {
  let start = Buffer.alloc(0);
  for await (const chunk of input) {
    start = Buffer.concat([start, chunk]);
    if (start.length >= HEAD_BYTES_MAX) break;
  }
  const end = listBegin(start);
  const first = new RegExp(`^\\s*\\{\\s*(${TEXT.source})`, 's').exec(start.toString('utf8', end, HEAD_BYTES_MAX))?.[1];
  if (end === 0 || first === undefined) return null;
  try {
    const names: string[] = [];
    let value = headDocument(start, end);
    while (!Array.isArray(value)) {
      // The list is in the last field, except for names such as 1, which come first in a JavaScript object.
      const [name, inner] = typeof value === 'object' ? (Object.entries(value ?? {}).at(-1) ?? []) : [];
      if (name === undefined) return null;
      names.push(name);
      value = inner;
    }
    return { ...(names.length > 0 && { list: names.join('.') }), first: JSON.parse(first) };
  } catch {
    return null;
  }
}

/**
 * Is a line of a document the text between two rows or after the last one, and not a row that cannot be read? What
 * follows a row up to the next comma is part of it, so that no row makes rejects of its own and one more.
 */
export const isBetweenRows = (line: Buffer): boolean =>
  line[0] !== OPEN_OBJECT && /^,[^,\]]*[\s,]*(\]|$)/.test(line.toString('latin1'));
