import { describe, expect, it } from 'vitest';
import type { DrawScope } from '../../contracts/kind.ts';
import { expandToScope } from './draw-scope.ts';

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'];
const together = (scope: DrawScope, ...paths: string[]): string[] => {
  const partitions = paths.map((path) => {
    const [part = '', day = ''] = path.split('/');
    return { part, day: `2026-03-0${day}` };
  });
  return expandToScope({ parts: ['bus', 'ferry'], scope }, DAYS, partitions).map(
    ({ part, day }) => `${part}/${day.slice(-1)}`,
  );
};

describe('partitions that are drawn together', () => {
  it('@contract C2: a day in all parts, or the window', () => {
    expect(together('day', 'ferry/3')).toEqual(['bus/3', 'ferry/3']);
    expect(together('day', 'ferry/4', 'bus/2', 'bus/4')).toEqual(['bus/2', 'bus/4', 'ferry/2', 'ferry/4']);
    expect(together('window', 'ferry/3')).toEqual(['bus/2', 'bus/3', 'bus/4', 'ferry/2', 'ferry/3', 'ferry/4']);
  });

  it('are each alone where a unit is in one, and named once', () => {
    expect(together('partition', 'ferry/3', 'bus/4', 'ferry/3')).toEqual(['bus/4', 'ferry/3']);
  });

  it('are none for none', () => {
    for (const scope of ['partition', 'day', 'window'] as const) expect(together(scope)).toEqual([]);
  });
});
