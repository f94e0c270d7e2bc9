import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { zipArchive } from '../../test/support/zip-archive.ts';
import { FOR_ALL, foreignColumns, readLocationLists, type StopChoice, stopList } from './location-list.ts';

const STOPS = `\ufeffstop_id,stop_code,stop_name,location_type,parent_station\r
p1,11,"Quay, platform 1",0,Q\r
p2,12,"Quay, platform 2",,Q\r
Q,10,Quay,1,\r
gate,,Gate,2,Q\r
b1,20,Bay,0,\r
`;
const LIST = 'source,location,name\np1,p1,"Quay, platform 1"\np2,p2,"Quay, platform 2"\nQ,Q,Quay\nb1,b1,Bay\n';
const USUAL: StopChoice = { by: 'stop_id', parentStations: false, columns: null };

const folder = newFolder();

const readLocationList = async (path: string, choice: StopChoice) =>
  (await readLocationLists(path, choice, ['bus'])).get(FOR_ALL);

const kept = async (name: string, bytes: string | Buffer): Promise<string> => {
  await writeFile(join(folder, name), bytes);
  return join(folder, name);
};

describe('C4: the public list of locations', () => {
  test('of a GTFS feed is its stops, as a folder and as an archive', async () => {
    const list = { text: LIST, locations: 4 };
    await mkdir(join(folder, 'feed'));
    await kept('feed/stops.txt', STOPS);
    expect(await readLocationList(join(folder, 'feed'), USUAL)).toEqual(list);
    const zip = await kept('feed.zip', zipArchive({ 'agency.txt': 'x', 'feed/stops.txt': STOPS }));
    expect(await readLocationList(zip, USUAL)).toEqual(list);
  });

  test('of a file with other columns is made of those that are named', async () => {
    const path = await kept('places.csv', 'id,label,lat,lon\n7,"Quay, east",-33.86123456789012345,151.2\n\n8,Bay,,\n');
    const columns = { location: 'id', name: 'label', latitude: 'lat', longitude: 'lon' };
    expect(await readLocationList(path, { ...USUAL, columns })).toEqual({
      text: 'location,name,latitude,longitude\n7,"Quay, east",-33.86123456789012345,151.2\n\n8,Bay,,\n',
      locations: 2,
    });
    await expect(readLocationList(path, { ...USUAL, columns: { location: 'code' } })).rejects.toThrow(
      'has no column code; it has id, label, lat, lon.',
    );
    await expect(readLocationList(path, { ...USUAL, columns: { place: 'id' } })).rejects.toThrow(/line 1/);
  });

  test('of a JSON document is its longest list of objects, by the names that lead to each value', async () => {
    const point = (name: string, at: unknown[]) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: at },
      properties: { id: `${name.length}`, name, lines: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    });
    const features = [point('Quay, "east"', [151.2, -33.86]), point('Bay', [])];
    const path = await kept('places.geojson', `\ufeff${JSON.stringify({ crs: [{ a: 1 }], data: { features } })}`);
    expect(await foreignColumns(path)).toContain('geometry.coordinates.1');
    const columns = { location: 'properties.name', latitude: 'geometry.coordinates.1', source: 'properties.id' };
    expect(await readLocationList(path, { ...USUAL, columns })).toEqual({
      text: 'location,latitude,source\n"Quay, ""east""",-33.86,12\nBay,,3',
      locations: 2,
    });
    const long = await kept('long.json', '[{"location":9007199254740993},{"location":1.50}]');
    expect((await readLocationList(long, USUAL))?.text).toBe('location\n9007199254740993\n1.50');
    const own = await kept('own.json', '[{"source":"1","location":"Bay"},{"source":"2","location":null}]');
    expect(await foreignColumns(own)).toBeNull();
    await expect(readLocationList(own, USUAL)).rejects.toThrow(/line 3/);
    for (const [text, words] of [
      ['{"stops":[]}', 'has no list of objects'],
      ['[1,2]', 'has no list of objects'],
      ['{"stops":', 'is no JSON document'],
      [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'is no JSON document of at most 50 levels'],
      [JSON.stringify(Array.from({ length: 1_001 }, (_, n) => ({ [n]: n }))), 'has no list of objects of one form'],
    ] as const)
      await expect(readLocationList(await kept('odd.json', text), USUAL)).rejects.toThrow(words);
  });

  test.each(['|', '\t'])(
    'of a file with %j between its columns is read by what divides its header',
    async (delimiter) => {
      const lines = [
        ['zone', 'label'],
        ['Z1', '"Quay, old"'],
      ].map((fields) => `${fields.join(delimiter)}\n`);
      const columns = { location: 'zone', name: 'label' };
      const list = await readLocationList(await kept('zones.txt', lines.join('')), { ...USUAL, columns });
      expect(list?.text).toBe('location,name\nZ1,"Quay, old"\n');
    },
  );

  test('of a file with semicolons between its columns may have a comma in a number, and not in a name', async () => {
    const path = await kept('stationen.csv', 'Nr;Name;Breite;Länge\r\nD1;"Hafen; Nord, alt";48,5;7,8\r\n');
    const columns = { location: 'Nr', name: 'Name', latitude: 'Breite', longitude: 'Länge' };
    expect((await readLocationList(path, { ...USUAL, columns }))?.text).toMatch(
      /^location,name,latitude,longitude\nD1,"Hafen; Nord, alt",48\.5,7\.8\n/,
    );
  });

  test('has stations in place of stops, by id, code or name', () => {
    const by = (field: StopChoice['by']) => stopList(STOPS, { by: field, parentStations: true });
    expect(by('stop_id')).toBe('source,location,name\np1,Q,Quay\np2,Q,Quay\nQ,Q,Quay\nb1,b1,Bay\n');
    expect(by('stop_code')).toBe('source,location,name\n11,10,Quay\n12,10,Quay\n10,10,Quay\n20,20,Bay\n');
    expect(by('stop_name')).toBe(
      'source,location,name\n"Quay, platform 1",Quay,Quay\n"Quay, platform 2",Quay,Quay\nQuay,Quay,Quay\nBay,Bay,Bay\n',
    );
  });

  test('of a mode are the stops that its routes serve, with their stations', async () => {
    const feed = {
      'stops.txt': STOPS,
      'routes.txt': 'route_id,route_type\nR1,3\nR2,4\nR3,712\n',
      'trips.txt': 'route_id,trip_id\nR1,T1\nR2,T2\nR3,T3\n',
      'stop_times.txt': 'trip_id,stop_id\nT1,p1\nT2,b1\nT3,p1\n',
    };
    const zip = await kept('served.zip', zipArchive(feed));
    const lists = await readLocationLists(zip, USUAL, ['night-bus', 'ferry', 'teleport']);
    expect([...lists.keys()].sort()).toEqual(['all', 'ferry', 'night-bus']);
    expect(lists.get('night-bus')!.text).toBe('source,location,name\np1,p1,"Quay, platform 1"\nQ,Q,Quay\n');
    expect(lists.get('ferry')!.text).toBe('source,location,name\nb1,b1,Bay\n');
    expect(lists.get('all')!.locations).toBe(4);
    const broken = await kept('broken-routes.zip', zipArchive({ ...feed, 'routes.txt': 'route_id\nR1\n' }));
    await expect(readLocationLists(broken, USUAL, ['bus'])).rejects.toThrow('routes.txt has no column route_type');
  });

  test('of a CSV is the file as it stands', async () => {
    const text = 'source,location\n007,Bay\n008,Quay\n';
    expect(await readLocationList(await kept('list.csv', text), USUAL)).toEqual({ text, locations: 2 });
  });

  test.each([
    ['bad.csv', 'stop,name\na,b\n', 'line 1: The first line names the columns'],
    ['none.zip', zipArchive({ 'routes.txt': 'x' }), 'no ZIP archive with a stops.txt'],
    ['broken.zip', 'PK nothing', 'no ZIP archive with a stops.txt'],
    ['latin.csv', Buffer.from('location\nZ\xfcrich\n', 'latin1'), 'is not UTF-8'],
  ])('%s is refused with a sentence', async (name, bytes, sentence) => {
    await expect(readLocationList(await kept(name, bytes), USUAL)).rejects.toThrow(sentence);
  });

  test('refuses a name that stands for two stations, a feed without the column, and one without stops', () => {
    const twins = 'stop_id,stop_name,parent_station\na,Main St,A\nb,Main St,B\nA,Here,\nB,There,\n';
    expect(() => stopList(twins, { by: 'stop_name', parentStations: true })).toThrow('called Main St');
    expect(stopList(twins, { by: 'stop_name', parentStations: false })).toContain('Main St,Main St,Main St\n');
    const places = 'stop_id,stop_lat,stop_lon,parent_station\na,1,2,A\nA,3.5,4,\n';
    expect(stopList(places, { ...USUAL, parentStations: true })).toBe(
      'source,location,latitude,longitude\na,A,3.5,4\nA,A,3.5,4\n',
    );
    expect(() => stopList('stop_id\na\n', { ...USUAL, parentStations: true })).toThrow('no column parent_station');
    expect(() => stopList('stop_id\n', USUAL)).toThrow('no stop with a stop_id');
    expect(() => stopList(`stop_id\n${'"'.repeat(10_001)}`, USUAL)).toThrow('stops.txt: Line 2 has more than');
  });
});
