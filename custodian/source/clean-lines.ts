import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { LONGEST_VALUE } from '../../core/select/growth.ts';
import { csvFieldCount, csvFields, type LineProblem } from '../../core/text/csv.ts';
import { OWNERS_ALONE } from '../../services/files/scratch-folder.ts';
import { documentLines, isBetweenRows, type JsonRows } from './json-document.ts';

/**
 * Text sources line by line, before DuckDB sees them. A line is a row, and whether it is one depends on that line
 * alone: a stray quote, a line of 10 MB or a broken byte costs its own row and never the next one (C3, C5). What
 * is written for DuckDB holds good lines only, so that its reader has nothing to guess and nothing to skip.
 */

/** A line longer than this, in bytes, is a reject. The last one of a document is what follows its list. */
const LINE_BYTES_MAX = { csv: 1 << 16, jsonl: LONGEST_VALUE, json: 1 << 16 } as const;
/** So much of a rejected row is kept, in bytes. */
const KEPT_BYTES_MAX = 10_000;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export type RejectReason = LineProblem | 'line-too-long' | 'not-utf8' | 'not-json';

export type LineFormat =
  | {
      kind: 'csv';
      delimiter: string;
      /** Column names; null: the first line names them. */
      header: string[] | null;
      /** A line with fewer fields is a row too: it is filled up with empty ones. */
      ragged?: boolean | undefined;
    }
  | { kind: 'jsonl' }
  /** One document with a list of rows in it. */
  | { kind: 'json'; rows: JsonRows };

/** `header` is null when the file was to have a header row and has none. */
export type CleanLines = { header: string[] | null; rejected: number };

/**
 * Writes the good lines to `output`, each with a line feed and no header row, and the bad ones to `rejects` as JSON
 * lines {reason, row}. Byte order mark and CRLF are dropped, empty lines skipped, a last line without line end taken.
 * Throws OBJECT_SCHEMA for a document without its list.
 */
export async function cleanLines(
  input: AsyncIterable<Buffer>,
  format: LineFormat,
  output: string,
  rejects: string,
  lineBytesMax: number = LINE_BYTES_MAX[format.kind],
): Promise<CleanLines> {
  await using good = await open(output, 'w', OWNERS_ALONE.mode);
  await using bad = await open(rejects, 'w', OWNERS_ALONE.mode);
  const cleaner = new LineCleaner(format, lineBytesMax);
  const text = format.kind === 'json' ? documentLines(input, format.rows) : input;
  for await (const block of wholeLines(text, cleaner)) {
    await good.appendFile(cleaner.clean(block));
    await bad.appendFile(cleaner.takeRejects());
  }
  return { header: cleaner.header, rejected: cleaner.rejected };
}

/**
 * Cuts the input into blocks that end where a line ends; lines that are too long go to the cleaner's rejects, and an
 * empty block follows each.
 */
async function* wholeLines(input: AsyncIterable<Buffer>, cleaner: LineCleaner): AsyncGenerator<Buffer> {
  let carry: Buffer = Buffer.alloc(0);
  let mustSkip = false;
  for await (const chunk of input) {
    let rest = chunk;
    if (mustSkip) {
      const end = rest.indexOf(NEWLINE);
      if (end < 0) continue;
      mustSkip = false;
      rest = rest.subarray(end + 1);
    }
    const last = rest.lastIndexOf(NEWLINE);
    if (last >= 0) {
      yield Buffer.concat([carry, rest.subarray(0, last + 1)]);
      carry = Buffer.from(rest.subarray(last + 1));
    } else {
      carry = Buffer.concat([carry, rest]);
    }
    if (carry.length > cleaner.lineBytesMax) {
      cleaner.reject('line-too-long', carry);
      carry = Buffer.alloc(0);
      mustSkip = true;
      yield carry;
    }
  }
  if (carry.length > 0) yield carry;
}

const withoutMark = (block: Buffer): Buffer =>
  block.subarray(0, 3).equals(BYTE_ORDER_MARK) ? block.subarray(3) : block;

class LineCleaner {
  header: string[] | null;
  rejected = 0;
  readonly lineBytesMax: number;
  readonly #format: LineFormat;
  #rejects = '';
  readonly #delimiter: number;
  readonly #isRagged: boolean;
  #started = false;
  /** Fields that the line which was looked at last lacks. */
  #missing = 0;

  constructor(format: LineFormat, lineBytesMax: number) {
    this.lineBytesMax = lineBytesMax;
    this.#format = format;
    this.header = format.kind === 'csv' ? format.header : [];
    this.#delimiter = format.kind === 'csv' ? format.delimiter.charCodeAt(0) : 0;
    this.#isRagged = format.kind === 'csv' && format.ragged === true;
  }

  /** The good lines of a block of whole lines. */
  clean(input: Buffer): Buffer {
    const block = this.#started ? input : withoutMark(input);
    this.#started = true;
    const out = Buffer.allocUnsafe(block.length + 1 + this.#mostPadding(block));
    // Broken bytes are rare: the block is asked first, its lines one by one only when they are there.
    const askLines = !isUtf8(block);
    let length = 0;
    for (let start = 0; start < block.length; ) {
      const feed = block.indexOf(NEWLINE, start);
      const next = feed < 0 ? block.length : feed + 1;
      let end = feed < 0 ? block.length : feed;
      if (end > start && block[end - 1] === RETURN) end -= 1;
      const line = block.subarray(start, end);
      start = next;
      if (this.#take(line, askLines)) {
        length += line.copy(out, length);
        if (this.#missing > 0) out.fill(this.#delimiter, length, length + this.#missing);
        length += this.#missing;
        out[length] = NEWLINE;
        length += 1;
      }
    }
    return out.subarray(0, length);
  }

  reject(reason: RejectReason, line: Buffer): void {
    this.rejected += 1;
    // DuckDB's JSON reader takes no NUL.
    const row = line.subarray(0, KEPT_BYTES_MAX).toString('utf8').replaceAll('\0', '\ufffd');
    this.#rejects += `${JSON.stringify({ reason, row })}\n`;
  }

  /** The rejects since the last call, as they are listed. */
  takeRejects(): string {
    const rejects = this.#rejects;
    this.#rejects = '';
    return rejects;
  }

  /** Bytes that ragged lines of a block can need beside their own. */
  #mostPadding(block: Buffer): number {
    if (!this.#isRagged) return 0;
    let lines = 1;
    for (let at = block.indexOf(NEWLINE); at >= 0; at = block.indexOf(NEWLINE, at + 1)) lines += 1;
    return lines * (this.header?.length ?? 0);
  }

  #take(line: Buffer, askLine: boolean): boolean {
    if (this.header === null && this.#format.kind === 'csv') {
      this.header = csvFields(line.toString('utf8'), this.#format.delimiter).map((field) => field.trim());
      return false;
    }
    if (line.length === 0 || (this.#format.kind === 'json' && isBetweenRows(line))) return false;
    const problem = this.#problem(line, askLine);
    if (problem) this.reject(problem, line);
    return problem === null;
  }

  #problem(line: Buffer, askLine: boolean): RejectReason | null {
    if (line.length > this.lineBytesMax) return 'line-too-long';
    if (askLine && !isUtf8(line)) return 'not-utf8';
    switch (this.#format.kind) {
      case 'json':
      case 'jsonl':
        return jsonProblem(line);
      case 'csv':
        return this.#csvProblem(line);
    }
  }

  #csvProblem(line: Buffer): RejectReason | null {
    const count = csvFieldCount(line, this.#delimiter);
    if (typeof count !== 'number') return count;
    this.#missing = (this.header?.length ?? 0) - count;
    if (this.#missing === 0 || (this.#isRagged && this.#missing > 0)) return null;
    return 'field-count';
  }
}

/** A line of JSON is one value to DuckDB, whose reader of lines takes no return; in JSON it is as good as a blank. */
function jsonProblem(line: Buffer): RejectReason | null {
  if (line.length > LONGEST_VALUE) return 'line-too-long';
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not-json';
  } catch {
    return 'not-json';
  }
  for (let at = line.indexOf(RETURN); at >= 0; at = line.indexOf(RETURN, at)) line[at] = SPACE;
  return null;
}
