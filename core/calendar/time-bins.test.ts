import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binLabels, clockLabel, clockMinutes } from './time-bins.ts';

describe('time bins', () => {
  it('cover a calendar day', () => {
    const labels = binLabels('00:00', '24:00', 15, []);
    expect(labels).toHaveLength(96);
    expect([labels[0], labels[1], labels.at(-1)]).toEqual(['00:00', '00:15', '23:45']);
  });

  it('count on past midnight in a traffic day, its end excluded', () => {
    expect(binLabels('04:00', '28:00', 15, []).at(-1)).toBe('27:45');
    expect(binLabels('04:00', '28:30', 15, []).at(-1)).toBe('28:15');
  });

  it('leave out what the clock jumps over, and only bins that are jumped over whole', () => {
    const gap = { start: 120, end: 180 };
    expect(binLabels('00:00', '24:00', 15, [gap])).toHaveLength(92);
    expect(binLabels('00:00', '24:00', 15, [gap])).not.toContain('02:45');
    expect(binLabels('00:00', '24:00', 15, [gap])).toContain('03:00');
    expect(binLabels('00:00', '24:00', 60, [{ start: 120, end: 150 }])).toHaveLength(24);
    expect(binLabels('00:00', '24:00', 15, [{ start: 0, end: 1440 }])).toEqual([]);
  });

  it('are in lexicographic order, without repeats', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(5, 10, 15, 20, 30, 60),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 1, max: 35 }),
        (bin, start, end) => {
          const labels = binLabels(clockLabel(start * 60), clockLabel(end * 60), bin, []);
          return (
            labels.length === Math.max(0, ((end - start) * 60) / bin) &&
            labels.every((label, index) => index === 0 || labels[index - 1]! < label)
          );
        },
      ),
    );
  });

  it('write and read minutes after midnight', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 5999 }), (minute) => clockMinutes(clockLabel(minute)) === minute));
    expect(clockLabel(1710)).toBe('28:30');
    for (const text of ['4:00', '04:60', '0400', '']) expect(() => clockMinutes(text)).toThrow(RangeError);
  });
});
