import type { Certificate } from '../../../contracts/certificate.ts';
import { computeOnce } from '../../../core/memory/function-cache.ts';
import { sumHalfWidth } from '../../../core/statistics/integer-sum.ts';
import { byPartition, type CountTable, totalOf } from '../../derive/count-table.ts';
import { sideOf } from '../../derive/table-lines.ts';
import { MECHANISMS, noiseOfCount } from '../../mechanisms/mechanisms.ts';

/** A true number of taps is between `low` and `high` with the confidence that was asked for; `noisy` is published. */
export type Estimate = { readonly noisy: number; readonly low: number; readonly high: number };

/** What the noisy margins of one partition say of all its taps, and of those at places that no list names. */
export type PartitionTotals = {
  readonly taps: Estimate;
  /** Null where no noisy total of the places was published, or nobody knows what unknown places are called. */
  readonly unknown: Estimate | null;
};

/** Published margins of one release with the noise that they were drawn with. */
export type NoisyMargins = {
  readonly margins: CountTable;
  readonly certificate: Pick<Certificate, 'mechanism' | 'marginScales'>;
  /** By mode: the member of its places that stands for all that no list names. */
  readonly unknownPlaces: ReadonlyMap<string, string>;
};

/** All margin rows of one kind of one partition. */
type Side = { scale: number; rows: number; sum: number };

/**
 * For each partition with noisy margins, by `mode/day`, intervals that each hold the true number with at least the given
 * confidence, whatever it is (noisy-totals.proof.md). Of the margins of times and those of places, both of which count
 * every tap, those with less noise are taken. Empty without margins. Cost: O(margins), and a law of sums for each number
 * of rows that differs.
 */
export function noisyTotals(
  { margins, certificate, unknownPlaces }: NoisyMargins,
  confidence: number,
): Map<string, PartitionTotals> {
  const { publishedNoise: noise } = MECHANISMS[certificate.mechanism];
  const widthOf = computeOnce(
    (scale: number, draws: number) => sumHalfWidth(noise, [[scale, draws]], confidence).halfWidth,
  );
  const { time, location } = certificate.marginScales;
  const scaleOf = (amount: string | undefined): number | null =>
    amount === undefined ? null : noiseOfCount(certificate.mechanism, amount).scale;
  const scales = { time: scaleOf(time), location: scaleOf(location) };
  const estimate = ({ sum, scale, rows }: Side): Estimate => {
    const width = widthOf(scale, rows);
    return { noisy: sum, low: sum - width, high: sum + width };
  };
  const totals = new Map<string, PartitionTotals>();
  for (const [partition, rows] of byPartition(margins)) {
    const place = unknownPlaces.get(partition.slice(0, partition.lastIndexOf('/')));
    const sides = sidesOf(rows, scales, place);
    const taps = [sides.times, sides.places].filter(({ rows: drawn }) => drawn > 0).sort(byNoise)[0];
    if (taps)
      totals.set(partition, {
        taps: estimate(taps),
        unknown: sides.unknown.rows > 0 ? estimate(sides.unknown) : null,
      });
  }
  return totals;
}

const byNoise = (a: Side, b: Side): number => a.rows * a.scale ** 2 - b.rows * b.scale ** 2;

function sidesOf(
  rows: CountTable,
  { time, location }: { time: number | null; location: number | null },
  unknownPlace: string | undefined,
) {
  const side = (scale: number | null, { count }: Pick<CountTable, 'count'>): Side =>
    scale === null ? { scale: 0, rows: 0, sum: 0 } : { scale, rows: count.length, sum: totalOf({ count }) };
  const places = sideOf(rows, 'location');
  const counts = places.count.filter((_, at) => places.locations[places.location[at]!] === unknownPlace);
  return {
    times: side(time, sideOf(rows, 'time')),
    places: side(location, places),
    unknown: side(location, { count: counts }),
  };
}
