import type { RandomSource } from '../../../core/random/random-source.ts';
import type { PublicDomain } from '../../../counts/mechanisms/public-domain.ts';
import { certifiedNoise, drawTable, drawTableWith } from '../../support/draw-rows.ts';
import type { ShadowMechanism } from '../../support/shadow-run.ts';
import type { PrivatizedCell } from '../../support/table-of-rows.ts';
import { CERTIFICATE, COMPLETE_DOMAIN, THRESHOLD } from '../honest-release.fixture.ts';
import type { Mutant } from './mutant.fixture.ts';

const nameOf = (tap: string, time: string, location: string): string => `${tap} ${time} ${location}`;
const namesOf = (cells: readonly (readonly [string, string, string, number])[]): Set<string> =>
  new Set(cells.map(([tap, time, location]) => nameOf(tap, time, location)));

const thresholdAt =
  (threshold: number) =>
  (random: RandomSource): ShadowMechanism =>
  (...table) =>
    drawTable(...table, { ...CERTIFICATE, threshold }, random);

/** Every cell of the domain that is not among these. */
function emptyCells({ taps, times, locations }: PublicDomain, known: ReadonlySet<string>): PrivatizedCell[] {
  const all = taps.flatMap((tap) =>
    times.flatMap((time) => locations.map((location): PrivatizedCell => [tap, time, location, THRESHOLD])),
  );
  return all.filter(([tap, time, location]) => !known.has(nameOf(tap, time, location)));
}

/** Cells that appear when they should not, or do not when they should. */
export const APPEARANCE_MUTANTS: Mutant[] = [
  { check: 'mechanism-threshold', name: 'a threshold that is one too low', mechanism: thresholdAt(THRESHOLD - 1) },
  { check: 'mechanism-threshold', name: 'a threshold that is one too high', mechanism: thresholdAt(THRESHOLD + 1) },
  {
    check: 'mechanism-threshold',
    name: 'no threshold',
    mechanism: (random) => (partition, counts, domain) => {
      const noise = certifiedNoise(CERTIFICATE, random);
      return {
        ...drawTableWith(noise, partition, counts, domain, CERTIFICATE),
        cells: counts.map(([tap, time, location, count]) => [
          tap,
          time,
          location,
          count + noise.cell(tap, time, location),
        ]),
      };
    },
  },
  {
    check: 'mechanism-threshold',
    name: 'a second draw for cells that were suppressed',
    mechanism:
      (random) =>
      (...table) => {
        const first = drawTable(...table, CERTIFICATE, random);
        const known = namesOf(first.cells);
        const again = drawTable(...table, CERTIFICATE, random).cells;
        const late = again.filter(([tap, time, location]) => !known.has(nameOf(tap, time, location)));
        return { ...first, cells: [...first.cells, ...late] };
      },
  },
  {
    check: 'mechanism-zeros',
    name: 'empty cells that are published',
    mechanism:
      (random) =>
      (...table) => {
        const drawn = drawTable(...table, CERTIFICATE, random);
        return { ...drawn, cells: [...drawn.cells, ...emptyCells(table[2], namesOf(table[1]))] };
      },
  },
  {
    check: 'mechanism-zeros',
    name: 'zeros without noise, where δ = 0 is claimed',
    guarantee: COMPLETE_DOMAIN,
    mechanism: (random) => (partition, counts, domain) => {
      const { certificate } = COMPLETE_DOMAIN;
      const noise = certifiedNoise(certificate, random);
      const known = namesOf(counts);
      const cell = (...key: Parameters<typeof noise.cell>): number =>
        known.has(nameOf(...key)) ? noise.cell(...key) : 0;
      return drawTableWith({ ...noise, cell }, partition, counts, domain, certificate);
    },
  },
];
