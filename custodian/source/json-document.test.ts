import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { cleanLines } from './clean-lines.ts';
import { proposeRows } from './json-document.ts';

const folder = newFolder();

/** The good rows of a document, and why others are not good, read in chunks of `chunk` bytes. */
async function read(text: string | Buffer, list: string | null = 'data.rows', chunk = 1_000_000) {
  const bytes = Buffer.from(text);
  const source = (async function* () {
    for (let at = 0; at < bytes.length; at += chunk) yield Buffer.from(bytes.subarray(at, at + chunk));
  })();
  const [output, rejects] = [join(folder, 'rows'), join(folder, 'rejects')];
  await cleanLines(source, { kind: 'json', rows: { list: list ?? undefined, first: 'id' } }, output, rejects);
  const lines = async (path: string) => (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  const [rows, bad] = [await lines(output), await lines(rejects)];
  return { rows: rows.map((row) => JSON.parse(row)), reasons: bad.map((line): string => JSON.parse(line).reason) };
}

const document = (rows: readonly string[]) =>
  `{"at": "[", "data": {"n": 1, "rows": [${rows.join(',')}], "more": [{}, {"x": 1}]}}`;

test('rows of a document are the objects of its list, however it is written', async () => {
  const rows = [
    { id: 1, text: 'a "}", {[ \\ and é' },
    { id: 2, legs: [{ x: 1 }, { y: [{ z: 2 }, { z: 3 }] }] },
    { id: 3, properties: { id: { id: 4 } } },
  ];
  for (const space of [undefined, 1, '\t'])
    for (const before of ['', '\ufeff'])
      for (const chunk of [1, 7, 1_000_000]) {
        const whole = before + JSON.stringify({ at: '[', data: { n: 1, rows, more: [{}, { x: 1 }] } }, null, space);
        expect(await read(whole, 'data.rows', chunk)).toEqual({ rows, reasons: [] });
        expect(await read(JSON.stringify(rows, null, space).replaceAll('\n', '\r\n'), null, chunk)).toEqual({
          rows,
          reasons: [],
        });
      }
  const glued = document(['{"id": 1} x', 'null, 7', '{"id": 2}{"id": 3}', ' {"id": 4}']);
  expect(await read(glued)).toEqual({ rows: [{ id: 1 }, { id: 2 }, { id: 4 }], reasons: ['not-json'] });
  expect(await read(document([]))).toEqual({ rows: [], reasons: [] });
  expect(await read(`${document(['{"id": 1}']).slice(0, -2)}, "end": "${'x'.repeat(4000)}"}}`)).toMatchObject({
    rows: [{ id: 1 }],
  });
});

/** A row as it should be, or whatever looks for trouble. */
const anyRow = fc.oneof(
  fc.constant('{"id":7,"a":[{"b":1},{"c":2}]}'),
  fc
    .array(fc.constantFrom('{"id":', '"', '\\', '{', '}', '[', ']', ',', '1', 'x', '\n', ' ', 'y'.repeat(5000)), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
);
/** A row is what begins as rows do. */
const asRows = (text: string): string[] => text.split(/,(?=[\s]*\{[\s]*"id")/);

test('@contract C3 @contract C5: whether a text is a row depends on that text alone, however odd the others are', async () => {
  const good = '{"id":0}';
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 6 }), fc.integer({ min: 1, max: 40 }), async (texts, chunk) => {
      const apart: { rows: unknown[]; reasons: string[] } = { rows: [], reasons: [] };
      for (const text of texts.flatMap(asRows)) {
        const { rows, reasons } = await read(document([good, text, good]));
        // Nothing that a row holds costs those beside it.
        expect(rows.filter((row) => row.id === 0)).toHaveLength(2);
        apart.rows.push(...rows.slice(1, -1));
        apart.reasons.push(...reasons);
      }
      const whole = await read(document([good, ...texts.flatMap((text) => [text, good])]), 'data.rows', chunk);
      expect(whole.rows.filter((row) => row.id !== 0)).toEqual(
        apart.rows.filter((row) => (row as { id: number }).id !== 0),
      );
      expect(whole.rows.filter((row) => row.id === 0).length).toBeGreaterThanOrEqual(texts.length + 1);
    }),
    { numRuns: 150 },
  );
});

test.each([
  ['nothing', ''],
  ['no list at the path', '{"data": {"rows": {"id": 1}}}'],
  ['a list elsewhere', '{"rows": [{"id": 1}]}'],
  ['another list before it', '{"data": {"names": [], "rows": [{"id": 1}]}}'],
  ['a start of 100 kB', `{"x": "${'x'.repeat(100_000)}", "data": {"rows": []}}`],
  ['a start that is no JSON', '{"data": {rows: []}}'],
  ['a list in a list', '[[{"id": 1}]]'],
])('C6: a document with %s is OBJECT_SCHEMA, and no row says so', async (_, text) => {
  for (const chunk of [5, 1_000_000])
    await expect(read(text, 'data.rows', chunk)).rejects.toMatchObject({ code: 'OBJECT_SCHEMA' });
});

test.each([
  ['{"at":"[","data":{"n":1,"rows":[ {\n"the id" : 1, "x": [{}]}]}}', { list: 'data.rows', first: 'the id' }],
  ['\ufeff[{"id":1}]', { first: 'id' }],
  // A name that is a number comes first in an object, whose last field then leads nowhere.
  ['{"x":"abc","5":[{"id":1}]}', null],
  ['{"x":{},"5":[{"id":1}]}', null],
  ['{"n":null,"7":[{"id":1}]}', null],
  ['{"tags":["a"],"rows":[{"id":1}]}', null],
  ['{"rows":[]}', null],
  ['[[{"id":1}]]', null],
  ['{"open":[{"id', null],
  ['no list', null],
  ['', null],
])('where the rows of %j seem to be', async (text, found) => {
  const chunks = (async function* () {
    for (const byte of Buffer.from(text)) yield Buffer.from([byte]);
  })();
  expect(await proposeRows(chunks)).toEqual(found);
});
