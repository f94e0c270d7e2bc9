import { NEIGHBOURS } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { SeriesKind } from '../../contracts/kind.ts';
import type { Partition } from '../../contracts/names.ts';
import { EVERY_PART } from '../../core/ledger/budget.ts';
import { costUnder } from '../../counts/certificate/other-neighbours.ts';
import { UNITS } from '../../counts/certificate/units.ts';
import { drawnTogether } from './drawn-together.ts';
import { tapsSeries } from './series.ts';

/** Taps of public transport: a part is a mode. A trip that begins before midnight may end in the next day. */
export const tapsKind: SeriesKind = {
  terms: (series) => {
    const { unit, neighbours, mechanism } = tapsSeries(series).privacy;
    return { unit, neighbours, mechanism };
  },
  blocks: (series, days, partitions) => {
    const everyPart = (days: Iterable<string>): Partition[] => [...days].map((day) => ({ part: EVERY_PART, day }));
    switch (UNITS[tapsSeries(series).privacy.unit].cardScope) {
      case null:
        return [...partitions];
      case 'day':
        return everyPart(new Set(partitions.map(({ day }) => day)));
      case 'window':
        return everyPart(days);
    }
  },
  cost: (series, neighbours) => {
    const { privacy, source } = tapsSeries(series);
    const relation = NEIGHBOURS.find((name) => name === neighbours);
    if (relation) return costUnder({ ...privacy, rows: source.rows }, relation);
    throw new OpalineError('POLICY_REFUSED', `No cost of taps is known under the neighbour relation ${neighbours}.`);
  },
  parts: (series) => tapsSeries(series).modes,
  overlaps: (series) => tapsSeries(series).source.rows === 'trips',
  deliveryDays: (series) => tapsSeries(series).source.deliveryDays,
  drawnTogether: (series, days, partitions) => drawnTogether(tapsSeries(series), days, partitions),
};
