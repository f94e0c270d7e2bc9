import { afterEach, describe, expect, it } from 'vitest';
import { type SeriesChange, StageBench } from './stages.fixture.ts';

let bench: StageBench;
afterEach(() => bench?.close());
const open = async (change?: SeriesChange, window?: string) => {
  bench = await StageBench.open(change, window);
  return bench;
};
const HEAD = 'card,on_time,on_location,off_time,off_location\n';
const one = { modes: ['bus'], days: 1 } satisfies SeriesChange;

describe('bin', () => {
  it('smoke', async () => {
    await open(one);
    await bench.deliver('2026-03-02/bus.csv', `${HEAD}c1,2026-03-02 08:07:00,2000,2026-03-02 08:31:00,2010\nc2,2026-03-02T08:14:59,2000,,\nbad\n"c3","2026-03-02 23:50","nowhere","2026-03-03 00:10","2010"\n`);
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual([]);
  });
});
