import { describe, expect, it } from 'vitest';
import { StageBench } from '../../kinds/taps/private/stages.fixture.ts';
import { changedObjects } from './changed-objects.ts';
import { missingObjects } from './missing-objects.ts';

let bench: StageBench;
const HEAD = 'on_time,on_location,off_time,off_location\n';
const row = (day: string, hour = '08'): string => `${HEAD}${day} ${hour}:00,2000,,\n`;
const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'];
const bus = (...days: string[]) => days.map((day) => ({ part: 'bus', day }));

const open = async (source?: Record<string, unknown>): Promise<void> => {
  bench = await StageBench.open({ modes: ['bus'], days: 3, ...(source && { source }) });
  for (const day of DAYS) await bench.deliver(`${day}/bus.csv`, row(day));
};

describe('objects that changed since ingest', () => {
  it('@contract C6 @contract C11 @contract safe-to-retry: are named, with the partitions they may feed and nothing else', async () => {
    await open();
    await bench.ingest();
    expect(await changedObjects(bench.context, bench.run())).toEqual({ changed: [], total: 0 });
    await bench.deliver('2026-03-02/bus.csv', row('2026-03-02')); // the same bytes again
    await bench.deliver('2026-03-03/bus.csv', row('2026-03-03', '09')); // as many bytes, others
    await bench.withdraw('2026-03-04/bus.csv');
    await bench.deliver('2026-03-01/bus.csv', row('2026-03-01'));
    const changes = {
      changed: [
        { object: '2026-03-01/bus.csv', change: 'new', partitions: bus('2026-03-02') },
        { object: '2026-03-03/bus.csv', change: 'replaced', partitions: bus('2026-03-03', '2026-03-04') },
        { object: '2026-03-04/bus.csv', change: 'gone', partitions: bus('2026-03-04') },
      ],
      total: 3,
    };
    expect(await changedObjects(bench.context, bench.run())).toEqual(changes);
    expect(await changedObjects(bench.context, bench.run())).toEqual(changes);
  });

  it('are told too when they were missing at ingest and have not come', async () => {
    await open();
    await bench.withdraw('2026-03-03/bus.csv');
    await bench.ingest();
    const missing = { object: '2026-03-03/bus.csv', change: 'missing', partitions: bus('2026-03-03', '2026-03-04') };
    expect(await changedObjects(bench.context, bench.run())).toEqual({ changed: [missing], total: 1 });
    await bench.deliver('2026-03-03/bus.csv', row('2026-03-03'));
    const late = { ...missing, change: 'new' };
    expect(await changedObjects(bench.context, bench.run())).toEqual({ changed: [late], total: 1 });
  });

  it('are none of the strays that were there at ingest; of two under one name the later one is new', async () => {
    await open({ pattern: '{date}/{mode}_{stamp}.csv' });
    for (const day of DAYS) await bench.deliver(`${day}/bus_1.csv`, row(day));
    await bench.deliver('2026-03-03/tram_2.csv', row('2026-03-03'));
    await bench.ingest();
    expect(await changedObjects(bench.context, bench.run())).toEqual({ changed: [], total: 0 });
    await bench.deliver('2026-03-03/bus_2.csv', row('2026-03-03'));
    const second = { object: '2026-03-03/bus_2.csv', change: 'new', partitions: bus('2026-03-03', '2026-03-04') };
    expect(await changedObjects(bench.context, bench.run())).toEqual({ changed: [second], total: 1 });
  });

  it('cannot be told without an inventory', async () => {
    await open();
    await expect(changedObjects(bench.context, bench.run())).rejects.toMatchObject({ code: 'RELEASE_UNKNOWN' });
  });
});

describe('objects that a window waits for', () => {
  it('@contract C6 @contract safe-to-retry: are those of the window; the overlap day is not waited for', async () => {
    await open();
    expect(await missingObjects(bench.context, bench.run())).toEqual({ names: [], total: 0 });
    await bench.withdraw('2026-03-03/bus.csv');
    expect(await missingObjects(bench.context, bench.run())).toEqual({ names: ['2026-03-03/bus.csv'], total: 1 });
  });

  it('are markers when the series names one: a day without its marker holds back what its objects may feed', async () => {
    await open({ completeness: { marker: '{date}/done.csv', waitHours: 1 } });
    for (const day of ['2026-03-02', '2026-03-04']) await bench.deliver(`${day}/done.csv`, '');
    expect(await missingObjects(bench.context, bench.run())).toEqual({ names: ['2026-03-03/done.csv'], total: 1 });
    const { faults } = await bench.ingest();
    expect(faults.filter(({ code }) => code === 'OBJECT_MISSING')).toEqual([
      { object: '2026-03-03/done.csv', code: 'OBJECT_MISSING', partitions: bus('2026-03-03', '2026-03-04') },
    ]);
  });
});
