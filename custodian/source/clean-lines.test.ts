import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRow } from '../../core/text/csv.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { cleanLines } from './clean-lines.ts';

const folder = newFolder();

/** Lines of at most 20 bytes, unless more are allowed. */
async function clean(
  bytes: Buffer,
  chunk = bytes.length || 1,
  header: string[] | null = ['a', 'b'],
  lineBytesMax = 20,
) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, n) =>
    bytes.subarray(n * chunk, (n + 1) * chunk),
  );
  const [output, rejects] = [join(folder, 'rows'), join(folder, 'rejects')];
  const source = (async function* () {
    yield* chunks;
  })();
  const result = await cleanLines(source, { kind: 'csv', delimiter: ',', header }, output, rejects, lineBytesMax);
  const read = async (path: string): Promise<string[]> => (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  const reasons = (await read(rejects)).map((line): unknown => JSON.parse(line).reason);
  return { ...result, rows: await read(output), reasons };
}

/** Lines of bytes that look for trouble: quotes, delimiters, returns, broken UTF-8, long ones. */
const anyLine = fc
  .array(fc.constantFrom('"', ',', 'x', '\r', '\0', 'é', '""', ' ', '\xff', 'y'.repeat(11)), {
    maxLength: 5,
  })
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part, part === '\xff' ? 'latin1' : 'utf8'))));

describe('clean lines', () => {
  it.runIf(existsSync('/dev/full')).each([
    { full: 'rows', line: '1,2\n' },
    { full: 'rejects', line: '1,2,3\n' },
  ])('a disk that is full for $full is an error of the call, also while the source is still read', async (it) => {
    const paths = ['rows', 'rejects'].map((name) => (name === it.full ? '/dev/full' : join(folder, name)));
    const source = (async function* () {
      for (let block = 0; block < 5; block++) {
        yield Buffer.from(it.line.repeat(10_000));
        await delay(20);
      }
    })();
    const format = { kind: 'csv' as const, delimiter: ',', header: ['a', 'b'] };
    await expect(cleanLines(source, format, paths[0]!, paths[1]!)).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it("are their owner's alone, rows and rejects", async () => {
    const paths = ['rows', 'rejects'].map((name) => join(folder, name));
    for (const path of paths) await rm(path, { force: true });
    await clean(Buffer.from('a,b\n1,2\n1\n'));
    for (const path of paths) expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('@contract C3: whether a line is a row depends on that line alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 6 }), fc.integer({ min: 1, max: 60 }), async (lines, chunk) => {
        const apart = { rows: [] as string[], reasons: [] as unknown[] };
        for (const line of lines) {
          const { rows, reasons } = await clean(Buffer.concat([Buffer.from('\n'), line, Buffer.from('\n')]));
          apart.rows.push(...rows);
          apart.reasons.push(...reasons);
        }
        const whole = await clean(
          Buffer.concat([Buffer.from('\n'), ...lines.flatMap((line) => [line, Buffer.from('\n')])]),
          chunk,
        );
        expect({ rows: whole.rows, reasons: whole.reasons }).toEqual(apart);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('@contract C3: a twin that lets a quote run over line ends is caught', () => {
    const twin = (text: string): number =>
      (text.match(/("(?:[^"]|"")*"|[^",\n])*(,("(?:[^"]|"")*"|[^",\n])*)\n/g) ?? []).length;
    const lines = ['"x,1', 'a,2', 'b,"3'];
    expect(twin(`${lines.join('\n')}\n`)).not.toBe(lines.filter((line) => csvRow(line, 2) !== null).length);
  });

  it('drops byte order mark and CRLF, skips empty lines, takes a last line without line end', async () => {
    const { rows, header, rejected } = await clean(Buffer.from('\uFEFF"a", b\r\n1,2\r\n\r\n\n3,"4"'), 3, null);
    expect({ rows, header, rejected }).toEqual({ rows: ['1,2', '3,"4"'], header: ['a', 'b'], rejected: 0 });
  });

  it('has no header when the file has none', async () => {
    expect((await clean(Buffer.alloc(0), 1, null)).header).toBeNull();
  });

  it('keeps the start of a rejected line, without NUL', async () => {
    await clean(Buffer.from(`\0${'z'.repeat(20_000)}\n`), 70_000, ['a', 'b'], 1_000_000);
    const kept = JSON.parse(await readFile(join(folder, 'rejects'), 'utf8'));
    expect(kept.reason).toBe('control-character');
    expect(kept.row).toBe(`\uFFFD${'z'.repeat(9_999)}`);
  });
});
