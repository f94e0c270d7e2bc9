import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { literal } from '../../../services/sql/duckdb.ts';
import { openDatabase } from '../../../services/sql/open-database.fixture.ts';
import { cardText } from './tap-keys.ts';

let opened: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  opened = await openDatabase();
});
afterAll(() => opened.close());

const idOf = (type: string, source: object): string | null =>
  cardText(new Map([['card', type]]), { source, privacy: { unit: 'card-day' } } as Parameters<typeof cardText>[1]);

const WHOLE = ['UTINYINT', 'INTEGER', 'BIGINT', 'UBIGINT', 'HUGEINT', 'DECIMAL(18,0)', 'DECIMAL(38,0)'];
const OTHERS = ['FLOAT', 'DOUBLE', 'DECIMAL(18,2)', 'UUID', 'BOOLEAN', 'DATE', 'JSON', 'VARCHAR[]'];

/** How people and programs write ids. */
const IDS = ['123', ' -5 ', '9'.repeat(38), '0123', '123.0', '1e3', 'nan', 'true', '{"a":1}', '', ' '];

describe('the card of a row', () => {
  it.each([
    ['text', 'parquet', ['VARCHAR']],
    ['text', 'csv', ['VARCHAR']],
    ['number', 'parquet', WHOLE],
    // A select over text may make numbers.
    ['number', 'csv', ['VARCHAR', ...WHOLE]],
  ])('@contract C2: of cards that are %s, columns of %s have one of these types: %j', (card, format, usable) => {
    const isUsable = (type: string): boolean => {
      try {
        return idOf(type, { card, format }) !== null;
      } catch (error) {
        expect(error).toMatchObject({ code: 'OBJECT_SCHEMA' });
        return false;
      }
    };
    expect(['VARCHAR', ...WHOLE, ...OTHERS].filter(isUsable)).toEqual(usable);
  });

  it.each([
    ['a whole number of CSV', { card: 'number', format: 'csv' }, IDS.slice(0, 3)],
    ['text of CSV', { card: 'text', format: 'csv' }, IDS.slice(0, 9)],
    // A select has lost what was text in the line, and what a number.
    ['text that a select makes of JSON', { card: 'text', format: 'jsonl', select: '' }, [...IDS.slice(0, 4), 'nan']],
  ])('@contract C2: that is %s', async (_, source, cards) => {
    const rows = IDS.map((id, n) => `(${n}, ${literal(id)})`).join();
    const found = await opened.database.rows(
      `SELECT ${idOf('VARCHAR', source)} FROM (VALUES ${rows}) AS t(n, card) ORDER BY n`,
    );
    expect(found.flat().filter((id) => id !== null && id !== '')).toEqual(cards.map((id) => id.trim()));
  });
});
