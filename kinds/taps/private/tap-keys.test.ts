import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { literal } from '../../../services/sql/duckdb.ts';
import { openDatabase } from '../../../services/sql/open-database.fixture.ts';
import { cardText, modeText, NO_TIME, tapColumns } from './tap-keys.ts';

let opened: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  opened = await openDatabase();
});
afterAll(() => opened.close());

type DaySeries = Parameters<typeof tapColumns>[1];
type Cell = string | null | undefined;

const seriesOf = (
  change: { rows?: string; clock?: string; publish?: string; unit?: string; after1970?: boolean } = {},
): DaySeries =>
  ({
    source: { rows: 'trips', clock: 'local', format: 'csv', ...change },
    privacy: { publish: change.publish ?? 'on', unit: change.unit ?? 'trip' },
    dayMinutes: { starts: 240, ends: 1680, step: 15 },
    after1970: change.after1970 ?? false,
  }) as unknown as DaySeries;

/** The mark of a row that has a value over the limit, or one that cannot be used; such a value is NULL. */
const unusable = 'true';

/**
 * What rows of text columns, each cast to its type, give as slots: of each tap of the row, in order. A row is marked by
 * its cell `unusable`.
 */
async function slots(series: DaySeries, types: Record<string, string>, rows: readonly Record<string, Cell>[]) {
  const names = Object.keys(types);
  const cast = names.map((name) => `CAST(${name} AS ${types[name]}) AS ${name}`).join(', ');
  const values = rows.map(
    (row) =>
      `(${row.unusable ?? 'false'}, ${names.map((name) => (row[name] == null ? 'NULL' : literal(row[name]))).join()})`,
  );
  const expressions = tapColumns(new Map(Object.entries(types)), series).map(({ slot }) => slot);
  const found = await opened.database.rows(
    `SELECT ${expressions.join(', ')}
      FROM (SELECT "unusable value", ${cast} FROM (VALUES ${values.join()}) AS t("unusable value", ${names.join()}))`,
  );
  const reasons = new Map<number, string>(Object.entries(NO_TIME).map(([reason, slot]) => [slot, reason]));
  return found.map((row) => row.map((slot) => reasons.get(Number(slot)) ?? Number(slot)));
}

const slotsOf = async (clock: string, type: string, texts: readonly Cell[]): Promise<unknown[]> => {
  const rows = texts.map((on_time) => ({ on_time, on_location: 'A' }));
  return (await slots(seriesOf({ clock }), { on_time: type, on_location: 'VARCHAR' }, rows)).flat();
};

/** Quarters of an hour between 1970-01-01T00:00 and 2026-03-01T08:15. */
const QUARTER = Date.UTC(2026, 2, 1, 8, 15) / 60_000 / 15;

describe('the slot of a timestamp', () => {
  const texts = [
    '2026-03-01 08:15',
    ' 2026-03-01T08:29:59.999999 ',
    '2026-03-01 08:15:00Z',
    '2026-03-01 19:15:00+11',
    '2026-03-01 08:15 GMT',
    '01/03/2026 08:15',
    '2026-02-30 08:15',
    '1969-12-31 23:59:59',
    '1969-12-31 23:45:00',
    '',
    null,
  ];
  const [no, none] = ['time-unreadable', 'no-tap'];

  it('is floored to whole slots, and what the clock of the series does not write is unreadable', async () => {
    expect(await slotsOf('local', 'VARCHAR', texts)).toEqual([
      QUARTER,
      QUARTER,
      no,
      no,
      no,
      no,
      no,
      -1,
      -1,
      none,
      none,
    ]);
    expect(await slotsOf('utc', 'VARCHAR', texts)).toEqual([
      QUARTER,
      QUARTER,
      QUARTER,
      no,
      no,
      no,
      no,
      -1,
      -1,
      none,
      none,
    ]);
    const offset = [no, no, QUARTER, QUARTER, no, no, no, no, no, none, none];
    expect(await slotsOf('offset', 'VARCHAR', texts)).toEqual(offset);
  });

  it('is none in a row with an unusable value, whatever the time is', async () => {
    const types = { on_location: 'VARCHAR' };
    const rows = [...texts, '2026-03-01 08:15:00'].map((on_time) => ({ on_time, on_location: 'A', unusable }));
    const all = rows.map(() => ['value-unusable']);
    for (const clock of ['local', 'utc', 'offset'])
      expect(await slots(seriesOf({ clock }), { ...types, on_time: 'VARCHAR' }, rows), clock).toEqual(all);
    const timed = [
      { on_time: '2026-03-01 08:15:00', unusable },
      { on_location: 'A', unusable },
    ];
    for (const type of ['TIMESTAMP', 'TIMESTAMP_NS', 'TIMESTAMP WITH TIME ZONE'])
      expect(await slots(seriesOf(), { ...types, on_time: type }, timed), type).toEqual(all.slice(0, 2));
  });

  it('of a column with times is the same, by the clock of the series or by the moment', async () => {
    const times = ['2026-03-01 08:15:00', null];
    for (const type of ['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'])
      expect(await slotsOf('local', type, times), type).toEqual([QUARTER, none]);
    expect(await slotsOf('local', 'TIMESTAMP WITH TIME ZONE', ['2026-03-01 19:15:00+11'])).toEqual([QUARTER]);
    const readings = (clock: string, type: string) =>
      tapColumns(new Map(Object.entries({ on_time: type, on_location: 'VARCHAR' })), seriesOf({ clock }))[0]!.reading;
    expect([
      readings('local', 'VARCHAR'),
      readings('utc', 'VARCHAR'),
      readings('offset', 'VARCHAR'),
      readings('local', 'TIMESTAMP'),
      readings('local', 'TIMESTAMP WITH TIME ZONE'),
    ]).toEqual(['wall', 'instant', 'instant', 'wall', 'instant']);
  });

  it('of a column with times is floored at both ends of the usual ones, and no infinity is a time', async () => {
    const times = [
      ['1969-12-31 23:59:59.999999', -1],
      ['1969-12-31 23:45:00', -1],
      ['1969-12-31 23:44:59.999999', -2],
      ['1970-01-01 00:00:00', 0],
      ['1970-01-01 00:14:59.999999', 0],
      ['2999-12-31 00:00:00', Date.UTC(2999, 11, 31) / 900_000],
      ['2999-12-31 00:15:00', Date.UTC(2999, 11, 31) / 900_000 + 1],
      ['9999-12-31 00:00:00', Date.UTC(9999, 11, 31) / 900_000],
      ['infinity', 'time-unreadable'],
      ['-infinity', 'time-unreadable'],
    ] as const;
    for (const type of ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE']) {
      const found = await slotsOf(
        'local',
        type,
        times.map(([text]) => text),
      );
      expect(found, type).toEqual(times.map(([, slot]) => slot));
    }
  });

  it('is this expression', () => {
    const types = new Map(Object.entries({ on_time: 'TIMESTAMP', on_location: 'INTEGER' }));
    const careful =
      'CASE WHEN (on_time IS NULL) THEN -2000000002 WHEN on_time IS NULL THEN -2000000001' +
      ' ELSE coalesce(CASE WHEN epoch_us(on_time) < 0' +
      ' THEN greatest((epoch_us(on_time) + 1) // 900000000 - 1, -1000000000)' +
      ' ELSE epoch_us(on_time) // 900000000 END, -2000000003) END';
    // Two blanks: the card goes between them, where the unit is a card.
    const guarded = (slot: string, card = '') =>
      `TRY_CAST(CASE WHEN "unusable value" THEN -2000000007 ${card} ELSE ${slot} END AS INTEGER)`;
    const tap = { tap: 'on', reading: 'wall', location: 'CAST(on_location AS VARCHAR)' };
    expect(tapColumns(types, seriesOf())).toEqual([{ ...tap, slot: guarded(careful) }]);
    // Most rows are read like this, and the others with every care.
    const usual = `coalesce(epoch_us(on_time) // 900000000, ${careful})`;
    expect(tapColumns(types, seriesOf({ after1970: true }))).toEqual([{ ...tap, slot: guarded(usual) }]);
    const card =
      "WHEN (card BETWEEN '!' AND '~') IS NOT TRUE AND (trim(card) IS NULL OR trim(trim(card)) = '') THEN -2000000005";
    const [carded] = tapColumns(new Map([...types, ['card', 'VARCHAR']]), seriesOf({ unit: 'card-day' }));
    expect(carded!.slot).toBe(guarded(careful, card));
  });

  it('is as usual where it may be in a calendar that begins later than 1970', async () => {
    const types = { on_time: 'TIMESTAMP', on_location: 'VARCHAR' };
    const times = [
      '1970-01-01 00:15:00',
      '1999-12-31 23:59:59.999999',
      '9999-12-31 00:00:00',
      'infinity',
      '-infinity',
      null,
    ];
    const early = [
      '1970-01-01 00:14:59',
      '1969-12-31 23:59:59',
      '0044-03-15 (BC) 00:00:00',
      '290309-12-22 (BC) 00:00:00',
    ];
    for (const type of ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE']) {
      const read = async (texts: readonly Cell[], after1970: boolean): Promise<unknown[]> => {
        const rows = texts.map((on_time) => ({ on_time, on_location: 'A' }));
        return (await slots(seriesOf({ after1970 }), { ...types, on_time: type }, rows)).flat();
      };
      expect(await read(times, true), type).toEqual(await read(times, false));
      // What is cut another way is in no such calendar.
      for (const slot of [...(await read(early, true)), ...(await read(early, false))])
        expect(slot).toBeLessThanOrEqual(0);
    }
  });

  it('of text is as usual, however it is written, or nearly (property)', async () => {
    const texts = [
      '2026-03-02 08:15:00',
      '2026-03-02 08:29:59',
      ' 2026-03-02 08:15:00',
      '2026-03-02T08:15:00',
      '2026-03-02 08:15:00.5',
      '2026-03-02 08:15',
      '2026-03-02 08:15:00Z',
      '2026-03-02  8:15:00',
      '2026-3-02 008:15:00',
      '2026-03-2  08:15:00',
      '2026-02-30 08:15:00',
      '2026-03-02 24:00:00',
      '2026-03-02 08:15:60',
      '9999-12-31 23:59:59',
      '12026-03-02 08:15:0',
      '12026-03-02 08:15:00',
      '202603-02 08:15:00 ',
      '          infinity ',
      '',
      null,
    ];
    const part = fc.stringMatching(/^[0-9 +-]{2}$/);
    const near = fc
      .tuple(fc.constantFrom('2026', '9999'), part, part, fc.constantFrom(' ', 'T', '  '), part, part, part)
      .map(([year, month, day, between, ...clock]) => `${year}-${month}-${day}${between}${clock.join(':')}`);
    const later = fc
      .date({ min: new Date('1970-01-02'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().replace('T', ' ').slice(0, 19));
    const sampled = fc.sample(fc.oneof(near, later), { numRuns: 2000, seed: 19 });
    const rows = [...texts, ...sampled].map((on_time) => ({ on_time, on_location: 'A' }));
    for (const clock of ['local', 'utc', 'offset']) {
      const read = async (after1970: boolean): Promise<unknown[]> =>
        (await slots(seriesOf({ clock, after1970 }), { on_time: 'VARCHAR', on_location: 'VARCHAR' }, rows)).flat();
      const careful = await read(false);
      expect(await read(true), clock).toEqual(careful);
      expect(new Set(careful).size, clock).toBeGreaterThan(clock === 'offset' ? 1 : 500);
    }
  });
});

describe('the slot of a day and a minute', () => {
  const types = { on_day: 'VARCHAR', on_minute: 'VARCHAR', on_location: 'VARCHAR' };
  const DAY = 20_513; // 2026-03-01 from 1970-01-01

  it('is the day times 4,320 with the minute at which its slot starts', async () => {
    const rows: [Cell, Cell][] = [
      ['2026-03-01', '495'],
      ['20260301', ' 509.0 '],
      ['2026-03-01', '1679'],
      ['2026-03-01', '239'],
      ['2026-03-01', '1680'],
      ['2026-03-01', '495.5'],
      ['2026-02-30', '495'],
      ['1899-12-31', '495'],
      [null, '495'],
      ['2026-03-01', null],
    ];
    const found = await slots(
      seriesOf(),
      types,
      rows.map(([on_day, on_minute]) => ({ on_day, on_minute, on_location: 'A' })),
    );
    const [outside, unreadable] = ['time-outside-day', 'time-unreadable'];
    const at = DAY * 4320;
    expect(found.flat()).toEqual([
      at + 495,
      at + 495,
      at + 1665,
      outside,
      outside,
      unreadable,
      unreadable,
      unreadable,
      unreadable,
      'no-tap',
    ]);
    const typed = { on_day: 'DATE', on_minute: 'SMALLINT', on_location: 'VARCHAR' };
    const row = { on_day: '2026-03-01', on_minute: '509', on_location: 'A' };
    expect(await slots(seriesOf(), typed, [row, { ...row, on_minute: null }])).toEqual([[at + 495], ['no-tap']]);
    const marked = [row, { ...row, on_minute: null }, { ...row, on_day: null }].map((each) => ({ ...each, unusable }));
    for (const each of [types, typed])
      expect((await slots(seriesOf(), each, marked)).flat()).toEqual(marked.map(() => 'value-unusable'));
  });
});

describe('the taps of a row', () => {
  it('of a trip are its ends: one that is not there is absent, a trip without any is one reject', async () => {
    const types = { on_time: 'TIMESTAMP', on_location: 'VARCHAR', off_time: 'TIMESTAMP', off_location: 'VARCHAR' };
    const [on_time, off_time] = ['2026-03-01 08:15:00', '2026-03-01 08:30:00'];
    const marked = [{ on_time, off_time, unusable }, { on_time, unusable }, { unusable }];
    const rows = [{ on_time, off_time }, { on_time }, { off_time }, {}, ...marked];
    const none = 'value-unusable';
    expect(await slots(seriesOf({ publish: 'on+off' }), types, rows)).toEqual([
      [QUARTER, QUARTER + 1],
      [QUARTER, 'absent'],
      ['absent', QUARTER + 1],
      ['no-tap', 'absent'],
      // Of a marked row no end is counted, and none is absent: what stood there may be what cannot be used.
      [none, none],
      [none, none],
      [none, none],
    ]);
    expect(await slots(seriesOf({ publish: 'off' }), types, rows)).toEqual([
      [QUARTER + 1],
      ['no-tap'],
      [QUARTER + 1],
      ['no-tap'],
      [none],
      [none],
      [none],
    ]);
  });

  it('of a tap name their end themselves', async () => {
    const types = { tap: 'VARCHAR', time: 'TIMESTAMP', location: 'VARCHAR' };
    const time = '2026-03-01 08:15:00';
    const rows = [{ tap: 'on', time }, { tap: ' OFF ', time }, { tap: 'in', time }, { time }, { tap: 'on' }];
    const marked = [
      { tap: 'on', time, unusable },
      { time, unusable },
      { tap: 'on', unusable },
    ];
    expect((await slots(seriesOf({ rows: 'taps' }), types, rows)).flat()).toEqual([
      QUARTER,
      QUARTER,
      'tap-unknown',
      'tap-unknown',
      'no-tap',
    ]);
    expect((await slots(seriesOf({ rows: 'taps' }), types, marked)).flat()).toEqual(marked.map(() => 'value-unusable'));
  });

  it('need a card where the unit is one', async () => {
    const types = { on_time: 'TIMESTAMP', on_location: 'VARCHAR', card: 'VARCHAR' };
    const on_time = '2026-03-01 08:15:00';
    const marked = [
      { on_time, card: '7', unusable },
      { on_time, unusable },
    ];
    const cards = ['7', ' 7', 'é', '~', ' ', '\u00a0', '\u2003 ', ''];
    const rows = [...cards.map((card) => ({ on_time, card })), { on_time }, ...marked];
    const none = 'value-unusable';
    expect((await slots(seriesOf({ unit: 'card-day' }), types, rows)).flat()).toEqual([
      ...Array(4).fill(QUARTER),
      ...Array(5).fill('card-missing'),
      none,
      none,
    ]);
    expect((await slots(seriesOf(), types, rows)).flat()).toEqual([...Array(9).fill(QUARTER), none, none]);
    expect(cardText(new Map([['card', 'BIGINT']]), seriesOf())).toBeNull();
  });

  it('have the mode of the row, or of the name of the object, or the only one of the series', () => {
    const [one, two] = [['bus'], ['bus', 'ferry']].map((modes) => ({ modes }));
    expect(modeText(new Map([['mode', 'VARCHAR']]), { mode: 'ferry' }, one!)).toBe('trim(mode)');
    expect(modeText(new Map(), { mode: 'ferry' }, two!)).toBe("'ferry'");
    expect(modeText(new Map(), {}, one!)).toBe("'bus'");
    expect(() => modeText(new Map(), {}, two!)).toThrow('An object yields no column for mode');
  });

  it.each([
    [{ on_location: 'VARCHAR' }, 'An object yields no column for on_time, or for on_day and on_minute.'],
    [{ on_time: 'TIMESTAMP' }, 'An object yields no column for on_location.'],
    [
      { on_time: 'DATE', on_location: 'VARCHAR' },
      'The column for on_time has the type DATE, which cannot be used there.',
    ],
    [
      { on_time: 'TIMESTAMP', on_location: 'VARCHAR[]' },
      'The column for on_location has the type VARCHAR[], which cannot be used there.',
    ],
  ])('are refused without a column that says it: %j', (types, message) => {
    expect(() => tapColumns(new Map(Object.entries(types)), seriesOf())).toThrow(message);
  });
});
