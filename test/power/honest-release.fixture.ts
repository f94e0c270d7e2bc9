import type { Certificate, PrivacyParameters } from '../../contracts/certificate.ts';
import { FILES, type Partition, partitionPath } from '../../contracts/names.ts';
import type { LinearProgramSolver } from '../../core/linear-program/solver.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { countInterference, type MechanismUnderNoise } from '../../counts/audit/mechanism/interference.ts';
import type { RunCount, ShadowCounts } from '../../counts/audit/mechanism/shadow-tallies.ts';
import { certify } from '../../counts/certificate/certify.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import { deriveRows, drawTable, drawTableWith } from '../support/draw-rows.ts';
import type { RowSubject } from '../support/row-subject.ts';
import { seededSource } from '../support/seeded-source.ts';
import { runShadow, type ShadowMechanism } from '../support/shadow-run.ts';
import type { TableRows } from '../support/table-of-rows.ts';

/**
 * A small release of ferry trips, drawn twice by the production mechanism, with all that an attacker can know of it. It
 * has no stores and no stages, unlike a ReleaseBench: the power of a check is counted over thousands of draws, and each
 * is one call of the mechanism and one of the check.
 */
export const PARAMETERS = {
  mechanism: 'stability-histogram',
  unit: 'trip',
  neighbours: 'replace-one',
  publish: 'on+off',
  epsilon: '4',
  delta: '1/1000000',
  split: { cells: '16/5', time: '2/5', location: '2/5' },
} as const satisfies PrivacyParameters;

export const CERTIFICATE: Certificate = certify(PARAMETERS);

/** What a release is drawn under. */
export type Guarantee = {
  parameters: PrivacyParameters;
  certificate: Certificate;
  /** What the production code did with noise that was handed in: it is deterministic, so that one run is enough. */
  interference: RunCount;
};
const guaranteeOf = (parameters: PrivacyParameters): Guarantee => {
  const certificate = certify(parameters);
  const underNoise: MechanismUnderNoise = (noise, partition, counts, domain, leftOut) =>
    drawTableWith(noise, partition, counts, domain, certificate, leftOut);
  return { parameters, certificate, interference: countInterference(certificate, seededSource(8), underNoise) };
};
export const HISTOGRAM: Guarantee = guaranteeOf(PARAMETERS);
/** The same noise of cells, and no totals: their fit takes most of the time of many small tables. */
export const CELLS_ALONE: Guarantee = guaranteeOf({ ...PARAMETERS, epsilon: '16/5', split: { cells: '16/5' } });
/** Every cell of the domain with noise, and δ = 0. */
export const COMPLETE_DOMAIN: Guarantee = guaranteeOf({ ...PARAMETERS, mechanism: 'complete-domain', delta: '0' });
export const THRESHOLD = CERTIFICATE.threshold!;

export const PARTITIONS: Partition[] = ['2026-03-02', '2026-03-03', '2026-03-04'].map((day) => ({
  part: 'ferry',
  day,
}));

const SAILINGS = ['07:00', '07:15', '07:30', '07:45'];
const TIMES = [...SAILINGS, '08:00', '08:15'];
export const DOMAIN: PublicDomain = {
  taps: ['off', 'on'],
  times: TIMES,
  locations: ['Manly', 'Mosman', 'Quay', 'Taronga', 'UNKNOWN'],
};
export const SERVICES = [{ mode: 'ferry', from: 'Manly', to: 'Quay', minutes: 30 }];

/** True counts: who boards at Manly alights at the Quay half an hour later; other places are small, large or empty. */
export const COUNTS: CellCount[] = [
  ...SAILINGS.flatMap((time, sailing): CellCount[] => [
    ['on', time, 'Manly', 60 + 40 * sailing],
    ['off', TIMES[sailing + 2]!, 'Quay', 60 + 40 * sailing],
    ['on', time, 'Taronga', 100 + sailing],
    ['off', time, 'Manly', 80 + 7 * sailing],
  ]),
  ['on', '07:00', 'Mosman', 3],
  ['on', '08:15', 'Quay', 1],
  ['off', '08:00', 'Taronga', THRESHOLD],
  ['off', '07:15', 'UNKNOWN', 7],
];

export type Draw = (partition: Partition) => TableRows;

export const honestDraw =
  (random: RandomSource, certificate = CERTIFICATE): Draw =>
  (partition) =>
    drawTable(partition, COUNTS, DOMAIN, certificate, random);

export const honestMechanism =
  (random: RandomSource, certificate = CERTIFICATE): ShadowMechanism =>
  (...table) =>
    drawTable(...table, certificate, random);

/** What the shadow activity would report about a mechanism, from fewer tables than in production. */
export const shadowOf = (mechanism: ShadowMechanism, tables: number, guarantee = HISTOGRAM): ShadowCounts => ({
  ...runShadow(guarantee.certificate, mechanism, tables),
  interference: guarantee.interference,
});

/** Another series that counts the same trips, in time bins of its own, and paid for it. */
export const siblingOf = (
  draw: Draw,
  minutes = 15,
  certificate = CERTIFICATE,
): RowSubject['knowledge']['siblings'][number] => ({
  release: 'ferry-counts/2026-03-02/v1',
  certificate,
  cells: deriveRows(PARTITIONS.map(draw)).cells,
  minutes,
  covering: new Set(['ferry']),
  charged: new Set(PARTITIONS.map(partitionPath)),
});

/** The draws of this version, of the one before it, and of a sibling. */
export type Draws = { now: Draw; earlier: Draw; sibling: Draw };

export const honestDraws = (random: RandomSource, certificate = CERTIFICATE): Draws => ({
  now: honestDraw(random, certificate),
  earlier: honestDraw(random, certificate),
  sibling: honestDraw(random, certificate),
});

/** Everything about a release that the audit may see, from its draws, those of an earlier version and of a sibling. */
export function releaseOf(
  { now, earlier, sibling }: Draws,
  solve: LinearProgramSolver | null,
  { parameters, certificate }: Pick<Guarantee, 'parameters' | 'certificate'> = HISTOGRAM,
): RowSubject {
  const { cells, hours, remainder, margins, time, location } = deriveRows(PARTITIONS.map(now));
  return {
    release: 'ferry-taps/2026-03-02/v2',
    parameters,
    certificate,
    domains: new Map(
      PARTITIONS.map((partition) => [
        partitionPath(partition),
        { taps: new Set(DOMAIN.taps), times: new Set(DOMAIN.times), locations: new Set(DOMAIN.locations) },
      ]),
    ),
    unknownPlaces: new Map([['ferry', 'UNKNOWN']]),
    cells,
    hours: hours ?? [],
    remainder: remainder ?? [],
    drawn: { cells, hours: hours ?? [], remainder: remainder ?? [], margins: margins ?? [] },
    tables: { cells, time, location, hours, remainder, margins },
    parquet: [
      {
        file: FILES.table('time-location', 'parquet'),
        read: { count: Float64Array.from(cells, ({ count }) => count) },
        rows: cells.length,
        createdBy: 'DuckDB version v1.5.6 (build 069cc9f9b5)',
        keyValues: 0,
        columns: [],
        rewritten: true,
      },
    ],
    differing: [],
    texts: [{ file: FILES.privacy, texts: ['A count is wrong with a chance of at most 5 %.'] }],
    publicTexts: ['Ferry taps'],
    knowledge: {
      services: SERVICES,
      timetable: SERVICES.flatMap(({ mode, from }) =>
        SAILINGS.map((time) => ({ mode, location: from, tap: 'on' as const, time, services: 2, stops: 2 })),
      ),
      siblings: [siblingOf(sibling, 15, certificate)],
      earlier: [
        {
          version: 1,
          cells: deriveRows(PARTITIONS.map(earlier)).cells,
          sameDraw: new Set(),
          otherTables: new Set(PARTITIONS.map(partitionPath)),
        },
      ],
      ledger: {
        charges: new Map(PARTITIONS.map((partition) => [partitionPath(partition), 2])),
        chances: 2 * PARTITIONS.length,
        deltaCap: 2e-6 * PARTITIONS.length,
      },
      past: [],
      history: null,
      solve,
    },
    holes: [],
    unreadable: [],
  };
}
