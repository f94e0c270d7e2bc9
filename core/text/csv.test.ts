import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvFieldCount, csvFields, csvRecords, csvRow, formatCsvRecord, LINE_END } from './csv.ts';

describe('fields of a CSV line', () => {
  test('are read back as they were written', () => {
    const field = fc.string({ unit: fc.constantFrom('"', ',', 'x', ' ', 'é') });
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 5 }), (fields) => {
        const line = fields.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
        expect(csvFields(line)).toEqual(fields);
        expect(csvRow(line, fields.length)).toEqual(fields);
        expect(csvRow(line, fields.length + 1)).toBeNull();
      }),
    );
    expect(csvFields('a,,')).toEqual(['a', '', '']);
    expect(csvFields('a;"b;c";', ';')).toEqual(['a', 'b;c', '']);
  });

  test.each([
    ['a"b', 'quote-misplaced'],
    ['"a"b', 'quote-misplaced'],
    ['"a', 'quote-unclosed'],
    ['a\0', 'control-character'],
  ])('%j is no row', (line, problem) => {
    expect(csvFieldCount(new TextEncoder().encode(line), 0x2c)).toBe(problem);
    expect(csvRow(line, 1)).toBeNull();
  });
});

describe('CSV records', () => {
  const record = fc.array(fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'é', ' ') }), { minLength: 1 });

  test('read back as they were written, line ends in fields and all', () => {
    fc.assert(
      fc.property(fc.array(record), (records) => {
        expect(
          [...csvRecords(records.map((fields) => formatCsvRecord(fields) + LINE_END).join(''))].map((text) =>
            csvFields(text),
          ),
        ).toEqual(records);
      }),
    );
  });

  test.each(['a,b', 'a\r\nb', '"a\r\n', '"a\r\nb\r\n'])('%j has no end', (text) => {
    expect(() => [...csvRecords(text)]).toThrow(SyntaxError);
  });
});
