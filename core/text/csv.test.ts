import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvFields, csvLineProblem, csvRecords, formatCsvRecord, LINE_END } from './csv.ts';

const COMMA = 0x2c;
const bytes = (line: string) => new TextEncoder().encode(line);

describe('fields of a CSV line', () => {
  test('are read back as they were written', () => {
    const field = fc.string({ unit: fc.constantFrom('"', ',', 'x', ' ', 'é') });
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 5 }), (fields) => {
        const line = fields.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
        expect(csvFields(line)).toEqual(fields);
        expect(csvLineProblem(bytes(line), COMMA, fields.length)).toBeNull();
        expect(csvLineProblem(bytes(line), COMMA, fields.length + 1)).toBe('field-count');
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
    expect(csvLineProblem(bytes(line), COMMA, 1)).toBe(problem);
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
