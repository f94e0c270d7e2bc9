import type { Certificate } from '../../contracts/certificate.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { certify, noiseOnCells } from '../../counts/certificate/certify.ts';
import { usualFloors } from '../../counts/certificate/floors.ts';
import { smallestSplit } from '../../counts/certificate/smallest-share.ts';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import { sbh2017, sbhParameters } from '../../test/oracles/sbh-2017.ts';
import { drawTable } from '../../test/support/draw-rows.ts';
import type { MarginRow, TableRows } from '../../test/support/table-of-rows.ts';
import type { Release } from './utility-measures.ts';

/** One design at the ε, the unit and the neighbours of a comparison. */
export type Design = {
  certificate: Certificate;
  /** Noise of the cells and, where they are drawn, of times and locations; with thresholds. */
  noise: { cells: string; totals: string };
  release(exact: ExactPartition, random: RandomSource): Release;
};

/** The same draw as the design before it, read otherwise. */
export const SAME_DRAW = '… totals from the noisy margins';
export const WITH_FLOORS = 'complete domain with floors';

/** Shares of ε = 8 in the release of 2017, and in the Oyster example. */
const SPLIT_2017 = { cells: '4', time: '2', location: '2' };
export const OYSTER_SPLIT = { cells: '31/5', time: '7/10', location: '11/10' };
/** In 2017 there were six, of which each had its part of δ. */
const TABLES_2017 = 6;

/**
 * All designs by name, for tap-ons and tap-offs and a unit that is replaced by another, with ε = 8. 2017 keeps the δ that
 * it claimed, so that its thresholds are those of the release.
 */
export function designsOf(unit: 'tap' | 'trip'): Record<string, Design> {
  const guarantee = { unit, neighbours: 'replace-one', publish: 'on+off', epsilon: '8' } as const;
  const histogram = { ...guarantee, mechanism: 'stability-histogram', delta: '1/1000000' } as const;
  const complete = { ...guarantee, mechanism: 'complete-domain', delta: '0' } as const;
  const slack = certify({ ...histogram, split: smallestSplit(histogram) });
  const floors = usualFloors({ hours: { bins: 4 } }, complete, noiseOnCells({ ...complete, split: OYSTER_SPLIT }));
  return {
    '2017: six tables': historicDesign(
      certify({ ...guarantee, mechanism: 'sbh-2017', delta: '3/4000000', split: SPLIT_2017 }),
    ),
    'derived, no remainders': tableDesign(certify({ ...histogram, split: {} })),
    'derived, with remainders': tableDesign(slack),
    [SAME_DRAW]: tableDesign(slack, ({ cells, margins }) => ({ cells, tapsInHours: 0, ...margins! })),
    'with remainders, shares of 2017': tableDesign(certify({ ...histogram, split: SPLIT_2017 })),
    'complete domain': tableDesign(certify({ ...complete, split: {} })),
    [WITH_FLOORS]: tableDesign(certify({ ...complete, split: OYSTER_SPLIT, ...floors })),
  };
}

/** Cells, times and locations drawn apart from the exact counts, tap-ons and tap-offs apart. */
function historicDesign(certificate: Certificate): Design {
  const tableDelta = toNumber(parseRational(certificate.delta)) / TABLES_2017;
  // sbhParameters takes the ε of a table with scale 2/ε.
  const parametersOf = (scale: string) => sbhParameters(2 / toNumber(parseRational(scale)), tableDelta);
  const { scale, marginScales } = certificate;
  const timeLocation = parametersOf(scale);
  const time = parametersOf(marginScales.time!);
  const location = parametersOf(marginScales.location!);
  const inWords = (one: typeof time) => `b = ${one.scale}, threshold ${one.threshold.toFixed(2)}`;
  return {
    certificate,
    noise: { cells: inWords(timeLocation), totals: inWords(time) },
    release({ counts }, random) {
      const draw = sbh2017(counts, { timeLocation, time, location }, random);
      return { cells: draw.timeLocation, tapsInHours: 0, time: draw.time, location: draw.location };
    },
  };
}

/** A design that draws one privatized table for each partition, as Opaline does. */
export function tableDesign(certificate: Certificate, read: (table: TableRows) => Release = releaseOf): Design {
  const { scale, marginScales, threshold, floor } = certificate;
  const limit = threshold === null ? 'no threshold' : `${floor === undefined ? 'T' : 'F'} = ${threshold}`;
  return {
    certificate,
    noise: {
      cells: `b = ${scale}, ${limit}`,
      totals: marginScales.time === undefined ? 'none' : `b = ${marginScales.time} and ${marginScales.location}`,
    },
    release: ({ partition, counts, domain }, random) => read(drawTable(partition, counts, domain, certificate, random)),
  };
}

/**
 * The totals that are derived from a table (C9): cells and time remainders by time; cells, hour rows and location
 * remainders by location.
 */
export function releaseOf({ cells, hours, remainder }: TableRows): Release {
  const hourRows = hours ?? [];
  return {
    cells,
    tapsInHours: hourRows.reduce((sum, [, , , count]) => sum + count, 0),
    time: [...cells.map(([tap, time, , count]): MarginRow => [tap, time, count]), ...(remainder?.time ?? [])],
    location: [
      ...[...cells, ...hourRows].map(([tap, , place, count]): MarginRow => [tap, place, count]),
      ...(remainder?.location ?? []),
    ],
  };
}
