import { describe, expect, it } from 'vitest';
import { parseDictionary, parseLocations, readLocationDictionary } from './location-dictionary.ts';

const entries = (text: string) => [...parseDictionary(Buffer.from(text))];

describe('location dictionaries', () => {
  it('map source names to published ones; with one column they are the same', () => {
    expect(entries('\uFEFFsource,location\r\n12,"Quay, No. 3"\r\n 13 ,B\n')).toEqual([
      ['12', 'Quay, No. 3'],
      ['13', 'B'],
    ]);
    expect(entries('location\nA\n\nB\n')).toEqual([
      ['A', 'A'],
      ['B', 'B'],
    ]);
    expect(entries('location,source\nA,1\nB,2\n')).toEqual([
      ['1', 'A'],
      ['2', 'B'],
    ]);
  });

  it.each(['name\nA\n', 'source\nA\n', 'source,location\n1,A\n1,B\n', 'location\nA"\n', 'location\n*\n', 'location\n'])(
    'are refused: %j',
    (text) => {
      expect(() => entries(text)).toThrow(expect.objectContaining({ code: 'SERIES_INVALID' }));
    },
  );

  it('name every mistake with its line', () => {
    const { content: dictionary, mistakes } = readLocationDictionary(Buffer.from('source,location\n1,A\n\n2,\n1,B\n'));
    expect([...dictionary]).toEqual([['1', 'A']]);
    expect(mistakes.map(({ line }) => line)).toEqual([4, 5]);
  });
});

it.each([
  ['one line of quotes', `location\n${'"'.repeat(30_000_000)}`, 'Line 2 has more than 10000 characters'],
  ['lines without end', `location\n${'\n'.repeat(30_000_000)}`, 'more than 1000000 lines'],
])('a list that would fill the memory is refused before it is read: %s', (_, text, sentence) => {
  expect(() => parseDictionary(Buffer.from(text))).toThrow(sentence);
});

it('what a list says of a location besides is kept for readers, and changes nothing of the dictionary', () => {
  const text =
    'source,location,name,latitude,longitude,parent\n1,B,,,,\n2,A,"A, Wharf",-33.8612,151.21,North\n3,B,Bay,,,\n';
  const bytes = Buffer.from(text);
  expect([...parseDictionary(bytes)]).toEqual([
    ['1', 'B'],
    ['2', 'A'],
    ['3', 'B'],
  ]);
  expect(parseLocations(bytes)).toEqual([
    { code: 'A', name: 'A, Wharf', latitude: '-33.8612', longitude: '151.21', parent: 'North' },
    { code: 'B', name: 'Bay', latitude: '', longitude: '', parent: '' },
  ]);
});

it.each(['91', '-90.5', '1e1', 'north', '33,8'])('a latitude of %s is refused', (latitude) => {
  const bytes = Buffer.from(`location,latitude\nA,"${latitude}"\n`);
  expect(() => parseDictionary(bytes)).toThrow('degrees');
});
