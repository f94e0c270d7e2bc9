import { describe, expect, it } from 'vitest';
import { clockGaps, isTimeZone, publishNotBefore, timeLabels } from './time-zone.ts';

const series = (timeZone: string, starts = '00:00', ends = '24:00', minutes: 15 | 60 = 15) => ({
  timeZone,
  day: { starts, ends },
  bins: { minutes, locations: {} },
});

describe('time labels', () => {
  it('are 92 on the day the clock goes forward and 96 when it goes back', () => {
    const forward = timeLabels(series('Australia/Sydney'), '2026-10-04');
    expect(forward).toHaveLength(92);
    expect(forward.slice(7, 10)).toEqual(['01:45', '03:00', '03:15']);
    const back = timeLabels(series('Australia/Sydney'), '2026-04-05');
    expect(back).toHaveLength(96);
    expect(new Set(back).size).toBe(96);
    expect(timeLabels(series('Europe/London'), '2026-03-29')).toHaveLength(92);
    expect(timeLabels(series('UTC'), '2026-10-04')).toHaveLength(96);
  });

  it('put a change of the next morning into the traffic day before it', () => {
    const before = timeLabels(series('Australia/Sydney', '04:00', '28:00'), '2026-10-03');
    expect(before).toHaveLength(92);
    expect(before).toContain('25:45');
    expect(before).not.toContain('26:00');
    expect(timeLabels(series('Australia/Sydney', '04:00', '28:00'), '2026-10-04')).toHaveLength(96);
  });

  it('know half-hour changes, changes at midnight and days that a country skipped', () => {
    expect(timeLabels(series('Australia/Lord_Howe'), '2026-10-04')).toHaveLength(94);
    expect(timeLabels(series('Australia/Lord_Howe', '00:00', '24:00', 60), '2026-10-04')).toHaveLength(24);
    expect(timeLabels(series('America/Sao_Paulo'), '2018-11-04')[0]).toBe('01:00');
    expect(timeLabels(series('America/Sao_Paulo'), '2018-11-03')).toHaveLength(96);
    expect(clockGaps('Pacific/Apia', '2011-12-30', '00:00', '24:00')).toEqual([{ start: 0, end: 1440 }]);
    expect(timeLabels(series('Pacific/Apia'), '2011-12-31')).toHaveLength(96);
  });

  it('agree with Intl, minute by minute: a label is there iff some moment shows it', () => {
    const shown = (timeZone: string, day: string): Set<string> => {
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
      const noon = Date.parse(`${day}T12:00:00Z`);
      const labels = new Set<string>();
      for (let quarter = -200; quarter <= 200; quarter += 1) {
        const [date, time] = format.format(noon + quarter * 900_000).split(' ');
        if (date === day) labels.add(time!);
      }
      return labels;
    };
    for (const zone of ['Australia/Sydney', 'Europe/London', 'America/New_York', 'Asia/Tehran', 'Pacific/Auckland']) {
      for (const day of [
        '2021-03-14',
        '2021-03-22',
        '2021-03-28',
        '2021-04-04',
        '2021-10-03',
        '2021-09-26',
        '2021-11-07',
      ]) {
        expect(timeLabels(series(zone), day), `${zone} ${day}`).toEqual([...shown(zone, day)].sort());
      }
    }
  });
});

describe('time zones', () => {
  it('are known by their region, never by a bare offset', () => {
    expect(['UTC', 'Europe/London', 'Australia/Sydney'].every(isTimeZone)).toBe(true);
    expect(['', '+10:00', 'Nowhere/City', 'Sydney', '../x'].some(isTimeZone)).toBe(false);
  });
});

describe('embargo', () => {
  const weekly = {
    timeZone: 'Australia/Sydney',
    window: { days: 7, firstWeekday: 'monday', lagDays: 0 },
    publication: { title: 'Taps', licence: 'CC-BY-4.0', notes: [], at: { daysAfterWindow: 3, time: '09:30' } },
  } as const;

  it('is a moment in the zone of the series, on either side of a change', () => {
    expect(publishNotBefore({ ...weekly, publication: { ...weekly.publication, notes: [] } }, '2026-03-30')).toBe(
      '2026-04-07T23:30:00Z',
    );
    expect(publishNotBefore({ ...weekly, publication: { ...weekly.publication, notes: [] } }, '2026-03-23')).toBe(
      '2026-03-31T22:30:00Z',
    );
  });

  it('is null when the series has none', () => {
    expect(
      publishNotBefore({ ...weekly, publication: { title: 'Taps', licence: 'x', notes: [] } }, '2026-03-30'),
    ).toBeNull();
  });
});
