import { describe, expect, test } from 'vitest';
import { loadSeriesFile } from '../../../client/series/series-file.ts';
import { SeriesFileError } from '../../../contracts/series-issue.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import { syntheticForClients } from '../client/client-kind.ts';
import { syntheticSeries } from '../series.ts';
import { syntheticKind } from '../series-kind.ts';
import { ADDED, type SmallChange, writeSmallSeries } from '../small-synthetic.fixture.ts';

const root = newFolder();

const load = async (change: SmallChange = {}) => loadSeriesFile(await writeSmallSeries(root, change));

async function mistakes(change: SmallChange): Promise<string[]> {
  try {
    await load(change);
    return [];
  } catch (error) {
    if (!(error instanceof SeriesFileError)) throw error;
    return error.issues.map(({ field, sentence }) => `${field}: ${sentence}`);
  }
}

const place = '{ name: place, column: stop, list: stops.csv }';

describe('a series file of synthetic data', () => {
  test('is stored with the digests of its lists and how many values each attribute has', async () => {
    const { series, dictionaries } = await load();
    expect(syntheticSeries(series)).toMatchObject({
      kind: 'synthetic',
      shape: [21, 3, 3],
      attributes: [{ name: 'time' }, { name: 'place', list: dictionaries[0]!.digest }, { name: 'fare' }],
    });
    expect(syntheticKind.cost(series, 'replace-one')).toEqual({ epsilon: '4', delta: '0', rho: null });
    expect(syntheticKind.cost(series, 'add-remove')).toEqual({ epsilon: '2', delta: '0', rho: null });
    expect(syntheticForClients.protection(series, []).certificate).toMatchObject({
      epsilon: '4',
      partition: { epsilon: '2' },
    });
    expect(syntheticForClients.protection(series, []).inWords.join(' ')).toContain('a public parameter');
  });

  test('under add-remove pays for the number of rows, a tenth of ε unless it names a share', async () => {
    const { series } = await load({ privacy: 'neighbours: add-remove' });
    expect(syntheticForClients.protection(series, []).certificate).toMatchObject({ rows: { epsilon: '2/5' } });
    expect(syntheticKind.cost(series, 'replace-one')).toEqual({ epsilon: '8', delta: '0', rho: null });
    const named = await load({ privacy: ADDED });
    expect(syntheticForClients.protection(named.series, []).certificate).toMatchObject({ rows: { epsilon: '1/2' } });
  });

  test.each<[string, SmallChange, string]>([
    ['no day in the pattern', { source: 'pattern: "{mode}.csv"' }, 'source.pattern: A row is of the day'],
    ['no part in the pattern', { source: 'pattern: "{date}.csv"' }, 'source.pattern: With several parts'],
    ...['done', '{date}/*.done'].map((marker): [string, SmallChange, string] => [
      `the marker ${marker}`,
      { source: `pattern: "{date}/{mode}.csv"\n  completeness: { marker: "${marker}", waitHours: 1 }` },
      'source.completeness.marker: This names one object of a day',
    ]),
    [
      'a marker that is read as data',
      { source: 'pattern: "{date}/{mode}.csv"\n  completeness: { marker: "{date}/{mode}.csv", waitHours: 1 }' },
      'source.completeness.marker: This fits the pattern',
    ],
    ['a part without rows', { privacy: 'rows: { bus: 1 }' }, 'privacy.rows: Name a public number'],
    [
      'a stranger among the rows',
      { privacy: 'rows: { bus: 1, ferry: 1, tram: 1 }' },
      'privacy.rows: Name a public number',
    ],
    [
      'public rows that are measured',
      { privacy: `${ADDED}, rows: { bus: 1, ferry: 1 }` },
      'privacy.rows: The number of rows',
    ],
    ['a share for public rows', { privacy: 'rows: { bus: 1, ferry: 1 }, split: { rows: 1 }' }, 'privacy.split.rows:'],
    ['a share of everything', { privacy: 'neighbours: add-remove, split: { rows: 4 }' }, 'privacy: Every step needs'],
    ['an unknown attribute', { workload: '[{ cells: [zone] }]' }, 'workload[0].cells: No attribute is called zone'],
    ['an attribute twice', { workload: '[{ cells: [time, time] }]' }, 'workload[0].cells: An attribute is named twice'],
    [
      'ranges of another one',
      { workload: '[{ cells: [fare], ranges: time }]' },
      'workload[0].ranges: It has to be one',
    ],
    [
      'ranges of a list',
      { workload: '[{ cells: [place], ranges: place }]' },
      'workload[0].ranges: The values of a list',
    ],
    [
      'no values',
      { attributes: '[{ name: time, column: t }]', workload: '[{ cells: [time] }]' },
      'attributes[0].name: An attribute has one of',
    ],
    [
      'a name of the table',
      { attributes: '[{ name: weight, column: t, minutes: 60 }]', workload: '[{ cells: [weight] }]' },
      'attributes[0].name: The table has a column weight',
    ],
    [
      'two attributes of a name',
      { attributes: `[${place}, ${place}]`, workload: '[{ cells: [place] }]' },
      'attributes: Two attributes have one name',
    ],
    [
      'a value twice',
      { attributes: '[{ name: fare, column: f, values: [a, a] }]', workload: '[{ cells: [fare] }]' },
      'attributes[0].values: A value is there twice',
    ],
    [
      'a list that is not there',
      { attributes: '[{ name: place, column: f, list: none.csv }]', workload: '[{ cells: [place] }]' },
      'attributes[0].list: The file none.csv cannot be read',
    ],
    [
      'too many cells',
      {
        attributes: `[${[1, 2, 3].map((n) => `{ name: t${n}, column: t, minutes: 5 }`).join(', ')}]`,
        workload: '[{ cells: [t1] }]',
      },
      'attributes: The domain has 13997521 cells',
    ],
    [
      'too many cells of a window',
      {
        attributes:
          '[{ name: a, column: a, minutes: 5 }, { name: b, column: b, minutes: 5 }, { name: c, column: c, minutes: 60 }]',
        workload: '[{ cells: [a] }]',
      },
      'attributes: The domain has',
    ],
  ])('%s is a mistake', async (_, change, sentence) => {
    expect((await mistakes(change)).join('\n')).toContain(sentence);
  });

  test('C10: a stored series that cannot be drawn costs nothing, as it is refused where its cost is asked for', async () => {
    const { series } = await load();
    const larger = { ...syntheticSeries(series), shape: [2000, 1000, 3] };
    expect(() => syntheticKind.cost(larger, 'replace-one')).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }),
    );
    const stranger = { ...syntheticSeries(series), workload: [{ cells: ['zone'] }] };
    expect(() => syntheticKind.cost(stranger, 'replace-one')).toThrow(/^The workload is not of the domain/);
    const poorer = {
      ...syntheticSeries(series),
      privacy: { ...syntheticSeries(series).privacy, epsilon: '1/1000000' },
    };
    expect(() => syntheticKind.cost(poorer, 'replace-one')).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }),
    );
  });
});
