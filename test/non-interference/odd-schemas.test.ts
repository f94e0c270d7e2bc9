import { expect, test } from 'vitest';
import type { ErrorCode } from '../../contracts/errors.ts';
import { withoutUtf8 } from '../../kinds/taps/private/damaged-bytes.fixture.ts';
import { StageBench } from '../../kinds/taps/private/stages.fixture.ts';
import { certificateOf } from '../../kinds/taps/taps-certificate.ts';
import { handmadeParquet } from '../support/handmade-parquet.ts';
import { GOOD_ROWS, type HostileObject, handmadeObjects, nestedObjects } from './hostile-parquet.fixture.ts';

/** What becomes of a partition: its code, or its counts by cell. */
type Outcome = ErrorCode | Map<string, number>;

const SOURCE = { format: 'parquet', pattern: '{date}/{mode}.parquet' };
const NAMES = ['on_time', 'on_location', 'off_time', 'off_location'];
const MODES = ['bus', 'ferry', 'train', 'tram'];

/**
 * One window with an object in each partition of every second day, since trips of one may end on the next; all with a
 * good last row, or all with an odd one.
 */
async function outcomes(objects: readonly HostileObject[], isOdd: boolean): Promise<{ d1: number; found: Outcome[] }> {
  const days = 2 * Math.ceil(objects.length / MODES.length);
  const bench = await StageBench.open({ days, modes: MODES, source: SOURCE });
  const placesOf = (rest: number) =>
    bench.days.filter((_, n) => n % 2 === rest).flatMap((day) => MODES.map((part) => ({ part, day })));
  const places = placesOf(0);
  const empty = handmadeParquet(NAMES.map((name) => ({ name, type: 'BYTE_ARRAY', converted: 0, values: [] })));
  for (const { part, day } of placesOf(1)) await bench.deliver(`${day}/${part}.parquet`, empty);
  for (const [n, object] of objects.entries()) {
    const { part, day } = places[n]!;
    const made = object.of(isOdd, day);
    const key = `${day}/${part}.parquet`;
    if ('bytes' in made) await bench.deliver(key, made.bytes);
    else {
      await bench.deliverParquet(key, made.query);
      if (isOdd) await bench.deliver(key, withoutUtf8(await bench.sourceBytes(key)));
    }
  }
  const faults = new Map((await bench.count()).map(({ object, code }) => [object, code]));
  const found: Outcome[] = [];
  for (const { part, day } of places.slice(0, objects.length)) {
    const fault = faults.get(`${day}/${part}.parquet`);
    const cells = fault === undefined ? await bench.cells(part, day) : [];
    found.push(fault ?? new Map(cells.map(([tap, time, place, count]) => [`${tap} ${time} ${place}`, count])));
  }
  const { d1 } = certificateOf(bench.series);
  await bench.close();
  return { d1, found };
}

/** How far two outcomes are from each other. */
const change = (one: Map<string, number>, other: Map<string, number>): number =>
  [...new Set([...one.keys(), ...other.keys()])].reduce(
    (sum, cell) => sum + Math.abs((one.get(cell) ?? 0) - (other.get(cell) ?? 0)),
    0,
  );

const CASES: [string, readonly HostileObject[], object][] = [
  ['nested columns at every place', nestedObjects(48), { tags: 'soak' }],
  ['types and annotations that DuckDB does not write', handmadeObjects(), {}],
];
for (const [name, objects, options] of CASES)
  test(`@contract C6 @contract C20: ${name}, and one odd row costs itself alone`, options, async () => {
    const good = await outcomes(objects, false);
    const odd = await outcomes(objects, true);
    let read = 0;
    for (const [n, { name }] of objects.entries()) {
      const [one, other] = [good.found[n]!, odd.found[n]!];
      if (typeof one === 'string' || typeof other === 'string') {
        expect([one, other], name).toEqual(['OBJECT_SCHEMA', 'OBJECT_SCHEMA']);
        continue;
      }
      read += 1;
      expect(change(one, other), name).toBeLessThanOrEqual(good.d1);
      // The others are counted, and not lost together on both sides.
      expect(other.get('off 08:30 2010'), name).toBe(GOOD_ROWS);
    }
    expect(read).toBeGreaterThan(objects.length / 3);
    expect(read).toBeLessThan(objects.length);
  });
