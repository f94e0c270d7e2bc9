import type { Certificate, EpsilonSplit, PrivacyParameters } from '../../contracts/certificate.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { formatRational, multiply, parseRational, rational, toNumber } from '../../core/rational/rational.ts';
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

/** The unit that is protected, and the ε that every design spends. */
export type Guarantee = Pick<PrivacyParameters, 'unit' | 'neighbours' | 'publish' | 'epsilon'>;

/** The same draw as the design before it, read otherwise. */
export const SAME_DRAW = '… totals from the noisy margins';
export const WITH_FLOORS = 'complete domain with floors';

/** All designs by name. 2017 keeps the δ that it claimed, so that its thresholds are those of the release. */
export function designsOf(guarantee: Guarantee): Record<string, Design> {
  /** Parts of ε, in eightieths. */
  const split = (cells: bigint, time: bigint, location: bigint): EpsilonSplit => {
    const share = (part: bigint) => formatRational(multiply(parseRational(guarantee.epsilon), rational(part, 80n)));
    return { cells: share(cells), time: share(time), location: share(location) };
  };
  const of2017 = split(40n, 20n, 20n);
  const ofOyster = split(62n, 7n, 11n);
  const histogram = { ...guarantee, mechanism: 'stability-histogram', delta: '1/1000000' } as const;
  const complete = { ...guarantee, mechanism: 'complete-domain', delta: '0' } as const;
  const slack = certify({ ...histogram, split: smallestSplit(histogram) });
  const floors = usualFloors({ hours: { bins: 4 } }, complete, noiseOnCells({ ...complete, split: ofOyster }));
  return {
    '2017: six tables': historicDesign(
      certify({ ...guarantee, mechanism: 'sbh-2017', delta: '3/4000000', split: of2017 }),
      guarantee.publish === 'on+off' ? 6 : 3,
    ),
    'derived, no remainders': tableDesign(certify({ ...histogram, split: {} })),
    'derived, with remainders': tableDesign(slack),
    [SAME_DRAW]: tableDesign(slack, ({ cells, margins }) => ({ cells, tapsInHours: 0, ...margins! })),
    'with remainders, shares of 2017': tableDesign(certify({ ...histogram, split: of2017 })),
    'complete domain': tableDesign(certify({ ...complete, split: {} })),
    [WITH_FLOORS]: tableDesign(certify({ ...complete, split: ofOyster, ...floors })),
  };
}

/** Cells, times and locations drawn apart from the exact counts, tap-ons and tap-offs apart. */
function historicDesign(certificate: Certificate, tables: number): Design {
  const tableDelta = toNumber(parseRational(certificate.delta)) / tables;
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
