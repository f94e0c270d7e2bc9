import type { Tap } from '../../contracts/names.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import type { MarginRow } from '../../counts/tables/rows.ts';

type Cell = readonly [tap: Tap, time: string, location: string, count: number];

/** The cells of a public domain by their places, so that millions of them are added up without a name for each. */
export type Domain = {
  cells: number;
  /** Throws TypeError for a cell outside. */
  placeOf(cell: Cell): number;
  /** Sums of cells by time and by location, all of the domain, in code-unit order of tap and key. */
  totalsOf(cells: readonly Cell[]): { time: MarginRow[]; location: MarginRow[] };
};

export function domainOf(domain: PublicDomain): Domain {
  const [taps, times, locations] = [domain.taps, domain.times, domain.locations].map((names) => [...names].sort());
  const placesOf = (names: readonly string[]) => new Map(names.map((name, place) => [name, place]));
  const [tapPlaces, timePlaces, locationPlaces] = [placesOf(taps!), placesOf(times!), placesOf(locations!)];
  const at = (places: ReadonlyMap<string, number>, name: string): number => {
    const place = places.get(name);
    if (place === undefined) throw new TypeError('a cell lies outside the public domain');
    return place;
  };
  const rowsOf = (keys: readonly string[], sums: Float64Array): MarginRow[] =>
    taps!.flatMap((tap, t) => keys.map((key, k): MarginRow => [tap as Tap, key, sums[t * keys.length + k]!]));
  return {
    cells: taps!.length * times!.length * locations!.length,
    placeOf: ([tap, time, location]) =>
      (at(tapPlaces, tap) * times!.length + at(timePlaces, time)) * locations!.length + at(locationPlaces, location),
    totalsOf: (cells) => {
      const byTime = new Float64Array(taps!.length * times!.length);
      const byLocation = new Float64Array(taps!.length * locations!.length);
      for (const [tap, time, location, count] of cells) {
        byTime[at(tapPlaces, tap) * times!.length + at(timePlaces, time)]! += count;
        byLocation[at(tapPlaces, tap) * locations!.length + at(locationPlaces, location)]! += count;
      }
      return { time: rowsOf(times!, byTime), location: rowsOf(locations!, byLocation) };
    },
  };
}
