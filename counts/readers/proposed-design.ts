import type { Certificate, EpsilonSplit, PrivacyParameters } from '../../contracts/certificate.ts';
import { nullAt } from '../../contracts/errors.ts';
import { formatRational, multiply, type Rational, rational } from '../../core/rational/rational.ts';
import { readEpsilon } from '../certificate/amounts.ts';
import { certify, noiseOnCells } from '../certificate/certify.ts';
import { usualFloors } from '../certificate/floors.ts';
import type { UnitRule } from '../certificate/l1-change.ts';
import { smallestSplit } from '../certificate/smallest-share.ts';
import {
  type CountedGrid,
  curvesOf,
  modelUtility,
  predictUtility,
  type Utility,
  type Volume,
} from './expected-utility.ts';

/** One way to publish: its bins and its certificate. `30-both` has bins of 30 minutes, and ε for cells and totals. */
export type Design = { name: string; grid: CountedGrid; certificate: Certificate };

/** What every design promises alike; δ is that of designs that need one. */
export type DesignRequest = UnitRule & Pick<PrivacyParameters, 'epsilon' | 'delta' | 'chosenOn' | 'rejects'>;

/** A complete domain of more cells takes minutes to draw, and shows little but noise. */
export const MOST_LISTED_CELLS = 20_000_000;

/**
 * Shares of ε for both totals, in parts of 80; cells have the rest. The first served real weeks best (docs/utility.md),
 * the others serve where few cells can be shown.
 */
const TOTALS = [
  { name: 'cells', time: 7n, location: 11n },
  { name: 'both', time: 18n, location: 22n },
  { name: 'totals', time: 28n, location: 32n },
] as const;
const CHECKS = 1n;
const PARTS = 80n;

/** Cells of the public domain of one release. */
export const domainCells = ({ days, ends, times, places }: CountedGrid): number =>
  days * ends * times.length * places.reduce((sum, count) => sum + count, 0);

/**
 * The designs that a guarantee allows on these grids, from the finest: complete domains with the usual floors, both
 * margins, and hour rows where an hour has several bins; of a domain that is too large to list, a stability histogram
 * with the split that costs its cells no threshold. With limits of rejects a small share pays for their noisy number.
 * One without a certificate is left out.
 */
export function possibleDesigns(
  { unit, maxTaps, neighbours, publish, rows, epsilon: whole, delta, chosenOn, rejects }: DesignRequest,
  grids: readonly CountedGrid[],
): Design[] {
  const request = { unit, maxTaps, neighbours, publish, rows, epsilon: whole, delta, chosenOn };
  const epsilon = readEpsilon(whole);
  const complete = { ...request, mechanism: 'complete-domain', delta: '0' } as const;
  const histogram = { ...request, mechanism: 'stability-histogram' } as const;
  const share = (parts: bigint): Rational => multiply(epsilon, rational(parts, PARTS));
  return grids.flatMap((grid) => {
    const bins = 60 / grid.minutes;
    const designs =
      domainCells(grid) > MOST_LISTED_CELLS
        ? [designOn(grid, 'histogram', () => certify({ ...histogram, split: smallestSplit(histogram) }))]
        : TOTALS.map(({ name, time, location }) =>
            designOn(grid, name, () => {
              const checks = rejects ? CHECKS : 0n;
              const cells = share(PARTS - time - location - checks);
              const split: EpsilonSplit = {
                cells: formatRational(cells),
                time: formatRational(share(time)),
                location: formatRational(share(location)),
                ...(rejects && { checks: formatRational(share(checks)) }),
              };
              const floors = usualFloors(
                bins < 2 ? {} : { hours: { bins } },
                complete,
                noiseOnCells({ ...complete, split }),
              );
              return certify({ ...complete, ...(rejects && { rejects }), split, ...floors });
            }),
          );
    return designs.flat();
  });
}

/** A design on a grid; none where it has no certificate. */
export function designOn(grid: CountedGrid, kind: string, make: () => Certificate): Design[] {
  const certificate = nullAt('CERTIFICATE_IMPOSSIBLE', make);
  return certificate ? [{ name: `${grid.minutes}-${kind}`, grid, certificate }] : [];
}

/** Finer bins may cost so much of the worth of a design that is worth anything. */
const FINENESS = 0.1;

/** Bins that serve where nobody says how many taps there are. */
const USUAL_MINUTES = 30;

/**
 * The design that is proposed: of those whose worth is near the best, the finest. The worth is the share of taps in cells
 * and hour rows, without the mean error of both totals. Null: no design has a certificate.
 */
export function proposeDesign(designs: readonly Design[], volume: Volume | null): Design | null {
  if (volume === null) return designs.find(({ grid }) => grid.minutes >= USUAL_MINUTES) ?? designs.at(-1) ?? null;
  const worths = designs.map(({ certificate, grid }) =>
    worth(modelUtility(certificate, grid, volume, curvesOf(certificate, grid))),
  );
  const best = Math.max(...worths);
  const minutes = designs.find((_, at) => worths[at]! >= best - (best > 0 ? FINENESS : 0))?.grid.minutes;
  const own = worths.map((value, at) => (designs[at]!.grid.minutes === minutes ? value : Number.NEGATIVE_INFINITY));
  return designs[own.indexOf(Math.max(...own))] ?? null;
}

/** Of 1 where all taps are in cells and totals are exact; totals that are all noise are worth nothing. */
export const worth = ({ cells, hours, time, location }: Utility): number =>
  cells + hours - (Math.min(1, time) + Math.min(1, location)) / 2;

/** A design with what it may show, where anything is known of how much there is. */
export type ExpectedDesign = Design & { expected?: ReturnType<typeof predictUtility> };

export const withUtility = (design: Design, volume: Volume | null): ExpectedDesign =>
  volume ? { ...design, expected: predictUtility(design.certificate, design.grid, volume) } : design;
