import type { SeriesKind } from '../../contracts/kind.ts';
import { drawnTogether } from './drawn-together.ts';
import { tapsSeries } from './series.ts';

/** Taps of public transport: a part is a mode. A trip that begins before midnight may end in the next day. */
export const tapsKind: SeriesKind = {
  parts: (series) => tapsSeries(series).modes,
  overlaps: (series) => tapsSeries(series).source.rows === 'trips',
  drawnTogether: (series, days, partitions) => drawnTogether(tapsSeries(series), days, partitions),
};
