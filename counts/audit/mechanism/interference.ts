import type { Certificate } from '../../../contracts/certificate.ts';
import type { Partition } from '../../../contracts/names.ts';
import { clockLabel } from '../../../core/calendar/time-bins.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { computeOnce } from '../../../core/memory/function-cache.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';
import type { CellCount } from '../../mechanisms/cell-counts.ts';
import type { LeftOutCount } from '../../mechanisms/left-out.ts';
import { MECHANISMS } from '../../mechanisms/mechanisms.ts';
import { makeNoise, type NamedNoise, noiseByName } from '../../mechanisms/noise.ts';
import type { PublicDomain } from '../../mechanisms/public-domain.ts';
import { listEnds } from '../../tables/tap-tables.ts';
import { countsAboutThreshold, farCount } from './shadow-layout.ts';
import type { RunCount } from './shadow-tallies.ts';

/** A mechanism under test that asks the caller for its noise. What it returns is all that is seen of a draw. */
export type MechanismUnderNoise = (
  noise: NamedNoise,
  partition: Partition,
  counts: readonly CellCount[],
  domain: PublicDomain,
  leftOut: readonly LeftOutCount[],
) => unknown;

/** Tables that are tried, each with one more tap in a cell of every kind of count. */
const TABLES = 4;
const TIMES = Array.from({ length: 12 }, (_, place) => clockLabel(15 * place));
const LOCATIONS = Array.from({ length: 10 }, (_, place) => `place ${place}`);
const PARTITION: Partition = { part: 'shadow', day: '2000-01-01' };

type Cell = [...key: Parameters<NamedNoise['cell']>, count: number];

/**
 * Draws made-up tables twice (C20): once as they are, and once with one tap more in a cell and the noise of everything
 * that counts it one less. What comes out is a function of noisy counts and public parameters if and only if both are
 * the same, byte for byte. The cell holds nothing, one tap, two, a count about the threshold or a large one; a cell
 * that was empty and had no noise gets noise that suppresses it. The second input comes in another order. Where the bound
 * leaves taps out, they are one more each time, too. Events are differences.
 */
export function countInterference(
  certificate: Certificate,
  random: RandomSource,
  mechanism: MechanismUnderNoise,
): RunCount {
  const kinds = [...countsAboutThreshold(certificate), farCount(certificate)];
  const domain = domainOf(certificate);
  const differs = (cells: readonly Cell[], place: number): boolean => {
    const noise = remember(noiseByName(makeNoise(certificate, random)));
    const draw = (input: NamedNoise, list: readonly Cell[], leftOut: number): string =>
      canonicalJson(mechanism(input, PARTITION, list.filter(hasTaps), domain, leftOutOf(certificate, domain, leftOut)));
    const more = cells.with(place, oneMore(cells[place]!));
    return draw(noise, cells, 0) !== draw(shift(noise, cells[place]!, certificate), more.toReversed(), 1);
  };
  const empty = cellsOf(domain, () => 0);
  const runs = Array.from({ length: TABLES }, (_, table) => {
    const cells = cellsOf(domain, (place) => kinds[(place + table) % kinds.length]!);
    const tests = kinds.map((_, kind) => differs(cells, (kinds.length * (7 * table + kind) + kind) % cells.length));
    return [...tests, differs(empty, (11 * table) % empty.length)];
  }).flat();
  return { events: runs.filter(Boolean).length, runs: runs.length };
}

/** Taps of each end that the bound leaves out; none where nothing is left out. */
const leftOutOf = ({ leftOutScale }: Certificate, { taps }: PublicDomain, count: number): LeftOutCount[] =>
  leftOutScale === undefined ? [] : taps.map((tap) => [tap, count]);

const domainOf = ({ publish }: Certificate): PublicDomain => ({
  taps: listEnds(publish),
  times: TIMES,
  locations: LOCATIONS,
});

const cellsOf = ({ taps, times, locations }: PublicDomain, countAt: (place: number) => number): Cell[] =>
  taps
    .flatMap((tap) => times.flatMap((time) => locations.map((location) => [tap, time, location] as const)))
    .map(([tap, time, location], place): Cell => [tap, time, location, countAt(place)]);

const hasTaps = ([, , , count]: Cell): boolean => count > 0;
const oneMore = ([tap, time, location, count]: Cell): Cell => [tap, time, location, count + 1];

/** Noise that answers the same each time it is asked for the same thing. */
const remember = (noise: NamedNoise): NamedNoise => ({
  cell: computeOnce((...key) => noise.cell(...key)),
  time: computeOnce((...key) => noise.time(...key)),
  location: computeOnce((...key) => noise.location(...key)),
  leftOut: computeOnce((tap) => noise.leftOut(tap)),
});

/**
 * The noise that goes with one tap more in a cell, and one more left out of each end. One that was empty, and had no
 * noise, has a noisy count now: it stays under T.
 */
function shift(
  noise: NamedNoise,
  [tap, time, location, count]: Cell,
  { mechanism, threshold }: Pick<Certificate, 'mechanism' | 'threshold'>,
): NamedNoise {
  const isNew = count === 0 && MECHANISMS[mechanism].emptyCells === 'never published';
  const own = (value: number): number => (isNew && threshold !== null ? Math.min(value, threshold - 2) : value - 1);
  return {
    cell: (...key) => {
      const value = noise.cell(...key);
      return key[0] === tap && key[1] === time && key[2] === location ? own(value) : value;
    },
    time: (...key) => noise.time(...key) - Number(key[0] === tap && key[1] === time),
    location: (...key) => noise.location(...key) - Number(key[0] === tap && key[1] === location),
    leftOut: (end) => noise.leftOut(end) - 1,
  };
}
