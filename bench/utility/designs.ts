import type { Certificate, EpsilonSplit, PrivacyParameters } from '../../contracts/certificate.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { divide, formatRational, multiply, parseRational, rational, toNumber } from '../../core/rational/rational.ts';
import { certify } from '../../counts/certificate/certificate.ts';
import { usualFloors } from '../../counts/certificate/floors.ts';
import { smallestSplit } from '../../counts/certificate/smallest-share.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import type { MarginRow, PrivatizedCell, TableRows } from '../../counts/tables/rows.ts';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import { type SbhParameters, sbh2017, sbhParameters } from '../../test/oracles/sbh-2017.ts';
import { drawTable } from '../../test/support/draw-rows.ts';
import { domainOf } from './domain.ts';

/**
 * What a reader gets of one partition: cells, totals of times and of locations, and the sum of the hour rows. A key that
 * is absent reads as 0, and rows of one key add up.
 */
export type Release = { cells: PrivatizedCell[]; tapsInHours: number; time: MarginRow[]; location: MarginRow[] };

export const DESIGNS = {
  '2017': '2017: six tables',
  derived: 'derived, no remainders',
  remainders: 'derived, with remainders',
  margins: '… totals from the noisy margins',
  shares2017: 'with remainders, shares of 2017',
  complete: 'complete domain',
  floors: 'complete domain with floors',
} as const;
export type DesignName = keyof typeof DESIGNS;

/** One design at the ε, the unit and the neighbours of a comparison. */
export type Design = {
  name: DesignName;
  certificate: Certificate;
  /** Noise of the cells and, where they are drawn, of times and locations; with thresholds. */
  noise: { cells: string; totals: string };
  release(exact: ExactPartition, random: RandomSource): Release;
};

/** The unit that is protected, and the ε that every design spends. */
export type Guarantee = Pick<PrivacyParameters, 'unit' | 'neighbours' | 'publish' | 'epsilon'>;

/** 2017 keeps the δ that it claimed, so that its thresholds are those of the release; the complete domain needs none. */
const DELTA = { historic: '3/4000000', threshold: '1/1000000', complete: '0' };

export function designsOf(guarantee: Guarantee): Design[] {
  const histogram = { ...guarantee, mechanism: 'stability-histogram', delta: DELTA.threshold } as const;
  const slack = certify({ ...histogram, split: smallestSplit(histogram) });
  return [
    historicDesign(guarantee),
    tableDesign('derived', certify({ ...histogram, split: {} })),
    tableDesign('remainders', slack),
    tableDesign('margins', slack),
    tableDesign('shares2017', certify({ ...histogram, split: historicShares(guarantee) })),
    tableDesign('complete', certify({ ...guarantee, mechanism: 'complete-domain', delta: DELTA.complete, split: {} })),
    tableDesign('floors', withFloors(guarantee)),
  ];
}

/** Shares of ε as the Oyster example has them, 31/5 + 7/10 + 11/10 of 8, and the usual floors for hours of four bins. */
function withFloors(guarantee: Guarantee): Certificate {
  const share = (part: bigint): string =>
    formatRational(multiply(parseRational(guarantee.epsilon), rational(part, 80n)));
  const request = { ...guarantee, mechanism: 'complete-domain', delta: DELTA.complete } as const;
  const split = { cells: share(62n), time: share(7n), location: share(11n) };
  return certify({
    ...request,
    split,
    ...usualFloors({ hours: { bins: 4 } }, request, parseRational(split.cells)),
  });
}

/** Half of ε for the cells and a quarter each for times and locations, as in 2017. */
function historicShares({ epsilon }: Guarantee): Partial<EpsilonSplit> {
  const quarter = formatRational(divide(parseRational(epsilon), rational(4n)));
  return { time: quarter, location: quarter };
}

/** Cells, times and locations drawn apart from the exact counts, tap-ons and tap-offs apart. */
function historicDesign(guarantee: Guarantee): Design {
  const certificate = certify({
    ...guarantee,
    mechanism: 'sbh-2017',
    delta: DELTA.historic,
    split: historicShares(guarantee),
  });
  const tables = guarantee.publish === 'on+off' ? 6 : 3;
  const tableDelta = toNumber(parseRational(certificate.delta)) / tables;
  // sbhParameters takes the ε of a table with scale 2/ε.
  const parametersOf = (scale: string) => sbhParameters(2 / toNumber(parseRational(scale)), tableDelta);
  const { scale, marginScales } = certificate;
  const timeLocation = parametersOf(scale);
  const time = parametersOf(marginScales.time!);
  const location = parametersOf(marginScales.location!);
  const inWords = ({ scale, threshold }: SbhParameters) => `b = ${scale}, threshold ${threshold.toFixed(2)}`;
  return {
    name: '2017',
    certificate,
    noise: { cells: inWords(timeLocation), totals: inWords(time) },
    release({ counts }, random) {
      const drawn = sbh2017(counts, { timeLocation, time, location }, random);
      return { cells: drawn.timeLocation, tapsInHours: 0, time: drawn.time, location: drawn.location };
    },
  };
}

/** A design that draws one privatized table for each partition, as Opaline does. */
function tableDesign(name: Exclude<DesignName, '2017'>, certificate: Certificate): Design {
  const { scale, marginScales, threshold } = certificate;
  return {
    name,
    certificate,
    noise: {
      cells: `b = ${scale}, ${threshold === null ? 'no threshold' : `${certificate.floor === undefined ? 'T' : 'F'} = ${threshold}`}`,
      totals: marginScales.time === undefined ? 'none' : `b = ${marginScales.time} and ${marginScales.location}`,
    },
    release({ partition, counts, domain }, random) {
      const table = drawTable(partition, counts, domain, certificate, random);
      return name === 'margins' && table.margins
        ? { cells: table.cells, tapsInHours: 0, ...table.margins }
        : releaseOf(table, domain);
    },
  };
}

/**
 * The totals that are derived from a table (C9): cells and time remainders by time; cells, hour rows and location
 * remainders by location.
 */
export function releaseOf({ cells, hours, remainder }: TableRows, domain: PublicDomain): Release {
  const { time, location } = domainOf(domain).totalsOf(cells);
  const hourRows = hours ?? [];
  return {
    cells,
    tapsInHours: hourRows.reduce((sum, [, , , count]) => sum + count, 0),
    time: [...time, ...(remainder?.time ?? [])],
    location: [
      ...location,
      ...hourRows.map(([tap, , place, count]): MarginRow => [tap, place, count]),
      ...(remainder?.location ?? []),
    ],
  };
}
