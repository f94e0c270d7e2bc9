import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { loadSeriesFile } from '../client/series/series-file.ts';
import { parseRunTimetable } from '../kinds/occupancy/timetable.ts';
import { locateFiles } from '../stack/embedded-files.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { countExample } from './count-example.fixture.ts';
import { apportion, dayProfile, GUIDE, guideSql } from './demo/demo-profile.ts';
import { eventsOf, generateOccupancy } from './occupancy/generate-occupancy.ts';
import { parsePublishedCounts } from './opal/generate-opal.ts';
import { prepareExample } from './prepare.ts';
import { generateSynthetic } from './synthetic/generate-synthetic.ts';

const seriesFile = (name: string): string => fileURLToPath(new URL(`${name}.yaml`, import.meta.url));
const data = (name: string): string => fileURLToPath(new URL(`../../shared/data/${name}`, import.meta.url));

let root = '';
const folder = async (): Promise<string> => {
  root = newFolder();
  return root;
};

describe('series files', () => {
  it.each(['demo', 'opal', 'oyster', 'people'])('examples/%s.yaml can be used', async (name) => {
    const { series, dictionaries } = await loadSeriesFile(seriesFile(name));
    expect(series.series).toBe(`${name}-taps`);
    expect(dictionaries.length).toBeGreaterThan(1);
  });
});

test('examples/occupancy.yaml can be used, and its events are those of its timetable', async () => {
  const { series, dictionaries } = await loadSeriesFile(seriesFile('occupancy'));
  expect(series).toMatchObject({ series: 'demo-occupancy', kind: 'occupancy' });
  const timetable = parseRunTimetable(dictionaries[0]!.bytes);
  await generateOccupancy(await folder());
  const text = await readFile(join(root, 'counts', '2026-03-04', 'line-54.csv'), 'utf8');
  expect(text).toBe(eventsOf(timetable, 'line-54', '2026-03-04'));
  const rows = text.trim().split('\n').slice(1);
  expect(rows).toHaveLength(288);
  const boarded = rows.map((row) => Number(row.split(',')[4])).reduce((sum, count) => sum + count, 0);
  expect(boarded).toBeGreaterThan(500);
});

test('examples/synthetic.yaml can be used, and its trips are in its domain', async () => {
  const { series } = await loadSeriesFile(seriesFile('synthetic'));
  expect(series).toMatchObject({ series: 'demo-synthetic', kind: 'synthetic', shape: [21, 4, 9, 9] });
  await generateSynthetic(await folder());
  const [header, ...rows] = (await readFile(join(root, 'trips', '2026-03-08.csv'), 'utf8')).trimEnd().split('\n');
  expect(header).toBe('started,mode,from,to');
  expect(rows).toHaveLength(20_000);
  const list = await readFile(new URL('dictionaries/synthetic-zones.csv', import.meta.url), 'utf8');
  const zones = list.trimEnd().split('\n').slice(1);
  const known = ([at, mode, from, to]: string[]): boolean =>
    /^2026-03-0[89] \d\d:\d\d$/.test(at!) &&
    ['bus', 'ferry', 'train'].includes(mode!) &&
    zones.includes(from!) &&
    zones.includes(to!);
  expect(rows.map((row) => row.split(',')).filter((fields) => !known(fields))).toEqual([]);
  expect(known(['2026-03-08 09:00', 'tram', 'Airport', 'Hills'])).toBe(false);
  const { populations } = await prepareExample('synthetic', { ...locateFiles(root), sources: root });
  expect(populations).toEqual({ 'demo-travellers': expect.objectContaining({ unit: 'trip', mechanisms: ['mwem'] }) });
}, 240_000);

test('C12: the policy of the example for people counts ρ, and its floor follows from lone taps and from empty cells', async () => {
  const { series } = await loadSeriesFile(seriesFile('people'));
  expect(series.privacy).toMatchObject({ mechanism: 'discrete-gaussian', place: 2, clamp: 28 });
  const prepared = { ...locateFiles(await folder()), sources: root };
  await mkdir(join(root, 'people'));
  await writeFile(join(root, 'people.made'), '');
  const { populations } = await prepareExample('people', prepared);
  expect(populations['people-cards']).toMatchObject({
    unit: 'card-window',
    neighbours: 'add-remove',
    accounting: 'rho',
    mechanisms: ['complete-domain', 'discrete-gaussian'],
    release: { epsilon: '1', delta: '1/1000000', rho: '3/50' },
  });
});

test('C12: the policy of the demo has a population of rides, with its mechanisms', async () => {
  const { populations } = await prepareExample('occupancy', locateFiles(await folder()));
  expect(populations).toEqual({
    'demo-rides': expect.objectContaining({ unit: 'ride', sources: ['occupancy'], mechanisms: ['each-stop', 'tree'] }),
  });
});

describe('times and places of the demo', () => {
  it('follow profiles with two peaks on weekdays and one at weekends', () => {
    const peaks = (profile: number[]): number =>
      profile.slice(16, 80).filter((weight, n, day) => n > 0 && weight > day[n - 1]! && weight >= (day[n + 1] ?? 0))
        .length;
    expect(peaks(dayProfile(true))).toBe(1);
    expect(peaks(dayProfile(false))).toBeGreaterThanOrEqual(2);
  });

  it('apportion guide tables exactly', () => {
    expect(apportion([1, 1, 1], 10)).toEqual([4, 3, 3]);
    expect(apportion([3, 1], 4)).toEqual([3, 1]);
    expect(apportion(dayProfile(false), GUIDE).reduce((sum, count) => sum + count, 0)).toBe(GUIDE);
    expect(guideSql('a', ['x', 'y'], [3, 1])).toContain(
      `('x', 0, ${(GUIDE * 3) / 4}), ('y', ${(GUIDE * 3) / 4}, ${GUIDE})`,
    );
  });
});

describe('published Opal counts', () => {
  it('are read without the stray lines at the end', () => {
    const text = 'mode,date,tap,loc,count\r\nbus,20160814,on,-1,12\r\n<?xml version="1.0"?>\n<result>x</result>\n';
    expect(parsePublishedCounts(text)).toEqual([
      { mode: 'bus', day: '2016-08-14', tap: 'on', location: '-1', count: 12 },
    ]);
  });
});

describe('Oyster journeys', () => {
  const piece = 'Nov09JnyExport.csv.ag.gz';
  test.skipIf(!existsSync(join(data('tfl-oyster'), piece)))(
    'one real piece goes through ingest and bin (skipped where ../shared/data is not present)',
    async () => {
      const source = join(await folder(), 'source');
      await mkdir(source);
      await cp(join(data('tfl-oyster'), piece), join(source, piece));
      const { faults, taps, rejects } = await countExample(root, seriesFile('oyster'), source, '2009-11-01');
      expect({ faults, rejects }).toEqual({ faults: [], rejects: 0 });
      const boarded = [...taps].filter(([key]) => key.endsWith(' on')).reduce((sum, [, count]) => sum + count, 0);
      expect(boarded).toBe(223_488);
      expect(taps.get('bus off')).toBeUndefined();
    },
  );
});
