import { beforeAll, describe, expect, test } from 'vitest';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import { partitionPath } from '../../contracts/names.ts';
import { loadSmallSeries, SMALL_DAYS, SMALL_MODES, smallTrips } from '../support/small-series.ts';
import { type Observed, observe, type Twin, tellsApart, withOneShadow } from './observation.ts';
import type { World } from './worlds.ts';

/**
 * C20 for what a supplier does wrong: two worlds of one inventory and of the same counts, of which one has a delivery
 * twice, or of last week, or one that hardly can be read. The custodian is told, and the public side sees no difference.
 */
const HEADER = smallTrips(SMALL_DAYS[0]!, 'bus').split('\n')[0]!;
const BUS = 'bus/2026-03-03';

/** Thirty trips of the same cells, of these seconds: other rows, and no other counts. */
const trips = (mode: string, day: string, from: number): string =>
  [HEADER, ...Array.from({ length: 30 }, (_, at) => tripAt(mode, day, String(from + at).padStart(2, '0')))].join('\n');
const tripAt = (mode: string, day: string, second: string): string =>
  `${mode},${day} 08:05:${second},stop-2,${day} 08:35:00,stop-1`;

/** Every day and mode in three objects; `last` makes the last one of a bus. */
function worldOf(last: (first: string) => string): World {
  const objects = new Map<string, Buffer>();
  for (const day of SMALL_DAYS)
    for (const mode of SMALL_MODES) {
      const [usual, first] = [smallTrips(day, mode), trips(mode, day, 0)];
      const third = partitionPath({ part: mode, day }) === BUS ? last(first) : `${HEADER}\n`;
      for (const [name, text] of Object.entries({ a: usual, b: first, c: third }))
        objects.set(`${day}/${mode}_${name}.csv`, Buffer.from(text));
    }
  return { objects };
}

const DAY = SMALL_DAYS[1]!;
const reversed = (text: string): string => [HEADER, ...text.split('\n').slice(1).reverse()].join('\n');
/** By what the custodian is told: the worlds that have the same counts as a sound one. */
const CASES: [string, (first: string) => string, (first: string) => string, string][] = [
  ['one line end more', () => trips('bus', DAY, 30), (first) => `${first}\n`, 'are the same'],
  ['a new name and another order', () => trips('bus', DAY, 30), reversed, 'are the same'],
  ['the same bytes', () => `${HEADER}\n`, (first) => first, `bus_c.csv has the same bytes as ${DAY}/bus_b.csv`],
  ['a file of last week', () => `${HEADER}\n`, () => trips('bus', '2026-02-24', 0), 'Hardly a row'],
  ['a file that hardly can be read', () => `${HEADER}\n`, () => `${HEADER}\n${'x\n'.repeat(40)}`, 'Hardly a row'],
  ['a clock that is half a day late', () => `${HEADER}\n`, () => trips('bus', '2026-03-05', 0), 'Hardly a row'],
];

describe('@contract C20 @contract C5 what is wrong with deliveries is told to custodians alone', () => {
  let setup: LoadedSeries;
  const quick = withOneShadow();
  beforeAll(async () => {
    setup = await loadSmallSeries((yaml) =>
      yaml.replace('{mode}.csv.gz', '{mode}_*.csv').replace('format: csv\n  compression: gzip', 'format: csv'),
    );
  });
  const told = ({ custodian }: Observed): string =>
    [...custodian].flatMap(([key, text]) => (key.startsWith('private/warnings/') ? [text] : [])).join('\n');

  test.each(CASES)('%s', async (_, sound, wrong, sentence) => {
    const one = await observe(setup, worldOf(sound), quick);
    const other = await observe(setup, worldOf(wrong), quick);
    expect(tellsApart(one, other)).toEqual([]);
    expect(told(one)).not.toContain(sentence);
    expect(told(other)).toContain(sentence);
  });

  test('a broken twin that makes a fault of it is caught', async () => {
    const twin: Twin = (activities, release) => ({
      ...quick(activities, release),
      bin: async (input) => {
        const answer = await activities.bin(input);
        const text = [...(await release.objects(['private']))].find(([key]) => key.endsWith('/0/bin.json'))?.[1];
        const fault = { object: 'bus', code: 'OBJECT_TWICE' as const, partitions: [] };
        return text?.includes('"alike"') ? { faults: [fault] } : answer;
      },
    });
    const one = await observe(setup, worldOf(CASES[0]![1]), twin);
    const other = await observe(setup, worldOf(CASES[0]![2]), twin);
    expect(tellsApart(one, other)).toEqual(['status']);
  });
});
