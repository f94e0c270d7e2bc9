import { ERRORS, type ErrorCode, EXIT, OpalineError } from '../contracts/errors.ts';

export type OutputOptions = { json?: boolean };

/** Prints the result of a command: JSON for programs, sentences for people. */
export function print(options: OutputOptions, value: unknown, text: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}

/**
 * Progress on long work, on standard error: one line that renews itself on a terminal, a line for each change
 * elsewhere, nothing with --json.
 */
export class Progress {
  private readonly silent: boolean;
  private last = '';

  constructor(options: OutputOptions) {
    this.silent = options.json === true;
  }

  show(line: string): void {
    if (this.silent || line === this.last) return;
    this.last = line;
    // A line that wraps could not be renewed.
    const columns = process.stderr.columns ?? 80;
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line.slice(0, columns - 1)}` : `${line}\n`);
  }

  end(): void {
    if (!this.silent && this.last && process.stderr.isTTY) process.stderr.write('\n');
    this.last = '';
  }
}

/** Says what went wrong, on standard error, and sets the exit code. A mistake of people gets no stack. */
export function fail(error: unknown, options: OutputOptions): void {
  const code: ErrorCode = error instanceof OpalineError ? error.code : 'UNEXPECTED';
  const message = error instanceof Error ? error.message : String(error);
  process.exitCode = error instanceof OpalineError ? ERRORS[code].exit : EXIT.unexpected;
  process.stderr.write(options.json ? `${JSON.stringify({ code, message })}\n` : `${code}: ${message}\n`);
}

/** A table of left-aligned columns. */
export function table(header: string[], rows: string[][]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return [line(header), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

const BAR_WIDTH = 20;

/** A bar for a share from 0 to 1. The text beside it says the same: a bar is never the only carrier. */
export function bar(share: number): string {
  const filled = Math.round(Math.min(Math.max(share, 0), 1) * BAR_WIDTH);
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
}
