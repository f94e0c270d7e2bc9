import type { Certificate } from '../../../contracts/certificate.ts';
import type { ShadowDraw } from './drawn-table.ts';
import { countsAboutThreshold, HIGH_CELLS, highBase, isUpper } from './shadow-layout.ts';
import type { EventTally, RunCount } from './shadow-tallies.ts';

/** The event that needs no threshold. */
export const LARGE_COUNT = 'a large count goes up by one and shows it';

/** How often the cells with each true count were published. Cost: O(cells). */
export function appearancesOf(draws: readonly ShadowDraw[], kinds: readonly number[]): Map<number, RunCount> {
  const tallies = new Map(kinds.map((count): [number, RunCount] => [count, { events: 0, runs: 0 }]));
  for (const { counts, published } of draws)
    for (const [cell, count] of counts.entries()) {
      const runs = tallies.get(count);
      if (runs === undefined) continue;
      runs.runs += 1;
      if (published[cell] !== null) runs.events += 1;
    }
  return tallies;
}

/** Events on made-up neighbours: the counts about the threshold, a large one, and taps that move. */
export function eventTallies(draws: readonly ShadowDraw[], certificate: Certificate): EventTally[] {
  const about = countsAboutThreshold(certificate);
  const appearances = appearancesOf(draws, about);
  const steps = about.slice(1).flatMap((count): EventTally[] =>
    certificate.threshold === null || !about.includes(count - 1)
      ? []
      : [
          {
            name: `a cell goes from ${count - 1} to ${count} and appears`,
            taps: 1,
            present: appearances.get(count)!,
            absent: appearances.get(count - 1)!,
          },
        ],
  );
  const bases = highCells.map((cell) => highBase(certificate, cell));
  const large = draws.flatMap(({ published }, table) =>
    highCells.map((cell): Run => ({ upper: isUpper(table, cell), event: (published[cell] ?? 0) > bases[cell]! })),
  );
  const within = draws.flatMap(({ published }, table) =>
    evenCells.map((cell) => runOf(isUpper(table, cell), published[cell]!, published[cell + 1]!)),
  );
  const across = draws.flatMap(({ published }, table) =>
    table % 2 === 1
      ? []
      : highCells.map((cell) => runOf(isUpper(table, cell), published[cell]!, draws[table + 1]!.published[cell]!)),
  );
  return [
    ...steps,
    eventTally(LARGE_COUNT, 1, large),
    eventTally('a tap moves to another cell', 2, within),
    eventTally('a tap moves to another partition', 2, across),
  ];
}

const highCells = Array.from({ length: HIGH_CELLS }, (_, cell) => cell);
const evenCells = highCells.filter((cell) => cell % 2 === 0);

/** One run with a tap in a cell, or in the first of two (`upper`), or without, or in the second. */
type Run = { upper: boolean; event: boolean };
const runOf = (upper: boolean, first: number | null, second: number | null): Run => ({
  upper,
  event: (first ?? 0) > (second ?? 0),
});

function eventTally(name: string, taps: number, runs: readonly Run[]): EventTally {
  const tally = (upper: boolean): RunCount => {
    const own = runs.filter((run) => run.upper === upper);
    return { events: own.filter(({ event }) => event).length, runs: own.length };
  };
  return { name, taps, present: tally(true), absent: tally(false) };
}
