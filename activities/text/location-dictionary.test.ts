import { describe, expect, it } from 'vitest';
import { parseDictionary } from './location-dictionary.ts';

const entries = (text: string) => [...parseDictionary(Buffer.from(text))];

describe('location dictionaries', () => {
  it('map source names to published ones; with one column they are the same', () => {
    expect(entries('\uFEFFsource,location\r\n12,"Quay, No. 3"\r\n 13 ,B\n')).toEqual([
      ['12', 'Quay, No. 3'],
      ['13', 'B'],
    ]);
    expect(entries('location\nA\n\nB\nA\n')).toEqual([
      ['A', 'A'],
      ['B', 'B'],
    ]);
    expect(entries('location,source\nA,1\nB,1\nC,\n')).toEqual([['1', 'A']]);
  });

  it('are refused without a column of locations', () => {
    expect(() => parseDictionary(Buffer.from('name\nA\n'))).toThrow(
      expect.objectContaining({ code: 'SERIES_INVALID' }),
    );
  });
});
