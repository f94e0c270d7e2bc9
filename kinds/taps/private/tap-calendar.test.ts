import { describe, expect, it } from 'vitest';
import { timeLabels } from '../../../services/calendar/time-zone.ts';
import { slotMinutes, tapCalendar } from './tap-calendar.ts';

type Minutes = 5 | 10 | 15 | 20 | 30 | 60;
const series = (timeZone: string, minutes: Minutes = 15, starts = '00:00', ends = '24:00') => ({
  timeZone,
  day: { starts, ends },
  bins: { minutes, locations: {} },
});
/** Both changes in Sydney and London, and days around them. */
const DAYS = [
  '2026-04-04',
  '2026-04-05',
  '2026-04-06',
  '2026-10-03',
  '2026-10-04',
  '2026-10-05',
  '2026-03-29',
  '2026-10-25',
];
const ZONES = ['Australia/Sydney', 'Australia/Lord_Howe', 'Europe/London', 'Asia/Kathmandu', 'UTC'];

describe('tap calendar', () => {
  it.each(ZONES.flatMap((zone) => ([5, 15, 20, 60] as const).map((minutes) => [zone, minutes] as const)))(
    '@contract C4: in %s with bins of %i minutes, each reading yields exactly the public time labels of the day',
    (zone, minutes) => {
      for (const [starts, ends] of [
        ['00:00', '24:00'],
        ['04:00', '28:00'],
      ] as const) {
        const each = series(zone, minutes, starts, ends);
        const rows = tapCalendar(each, DAYS);
        for (const day of DAYS) {
          for (const reading of ['instant', 'wall', 'minute'] as const) {
            const labels = rows.flatMap((row) =>
              row.reading === reading && row.day === day && row.label !== null ? row.label : [],
            );
            expect([...new Set(labels)].sort(), `${day} ${reading}`).toEqual(timeLabels(each, day));
          }
        }
      }
    },
  );

  it('maps a slot to one day and label, so that the join multiplies no tap', () => {
    for (const zone of ZONES) {
      const rows = tapCalendar(series(zone, 15, '04:00', '28:30'), [...DAYS].sort());
      expect(new Set(rows.map(({ reading, slot }) => `${reading} ${slot}`)).size).toBe(rows.length);
    }
  });

  it('agrees with the clock that Intl shows at every instant', () => {
    const each = series('Australia/Sydney');
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: each.timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
    });
    for (const { reading, slot, day, label } of tapCalendar(each, DAYS)) {
      if (reading === 'instant') expect(`${day} ${label}`).toBe(format.format(slot * 900_000));
    }
  });

  it('leaves no instant of a day out: a twin with 24 hours every day is caught', () => {
    const instants = (day: string) =>
      tapCalendar(series('Australia/Sydney'), [day]).filter(({ reading }) => reading === 'instant').length;
    expect([instants('2026-10-04'), instants('2026-04-05'), instants('2026-04-06')]).toEqual([92, 100, 96]);
    expect(instants('2026-04-05')).not.toBe(96);
  });

  it('names the hours that a short traffic day leaves out', () => {
    const rows = tapCalendar(series('UTC', 15, '05:00', '25:00'), ['2026-03-02']);
    const outside = rows.filter(({ problem }) => problem === 'time-outside-day');
    expect(outside.map(({ reading }) => reading)).toEqual(expect.arrayContaining(['wall', 'instant']));
    expect(outside).toHaveLength(2 * 4 * 4);
  });

  it('cuts no bin: slots divide bins, quarters and the ends of the day', () => {
    expect(slotMinutes(series('UTC', 20))).toBe(5);
    expect(slotMinutes(series('UTC', 60))).toBe(15);
    expect(slotMinutes(series('UTC', 10, '04:10', '28:10'))).toBe(5);
  });
});
