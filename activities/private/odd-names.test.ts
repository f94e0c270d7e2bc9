import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import type { Partition } from '../../contracts/names.ts';
import { StageBench } from '../../kinds/taps/private/stages.fixture.ts';

const HEAD = 'on_time,on_location,off_time,off_location\n';
const row = (day: string): string => `${HEAD}${day} 08:00,2000,,\n`;
const WINDOW = ['2026-03-02', '2026-03-03', '2026-03-04'];
const bus = (...days: string[]): Partition[] => days.map((day) => ({ part: 'bus', day }));

let bench: StageBench;
beforeEach(async () => {
  bench = await StageBench.open({ modes: ['bus'], days: 3, source: { pattern: '{date}/{mode}_*.csv' } });
  for (const day of WINDOW) await bench.deliver(`${day}/bus_1.csv`, row(day));
});

/** A file of the source by the bytes of its name. */
async function deliver(folder: string, name: string | Buffer, content = row(folder)): Promise<void> {
  await mkdir(join(bench.root, 'source', folder), { recursive: true });
  await writeFile(Buffer.concat([Buffer.from(join(bench.root, 'source', folder, '/')), Buffer.from(name)]), content);
}

describe('names that not every store can hold', () => {
  const ODD: [what: string, name: string | Buffer, shown: string][] = [
    ['a tab', 'bus_\t.csv', 'bus_\\t.csv'],
    ['a newline', 'bus_a\nb.csv', 'bus_a\\nb.csv'],
    ['a backslash', 'bus_a\\b.csv', 'bus_a\\\\b.csv'],
    ['an escape sequence of terminals', 'bus_\u001b[31m.csv', 'bus_\\u001b[31m.csv'],
    ['bytes that are not UTF-8', Buffer.from('bus_\xff.csv', 'latin1'), 'bus_\ufffd.csv'],
  ];

  it.each(ODD)('%s is a fault of what the object may feed, and of nothing else', async (_, name, shown) => {
    await deliver('2026-03-03', name);
    const fault = {
      object: `2026-03-03/${shown}`,
      code: 'OBJECT_UNEXPECTED',
      partitions: bus('2026-03-03', '2026-03-04'),
    };
    expect(await bench.ingest()).toEqual({ faults: [fault] });
    expect(await bench.bin(bus('2026-03-02'))).toEqual({ faults: [] });
    expect(await bench.cells('bus', '2026-03-02')).toHaveLength(1);
  });

  it('in place of the one object of a day is told once, and not as missing', async () => {
    await bench.withdraw('2026-03-04/bus_1.csv');
    await deliver('2026-03-04', 'bus_\t.csv');
    expect((await bench.ingest()).faults.map(({ code }) => code)).toEqual(['OBJECT_UNEXPECTED']);
  });

  it('is told, and holds back nothing, when it fits no pattern', async () => {
    await deliver('2026-03-03', 'notes\t.csv');
    expect((await bench.ingest()).faults).toEqual([
      { object: '2026-03-03/notes\\t.csv', code: 'OBJECT_UNEXPECTED', partitions: [] },
    ]);
  });

  it('in a folder whose name is odd is found, too', async () => {
    await mkdir(Buffer.concat([Buffer.from(`${bench.root}/source/`), Buffer.from([0xfe])]));
    const path = Buffer.concat([Buffer.from(`${bench.root}/source/`), Buffer.from([0xfe]), Buffer.from('/a.csv')]);
    await writeFile(path, HEAD);
    expect((await bench.ingest()).faults).toMatchObject([{ object: '\ufffd/a.csv', code: 'OBJECT_UNEXPECTED' }]);
  });

  it("is nobody's input under another ending, or on another day", async () => {
    await deliver('2026-03-03', 'bus_\t.tmp');
    await deliver('2026-05-03', 'bus_\t.csv');
    expect(await bench.ingest()).toEqual({ faults: [] });
  });
});

describe('links of a source', () => {
  const at = (key: string): string => join(bench.root, 'source', key);

  test('one that leads out of the store is a fault of what it may feed, however it leads there', async () => {
    await writeFile(join(bench.root, 'outside.csv'), row('2026-03-03'));
    await symlink(join(bench.root, 'outside.csv'), at('2026-03-03/bus_2.csv'));
    await symlink('../../outside.csv', at('2026-03-04/bus_2.csv'));
    expect((await bench.ingest()).faults).toEqual([
      { object: '2026-03-03/bus_2.csv', code: 'OBJECT_UNREADABLE', partitions: bus('2026-03-03', '2026-03-04') },
      { object: '2026-03-04/bus_2.csv', code: 'OBJECT_UNREADABLE', partitions: bus('2026-03-04') },
    ]);
  });

  test('one that stays inside is an object as every other; so is a second name of a file', async () => {
    await deliver('archive', 'a.csv.old', `${row('2026-03-03')}2026-03-03 09:00,2010,,\n`);
    await symlink('../archive/a.csv.old', at('2026-03-03/bus_2.csv'));
    await link(at('2026-03-02/bus_1.csv'), at('2026-03-02/bus_2.csv'));
    expect(await bench.ingest()).toEqual({ faults: [] });
  });

  test('broken ones elsewhere stop nothing; where an object should be they are its fault', async () => {
    await symlink('nowhere', at('broken'));
    await symlink('round', at('round'));
    await symlink('bus_1.csv/under-a-file', at('2026-03-02/notes'));
    expect(await bench.ingest()).toEqual({ faults: [] });
    await symlink('nowhere', at('2026-03-03/bus_2.csv'));
    await symlink('bus_2.csv', at('2026-03-04/bus_2.csv'));
    expect((await bench.reingest(1)).faults.map(({ object, code }) => [object, code])).toEqual([
      ['2026-03-03/bus_2.csv', 'OBJECT_MISSING'],
      ['2026-03-04/bus_2.csv', 'OBJECT_UNREADABLE'],
    ]);
  });
});
