import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { dayFromNumber, isCivilDay } from '../calendar/civil-day.ts';
import { matchObject, type ObjectName, objectKey, patternNames, patternPrefix, patternProblems } from './pattern.ts';

const anyDay = fc.integer({ min: 0, max: 40_000 }).map(dayFromNumber);
const anyMode = fc.constantFrom('bus', 'train', 'light-rail', 'a', '2-up', 'bus-2026-03-02');
const anyPattern = fc.constantFrom(
  'trips/{date}/{mode}.parquet',
  '{mode}-{date}.csv.gz',
  '{date}{mode}',
  'x+(y).{date}.csv',
  '{mode}/{date}/{mode}-{date}.jsonl',
);

describe('object patterns', () => {
  it('read back the names that they wrote', () => {
    fc.assert(
      fc.property(anyPattern, anyDay, anyMode, (pattern, date, mode) => {
        const holds = patternNames(pattern);
        expect(matchObject(pattern, objectKey(pattern, { date, mode }))).toEqual({
          ...(holds.date && { date }),
          ...(holds.mode && { mode }),
        });
      }),
    );
  });

  it('take their text as it stands: a twin that reads a dot as any character is caught', () => {
    expect(matchObject('a.{date}.csv', 'a.2026-03-02.csv')).toEqual({ date: '2026-03-02' });
    expect(matchObject('a.{date}.csv', 'ab2026-03-02.csv')).toBeNull();
    expect(/^a.(\d{4}-\d{2}-\d{2}).csv$/.test('ab2026-03-02.csv')).toBe(true);
    expect(matchObject('a.csv', 'a.csv')).toEqual({});
    expect(matchObject('a.csv', 'a.csv.tmp')).toBeNull();
  });

  it('let * stand for anything but a slash', () => {
    expect(matchObject('trips/*.gz', 'trips/ab.csv.gz')).toEqual({});
    expect(matchObject('trips/*.gz', 'trips/ab/c.gz')).toBeNull();
    expect(matchObject('{mode}/{date}_*.csv', 'light-rail/2026-03-02_part-3.csv')).toEqual({
      date: '2026-03-02',
      mode: 'light-rail',
    });
  });

  it('refuse days that do not exist, and keys that contradict themselves', () => {
    expect(matchObject('{date}.csv', '2026-02-30.csv')).toBeNull();
    expect(matchObject('{date}/{date}.csv', '2026-03-02/2026-03-03.csv')).toBeNull();
    expect(matchObject('{mode}/{mode}.csv', 'bus/train.csv')).toBeNull();
    expect(matchObject('{mode}.csv', 'Bus.csv')).toBeNull();
  });

  it('refuse keys that can be read in two ways, where a greedy twin would guess', () => {
    const key = 'from-2026-03-02-to-2026-03-08.csv';
    expect(matchObject('*-{date}*', key)).toBeNull();
    expect(/^[^/]*-(\d{4}-\d{2}-\d{2})[^/]*$/.exec(key)?.[1]).toBe('2026-03-08');
    expect(matchObject('*-{date}-*', 'export-2026-03-02-part3.csv')).toEqual({ date: '2026-03-02' });
  });

  it('read the number of a piece, and no other text in its place', () => {
    expect(matchObject('{date}/part-{piece}-*.csv', '2026-03-02/part-00012-a7.csv')).toEqual({
      date: '2026-03-02',
      piece: '00012',
    });
    expect(matchObject('{date}_{piece}.csv', '2026-03-02_copy.csv')).toBeNull();
    expect(matchObject('{date}_{piece}.csv', '2026-03-02_123456.csv')).toBeNull();
    expect(matchObject('{piece}{yyyymmdd}.csv', '1220260302.csv')).toEqual({ date: '2026-03-02', piece: '12' });
    expect(matchObject('{piece}*.csv', '12.csv')).toBeNull();
    expect(() => objectKey('{date}_{piece}.csv', { date: '2026-03-02' })).toThrow(RangeError);
    expect(patternProblems('{date}_{piece}.csv')).toEqual([]);
    for (const bad of ['{date}_{piece}*', '{date}*{piece}.csv', '{date}{piece}{piece}'])
      expect(patternProblems(bad), bad).toHaveLength(1);
  });

  it('give the prefix to list', () => {
    expect(patternPrefix('trips/2026/{date}.csv')).toBe('trips/2026/');
    expect(patternPrefix('{date}.csv')).toBe('');
    expect(patternPrefix('trips/all.csv')).toBe('trips/all.csv');
  });

  it('name no single object under *', () => {
    expect(() => objectKey('{date}/*.csv', { date: '2026-03-02' })).toThrow(RangeError);
    expect(() => objectKey('{date}.csv', {})).toThrow(RangeError);
  });

  it('say what is wrong with them', () => {
    for (const good of ['a/{date}/{mode}.csv', '{date}-*', '{mode}/*', '{mode}_*.csv', 'Nov09JnyExport.csv.*.gz']) {
      expect(patternProblems(good), good).toEqual([]);
    }
    const bad = [
      '{day}.csv',
      '{date',
      'a}b',
      '/a/{date}',
      'a/../{date}',
      './{date}',
      '{mode}-*.csv',
      '*{mode}',
      '**/{date}',
    ];
    for (const pattern of bad) expect(patternProblems(pattern), pattern).toHaveLength(1);
  });
});

/** The same reading by regular expressions, which take time that grows exponentially with the number of `*`. */
function byExpression(pattern: string, key: string): ObjectName | null {
  const [longest, shortest] = (['*', '*?'] as const).map((quantifier) => {
    const names: ('date' | 'mode')[] = [];
    const source = pattern.split(/(\{date\}|\{mode\}|\*)/).map((piece) => {
      if (piece === '*') return `[^/]${quantifier}`;
      if (piece !== '{date}' && piece !== '{mode}') return piece.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
      names.push(piece === '{date}' ? 'date' : 'mode');
      return piece === '{date}' ? '(\\d{4}-\\d{2}-\\d{2})' : `([a-z0-9][a-z0-9-]${quantifier})`;
    });
    const match = new RegExp(`^${source.join('')}$`).exec(key);
    const found: ObjectName = {};
    for (const [index, name] of names.entries()) {
      if (!match || (found[name] !== undefined && found[name] !== match[index + 1])) return null;
      found[name] = match[index + 1]!;
    }
    return match && (found.date === undefined || isCivilDay(found.date)) ? found : null;
  });
  return longest && shortest && longest.date === shortest.date && longest.mode === shortest.mode ? longest : null;
}

test('keys are read as the regular expressions of the pattern read them', () => {
  const piece = fc.constantFrom('{date}', '{mode}', '*', '/', '-', 'a', 'b', '2026-03-02', '.csv');
  const text = fc.constantFrom('2026-03-02', '2026-03-03', '2026-02-30', 'a', 'b', '-', '/', 'bus', '.csv', '20');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.array(text, { maxLength: 6 }), (parts, words) => {
      const [pattern, key] = [parts.join(''), words.join('')];
      expect(matchObject(pattern, key)).toEqual(byExpression(pattern, key));
    }),
    { numRuns: 3000 },
  );
});

test('the time for a key grows with its length, however many * there are', () => {
  expect(matchObject(`${'*a'.repeat(200)}*b`, 'a'.repeat(1000))).toBeNull();
  expect(matchObject(`${'*a'.repeat(200)}*b`, `${'a'.repeat(1000)}b`)).toEqual({});
});
