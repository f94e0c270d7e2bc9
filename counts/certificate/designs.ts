import type { Certificate, EpsilonSplit, PrivacyParameters } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { formatRational, multiply, type Rational, rational } from '../../core/rational/rational.ts';
import { readEpsilon } from './amounts.ts';
import { certify } from './certify.ts';
import { usualFloors } from './floors.ts';
import type { UnitRule } from './l1-change.ts';
import { smallestSplit } from './smallest-share.ts';

/** One way to publish, in words, and its certificate. */
export type Design = { name: string; certificate: Certificate };

/** What every design promises alike; δ is that of designs that need one. */
export type DesignRequest = UnitRule & Pick<PrivacyParameters, 'epsilon' | 'delta' | 'chosenOn'>;

/** Shares of ε that served real weeks best (docs/utility.md): of 80 parts 62 for cells, 7 for times, 11 for locations. */
const SERVED = { cells: 62n, time: 7n, location: 11n };
const PARTS = 80n;

/**
 * The designs that one ε and unit allow, side by side: the stability histogram with all of ε for its cells, with the
 * split that costs its cells no threshold, and with that of the real weeks; and the complete domain with the usual floors
 * and either. `bins` are the time bins of an hour; hour rows need two. None counts left-out or rejected taps. One
 * without a certificate is left out.
 */
export function possibleDesigns(
  { unit, maxTaps, neighbours, publish, rows, epsilon: whole, delta, chosenOn }: DesignRequest,
  bins: number,
): Design[] {
  const guarantee = { unit, maxTaps, neighbours, publish, rows, epsilon: whole, chosenOn };
  const epsilon = readEpsilon(whole);
  const histogram = { ...guarantee, mechanism: 'stability-histogram', delta } as const;
  const domain = { ...guarantee, mechanism: 'complete-domain', delta: '0' } as const;
  const served = servedSplit(epsilon);
  const withFloors = (split: Partial<EpsilonSplit>, cells: Rational): Certificate => {
    const floors = usualFloors(bins < 2 ? {} : { hours: { bins } }, domain, cells);
    return certify({ ...domain, split, ...floors });
  };
  const designs: [name: string, certificate: () => Certificate][] = [
    ['stability histogram', () => certify({ ...histogram, split: {} })],
    ['stability histogram, split by its threshold', () => certify({ ...histogram, split: smallestSplit(histogram) })],
    ['stability histogram, split 62 : 7 : 11', () => certify({ ...histogram, split: served })],
    ['complete domain with floors', () => withFloors({}, epsilon)],
    [
      'complete domain with floors, split 62 : 7 : 11',
      () => withFloors(served, multiply(epsilon, rational(SERVED.cells, PARTS))),
    ],
  ];
  return designs.flatMap(([name, make]) => {
    const certificate = ifPossible(make);
    return certificate ? [{ name, certificate }] : [];
  });
}

const servedSplit = (epsilon: Rational): EpsilonSplit => {
  const share = (part: bigint): string => formatRational(multiply(epsilon, rational(part, PARTS)));
  return { cells: share(SERVED.cells), time: share(SERVED.time), location: share(SERVED.location) };
};

function ifPossible(make: () => Certificate): Certificate | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof OpalineError && error.code === 'CERTIFICATE_IMPOSSIBLE') return null;
    throw error;
  }
}
