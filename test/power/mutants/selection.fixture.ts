import type { RandomSource } from '../../../core/random/random-source.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { SHADOW_TABLES, shadowTables } from '../../../counts/audit/mechanism/shadow-layout.ts';
import { drawTable } from '../../support/draw-rows.ts';
import { seededSource } from '../../support/seeded-source.ts';
import type { JudgedRows, ShadowMechanism } from '../../support/shadow-run.ts';
import type { PrivatizedCell } from '../../support/table-of-rows.ts';
import { CELLS_ALONE, CERTIFICATE, THRESHOLD } from '../honest-release.fixture.ts';
import { type Mutant, noisy, redrawn } from './mutant.fixture.ts';

const SCALE = toNumber(parseRational(CERTIFICATE.scale));

const ALONE = CELLS_ALONE.certificate;
/** As many tables as production draws. */
const WHOLE = { guarantee: CELLS_ALONE, tables: SHADOW_TABLES };

/** Noise that is drawn again while it is beyond a number of scales. */
const cutAt = (scales: number) =>
  noisy(
    (noise) => ({
      cell: (...key) => {
        for (;;) {
          const value = noise.cell(...key);
          if (Math.abs(value) <= scales * SCALE) return value;
        }
      },
    }),
    ALONE,
  );

type Counts = Parameters<ShadowMechanism>[1];

/** Two whole draws, of which the one with the greater worth is stored. */
const bestOfTwo =
  (worth: (drawn: JudgedRows, counts: Counts) => number) =>
  (random: RandomSource): ShadowMechanism =>
  (...table) => {
    const [first, second] = [drawTable(...table, ALONE, random), drawTable(...table, ALONE, random)];
    return worth(first, table[1]) >= worth(second, table[1]) ? first : second;
  };

const nameOf = (cell: readonly unknown[]): string => cell.slice(0, 3).join(' ');

const truthOf = (counts: Counts): ((cell: readonly unknown[]) => number) => {
  const truth = new Map(counts.map((cell) => [nameOf(cell), cell[3]]));
  return (cell) => truth.get(nameOf(cell)) ?? 0;
};

/** How little the published cells are off. */
function closeness({ cells }: JudgedRows, counts: Counts): number {
  const truth = truthOf(counts);
  return -cells.reduce((sum, cell) => sum + Math.abs(cell[3] - truth(cell)), 0);
}

/** Cells of more than a number of taps, as they are. */
const exactOver =
  (most: number) =>
  (random: RandomSource): ShadowMechanism =>
  (...table) => {
    const [drawn, truth] = [drawTable(...table, CERTIFICATE, random), truthOf(table[1])];
    const shown = (cell: PrivatizedCell): number => (truth(cell) > most ? truth(cell) : cell[3]);
    return { ...drawn, cells: drawn.cells.map((cell) => [cell[0], cell[1], cell[2], shown(cell)]) };
  };

const ofScale =
  (scale: string) =>
  (random: RandomSource): ShadowMechanism =>
  (...table) =>
    drawTable(...table, { ...ALONE, scale }, random);

/** One choice for all partitions: the run has one, as a release has. */
const bestOfTwoReleases = (random: RandomSource): ShadowMechanism => {
  const off = (source: RandomSource): number =>
    shadowTables(ALONE).reduce((sum, { partition, cells, domain }) => {
      const counts = cells.filter(([, , , count]) => count > 0);
      return sum - closeness(drawTable(partition, counts, domain, ALONE, source), counts);
    }, 0);
  const seeds = [random.uint32(), random.uint32()];
  const [one, other] = seeds.map((seed) => off(seededSource(seed)));
  const chosen = seededSource(one! <= other! ? seeds[0]! : seeds[1]!);
  return (...table) => drawTable(...table, ALONE, chosen);
};

/** The released cells rounded to a base, those that stay published. */
const rounded = (base: number) =>
  redrawn(({ cells }) => ({
    cells: cells.flatMap(([tap, time, location, count]) => {
      const near = base * Math.round(count / base);
      return near < THRESHOLD ? [] : [[tap, time, location, near]];
    }),
  }));

/** Noise that is chosen, and counts that are changed after it. */
export const SELECTION_MUTANTS: Mutant[] = [
  {
    check: 'mechanism-tail',
    name: 'noise that is drawn again beyond six scales',
    mechanism: cutAt(6),
    ...WHOLE,
  },
  { check: 'mechanism-tail', name: 'noise that is drawn again beyond seven scales', mechanism: cutAt(7), ...WHOLE },
  {
    check: 'mechanism-noise',
    name: 'of two draws the one that is closer to the truth',
    mechanism: bestOfTwo(closeness),
    ...WHOLE,
  },
  {
    check: 'mechanism-threshold',
    name: 'of two draws the one with more published cells',
    mechanism: bestOfTwo(({ cells }) => cells.length),
    ...WHOLE,
  },
  {
    check: 'mechanism-noise',
    name: 'cells over 150 without noise',
    mechanism: exactOver(150),
  },
  {
    check: 'mechanism-noise',
    name: 'cells over 500,000 without noise',
    mechanism: exactOver(500_000),
    tables: 144,
  },
  {
    check: 'mechanism-noise',
    name: 'cells of unknown places without noise',
    mechanism: noisy((noise) => ({
      cell: (tap, time, location) => (location === 'UNKNOWN' ? 0 : noise.cell(tap, time, location)),
    })),
  },
  {
    check: 'mechanism-margins',
    name: 'totals of unknown places without noise',
    mechanism: noisy((noise) => ({
      location: (tap, location) => (location === 'UNKNOWN' ? 0 : noise.location(tap, location)),
    })),
  },
  {
    check: 'mechanism-noise',
    name: 'counts that are rounded to 5 before they are stored',
    mechanism:
      (random) =>
      (...table) => {
        const drawn = drawTable(...table, CERTIFICATE, random);
        return {
          ...drawn,
          cells: drawn.cells.map(([tap, time, location, count]) => [tap, time, location, 5 * Math.round(count / 5)]),
        };
      },
  },
  { check: 'rounding', name: 'cells that are rounded to 5 in the release alone', draw: rounded(5) },
  { check: 'rounding', name: 'cells that are rounded to 3 in the release alone', draw: rounded(3) },
  {
    check: 'carried-over',
    name: 'a correction that draws anew what it says it carries over',
    subject: (subject) => ({
      ...subject,
      knowledge: {
        ...subject.knowledge,
        earlier: subject.knowledge.earlier.map((version) => ({
          ...version,
          sameDraw: new Set(['ferry/2026-03-03']),
          otherTables: new Set(),
        })),
      },
    }),
  },
  {
    check: 'carried-over',
    name: 'a correction that carries over the cells and draws the totals anew',
    subject: (subject) => ({
      ...subject,
      knowledge: {
        ...subject.knowledge,
        earlier: subject.knowledge.earlier.map((version) => ({
          ...version,
          cells: subject.cells,
          sameDraw: new Set(['ferry/2026-03-03']),
          otherTables: new Set(['ferry/2026-03-03']),
        })),
      },
    }),
  },
];

/** Faults between what is always found and what nobody can find: docs/power.md says how often, and promises nothing. */
export const FAINT_MUTANTS: Mutant[] = [
  { check: 'mechanism-tail', name: 'noise that is drawn again beyond eight scales', mechanism: cutAt(8), ...WHOLE },
  {
    check: 'mechanism-noise',
    name: 'noise of 0.95 times the scale',
    mechanism: ofScale('19/16'),
    ...WHOLE,
  },
  {
    check: 'mechanism-noise',
    name: 'noise of 0.97 times the scale',
    mechanism: ofScale('97/80'),
    ...WHOLE,
  },
  {
    check: 'mechanism-noise',
    name: 'of two releases the one that is closer to the truth',
    mechanism: bestOfTwoReleases,
    ...WHOLE,
  },
  {
    check: 'mechanism-independence',
    name: 'one draw for the two taps of one place of a hundred',
    mechanism: noisy((noise, random) => {
      const known = new Map<string, number>();
      const chosen = new Map<string, boolean>();
      return {
        cell: (tap, time, location) => {
          const name = `${time} ${location}`;
          const isChosen = chosen.get(name) ?? random.uint32() % 100 === 0;
          chosen.set(name, isChosen);
          const value = (isChosen ? known.get(name) : undefined) ?? noise.cell(tap, time, location);
          known.set(name, value);
          return value;
        },
      };
    }, ALONE),
    ...WHOLE,
  },
  { check: 'rounding', name: 'cells that are rounded to 2 in the release alone', draw: rounded(2) },
];
