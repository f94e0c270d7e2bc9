import { requireRelation, type SeriesKind } from '../../contracts/kind.ts';
import { costUnder } from '../../counts/certificate/other-neighbours.ts';
import { UNITS } from '../../counts/certificate/units.ts';
import { MECHANISMS } from '../../counts/mechanisms/mechanisms.ts';
import { tapsSeries } from './series.ts';

/**
 * Taps of public transport: a part is a mode. A trip that begins before midnight may end in the next day; where no end is
 * published, each object feeds its own days. Which taps of a
 * card are counted depends on all its taps in the scope of the unit (C2).
 */
export const tapsKind: SeriesKind = {
  terms: (series) => {
    const { privacy, modes, source, bins } = tapsSeries(series);
    const { unit, neighbours, mechanism } = privacy;
    return {
      unit,
      neighbours,
      mechanism,
      parts: modes,
      scope: UNITS[unit].cardScope ?? 'partition',
      overlaps: source.rows === 'trips' && privacy.publish !== 'on',
      deliveryDays: source.deliveryDays,
      lists: Object.fromEntries(Object.entries(bins.locations).map(([mode, { dictionary }]) => [mode, dictionary])),
      ...(MECHANISMS[mechanism].whyNotReleased !== null && {
        refusal: `Nothing is drawn by ${mechanism}; take stability-histogram.`,
      }),
    };
  },
  cost: (series, neighbours) => {
    const { privacy, source } = tapsSeries(series);
    return costUnder({ ...privacy, rows: source.rows }, requireRelation('taps', neighbours));
  },
};
