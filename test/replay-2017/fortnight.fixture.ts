import type { RandomSource } from '../../core/random/random-source.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import type { Tap } from '../../counts/tables/tap-tables.ts';

/** Test support: a synthetic fortnight in the form of the release of 2017, small enough to draw in a moment. */
export type Day = { mode: string; day: string; counts: CellCount[]; domain: PublicDomain };

const fortnight = Array.from({ length: 14 }, (_, index) =>
  index < 7 ? `2016-07-${25 + index}` : `2016-08-${String(index - 6).padStart(2, '0')}`,
);

const label = (quarter: number): string =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
const TIMES = Array.from({ length: 96 }, (_, quarter) => label(quarter));
const POSTCODES = Array.from({ length: 12 }, (_, index) => String(2000 + index));
/** Places with a few dozen taps a day, so that totals by place show their threshold too. */
const QUIET = Array.from({ length: 16 }, (_, index) => String(2300 + index));

/** The ferry that everybody knows: whoever boards at Manly leaves at Circular Quay half an hour later, and back. */
export const SERVICES = [
  { mode: 'ferry', from: 'Manly', to: 'Circular Quay', minutes: 30 },
  { mode: 'ferry', from: 'Circular Quay', to: 'Manly', minutes: 30 },
];

function ferryCounts(random: RandomSource): CellCount[] {
  return SERVICES.flatMap(({ from, to }) =>
    Array.from({ length: 60 }, (_, index) => 24 + index).flatMap((quarter): CellCount[] => {
      const riders = random.uint32() % 160;
      if (riders === 0) return [];
      return [
        ['on', label(quarter), from, riders],
        ['off', label(quarter + 2), to, riders],
      ];
    }),
  );
}

/** Buses: most bins hold few people, so that many are suppressed. */
function busCounts(random: RandomSource): CellCount[] {
  const taps: Tap[] = ['on', 'off'];
  const quiet = taps.flatMap((tap) =>
    QUIET.flatMap((postcode, place) =>
      ['07:30', '08:00', '17:15'].flatMap((time): CellCount[] => {
        const riders = random.uint32() % (8 + 2 * place);
        return riders === 0 ? [] : [[tap, time, postcode, riders]];
      }),
    ),
  );
  const busy = taps.flatMap((tap) =>
    POSTCODES.flatMap((postcode, place) =>
      Array.from({ length: 64 }, (_, index) => 24 + index).flatMap((quarter): CellCount[] => {
        const most = 4 + 12 * (place % 4);
        const riders = random.uint32() % most;
        return riders === 0 ? [] : [[tap, label(quarter), postcode, riders]];
      }),
    ),
  );
  return [...busy, ...quiet];
}

export function syntheticFortnight(random: RandomSource): Day[] {
  const domain = (locations: string[]): PublicDomain => ({ taps: ['on', 'off'], times: TIMES, locations });
  return fortnight.flatMap((day) => [
    { mode: 'bus', day, counts: busCounts(random), domain: domain([...POSTCODES, ...QUIET]) },
    { mode: 'ferry', day, counts: ferryCounts(random), domain: domain(['Manly', 'Circular Quay']) },
  ]);
}
