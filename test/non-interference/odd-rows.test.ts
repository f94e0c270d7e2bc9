import { describe, expect, test } from 'vitest';
import { loadSmallSeries } from '../support/small-series.ts';
import { observe, type Twin, tellsApart, withOneShadow } from './observation.ts';
import { expectUnseen, FORMATS, worldOf, worldOfAll } from './odd-rows.fixture.ts';

/** The others are the soak's; odd-rows.soak.test.ts tries each kind of row alone. */
const QUICK = ['CSV'];
const formats = (quick: boolean) => Object.entries(FORMATS).filter(([name]) => QUICK.includes(name) === quick);

describe('@contract C20 @contract C6 odd rows change nothing on the public side', () => {
  test.each(formats(true))('%s', (_, format) => expectUnseen(format, [worldOfAll(format)]));

  test.each(formats(false))('%s', { tags: 'soak' }, (_, format) => expectUnseen(format, [worldOfAll(format)]));

  test('a broken twin, which tells that an object has rejects, is caught', { tags: 'soak' }, async () => {
    const format = FORMATS.CSV!;
    const setup = await loadSmallSeries(format.edit);
    const quick = withOneShadow();
    const twin: Twin = (activities, release) => ({
      ...quick(activities, release),
      bin: async (input) => {
        const answer = await activities.bin(input);
        const { value } = await release.store('private').list('rejects/')[Symbol.asyncIterator]().next();
        return value ? { faults: [{ object: 'bus', code: 'OBJECT_UNREADABLE', partitions: [] }] } : answer;
      },
    });
    const one = await observe(setup, await worldOf(format, new Map()), quick);
    const { spoilt } = worldOfAll(format);
    expect(tellsApart(one, await observe(setup, await worldOf(format, spoilt), twin))).toEqual(['status']);
  });
});
