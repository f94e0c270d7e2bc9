import { describe, expect, it } from 'vitest';
import type { Unit } from '../../contracts/certificate.ts';
import { drawnTogether } from './drawn-together.ts';

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'];
const together = (unit: Unit, ...paths: string[]): string[] => {
  const partitions = paths.map((path) => {
    const [part = '', day = ''] = path.split('/');
    return { part, day: `2026-03-0${day}` };
  });
  const rule = { modes: ['bus', 'ferry'], privacy: { unit } };
  return drawnTogether(rule, DAYS, partitions).map(({ part, day }) => `${part}/${day.slice(-1)}`);
};

describe('partitions that are drawn together', () => {
  it('@contract C2: a day in all modes under card-day, the window under card-window', () => {
    expect(together('card-day', 'ferry/3')).toEqual(['bus/3', 'ferry/3']);
    expect(together('card-day', 'ferry/4', 'bus/2', 'bus/4')).toEqual(['bus/2', 'bus/4', 'ferry/2', 'ferry/4']);
    expect(together('card-window', 'ferry/3')).toEqual(['bus/2', 'bus/3', 'bus/4', 'ferry/2', 'ferry/3', 'ferry/4']);
  });

  it('are each alone under tap and trip, and named once', () => {
    for (const unit of ['tap', 'trip'] as const)
      expect(together(unit, 'ferry/3', 'bus/4', 'ferry/3')).toEqual(['bus/4', 'ferry/3']);
  });

  it('are none for none', () => {
    for (const unit of ['trip', 'card-day', 'card-window'] as const) expect(together(unit)).toEqual([]);
  });
});
