import type { Tap } from '../../../counts/tables/tap-tables.ts';
import { drawTable, type Noise } from '../../support/draw-rows.ts';
import { seededSource } from '../../support/seeded-source.ts';
import type { ShadowMechanism } from '../../support/shadow-run.ts';
import { CERTIFICATE } from '../honest-release.fixture.ts';
import { type Mutant, noisy } from './mutant.fixture.ts';

type Place = Parameters<ShadowMechanism>[0];

/** A number for a text; texts that differ give others. */
const seedOf = (text: string, seed: number): number =>
  [...`${seed} ${text}`].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 7);

/** Partitions with the same name draw the same noise. Domains of one shape alone meet: others have other names. */
const sharing =
  (nameOf: (place: Place) => string) =>
  (_: unknown, seed: number): ShadowMechanism =>
  (place, counts, domain) => {
    const shape = `${domain.times.length} ${domain.locations.length}`;
    return drawTable(place, counts, domain, CERTIFICATE, seededSource(seedOf(`${shape} ${nameOf(place)}`, seed)));
  };

const dayOf = ({ day, window }: Place): number => (Date.parse(day) - Date.parse(window)) / 86_400_000;
const weekOf = ({ window }: Place): number => Date.parse(window) / (7 * 86_400_000);

/** Names of everything but what a mutant forgets. */
const placeName = (place: Place, change: { day?: number; version?: number; part?: string; week?: number }): string =>
  Object.values({ day: dayOf(place), version: place.version, part: place.part, week: weekOf(place), ...change }).join(
    ' ',
  );

/** The values that were drawn, by tap in their order; `reuse` says which earlier one to take instead of a new one. */
function remembering(draw: (tap: Tap) => number, reuse: (drawn: readonly number[]) => number | undefined) {
  const lines = new Map<string, number[]>();
  return (tap: Tap): number => {
    const drawn = lines.get(tap) ?? [];
    lines.set(tap, drawn);
    const value = reuse(drawn) ?? draw(tap);
    drawn.push(value);
    return value;
  };
}

/** Every second pair of values is the one before it. */
const twoBefore = (drawn: readonly number[]): number | undefined => (drawn.length % 4 >= 2 ? drawn.at(-2) : undefined);

/** The taps of a key are drawn one after the other, those of one tap first: the second tap takes what the first had. */
function sharedByTaps(draw: Noise['time']): Noise['time'] {
  const known = new Map<string, number>();
  return (tap, key) => {
    const value = known.get(key) ?? draw(tap, key);
    known.set(key, value);
    return value;
  };
}

/** Noise that comes twice, further apart than in neighbouring cells. */
export const REUSE_MUTANTS: Mutant[] = [
  {
    check: 'mechanism-independence',
    name: 'every second pair of cells with the noise of the pair before it',
    mechanism: noisy((noise) => ({ cell: remembering((tap) => noise.cell(tap, '', ''), twoBefore) })),
  },
  {
    check: 'mechanism-independence',
    name: 'every second pair of totals with the noise of the pair before it',
    mechanism: noisy((noise) => ({ time: remembering((tap) => noise.time(tap, ''), twoBefore) })),
  },
  {
    check: 'mechanism-independence',
    name: 'totals of places with the noise of the totals of times',
    mechanism: noisy((noise) => {
      const times = new Map<string, number[]>();
      return {
        time: (tap, time) => {
          const value = noise.time(tap, time);
          times.set(tap, [...(times.get(tap) ?? []), value]);
          return value;
        },
        location: (tap, location) => times.get(tap)?.shift() ?? noise.location(tap, location),
      };
    }),
  },
  {
    check: 'mechanism-independence',
    name: 'totals of times with one draw for both taps',
    mechanism: noisy((noise) => ({ time: sharedByTaps(noise.time) })),
  },
  {
    check: 'mechanism-independence',
    name: 'totals of places with one draw for both taps',
    mechanism: noisy((noise) => ({ location: sharedByTaps(noise.location) })),
  },
  {
    check: 'mechanism-independence',
    name: 'the noise of the day before yesterday',
    mechanism: sharing((place) => placeName(place, { day: dayOf(place) % 2 })),
  },
  {
    check: 'mechanism-independence',
    name: 'the noise of the version before',
    mechanism: sharing((place) => placeName(place, { version: Math.ceil(place.version / 2) })),
  },
  {
    check: 'mechanism-independence',
    name: 'the noise of the version before the last',
    mechanism: sharing((place) => placeName(place, { version: place.version % 2 })),
  },
  {
    check: 'mechanism-independence',
    name: 'the noise of another mode',
    mechanism: sharing((place) => placeName(place, { part: 'every part' })),
    tables: 96,
  },
  {
    check: 'mechanism-independence',
    name: 'the noise of the week before',
    mechanism: sharing((place) => placeName(place, { week: 0 })),
    tables: 192,
  },
];
