import {
  type ComparedUnit,
  type Comparison,
  DRAWS,
  EPSILON,
  type Figures,
  meansOf,
  percent,
  signedPercent,
  whole,
} from './comparison.ts';
import type { DesignName } from './designs.ts';
import { cellTable, modeTable, parameterTable, totalTable } from './tables.ts';

/** docs/utility.md: every number in it, those in the sentences too, is taken from the comparisons. */
export function pageOf(comparisons: readonly Comparison[]): string {
  return `${[
    HEAD,
    conclusions(comparisons),
    designs(comparisons),
    PROTECTION,
    `## Cells\n\n${CELL_WORDS}\n\n${cellTable(comparisons)}`,
    `## Totals\n\n${TOTAL_WORDS}\n\n${totalTable(comparisons)}`,
    `## Totals of a mode\n\n${MODE_WORDS}\n\n${modeTable(comparisons)}`,
    limits(comparisons),
    STATUSES,
  ].join('\n\n')}\n`;
}

const HEAD = `<!-- Made by \`node bench/utility.bench.ts\`; edit bench/utility/page.ts, not this file. -->

# Utility: what a release is still good for

Four ways to publish the same weeks at the same total ε = ${EPSILON}, one of them with two splits of ε, measured against the exact counts. Every number on this page
comes from one run of

\`\`\`sh
node bench/utility.bench.ts
\`\`\`

which takes the weeks of the examples through the real ingest and bin, draws every design from the seeded source
with the seeds 1 to ${DRAWS}, and writes this page and its plot; a second run gives the same bytes. Numbers are means over these draws;
a number after ± is the standard deviation of one draw, in percentage points.
The exact counts can be used here because these weeks are public or invented. Do not do this with confidential trips to
choose parameters: it is a look at the data that nobody charges (C17).

![For each week and design: taps in fine cells, bias and error of the location totals; the numbers are in the tables below](pictures/utility.svg)`;

/** The table is that of bench/occupancy.bench.ts, which writes it into the page. */
const STATUSES = `## Statuses of vehicles

How often the status of a departure is the right one when a whole ride is private ([occupancy.md](occupancy.md)). Runs are
simulated: the peak load is any up to the largest count, and a rider boards and alights at any two different stops, equally
likely. ε is that of a ride; δ is 1e-5 for the first mechanism, which draws each stop by itself, and 0 for the trees; rides
are added or removed. Made by \`node bench/occupancy.bench.ts\`.

<!-- statuses -->
<!-- /statuses -->`;

function conclusions(comparisons: readonly Comparison[]): string {
  const oyster = (name: DesignName) => figuresIn(comparisons, 'Oyster week', 'trip', name);
  const opal = (name: DesignName) => figuresIn(comparisons, 'Opal week', 'trip', name);
  const demo = (name: DesignName) => figuresIn(comparisons, 'Generated week', 'trip', name);
  const all = (name: DesignName, key: keyof Figures, write: (value: number) => string) =>
    `${write(opal(name)[key])} (Opal), ${write(oyster(name)[key])} (Oyster) and ${write(demo(name)[key])} (generated)`;
  const complete = oyster('complete');
  return `## For a release manager

- **One privatized table shows far more than six.** With the threshold that one table needs, the share of taps that stays
  in cells of quarter hour and location grows from ${all('2017', 'inCells', percent)} to
  ${all('remainders', 'inCells', percent)}. Cells get nearly all of ε,
  because totals no longer need tables of their own; at equal shares the gain is that of the sharper threshold alone.
- **Without remainder rows, totals are wrong by what is held back**: ${all('derived', 'locationBias', signedPercent)}.
  Publish such a series for its cells only.
- **Remainder rows mend that.** They are fitted by levels to the noisy margins and have their total: the sum of all taps comes back
  within ${percent(Math.abs(opal('remainders').locationBias))} on the Opal week, ${percent(Math.abs(oyster('remainders').locationBias))} on the Oyster week and ${percent(Math.abs(demo('remainders').locationBias))} on the generated one. Single rows are not right on average:
  those of busy times and places come out a little low, and those where nobody travels a little high.
- **Of one time or place by itself, the noisy margin** has no such bias, and more noise: the error of a location total of
  a day is ${percent(oyster('remainders').locationError)} fitted and ${percent(oyster('margins').locationError)} from the margin alone.
- **A complete domain with floors shows most.** Every cell of the public domain has noise, so that δ is 0 and the share that a threshold
  needs is free for totals. With floors by the rule it shows ${all('floors', 'inCells', percent)} of taps in fine cells,
  and totals of a day are nearest: on the Oyster week ${percent(oyster('floors').timeError)} (times) and ${percent(oyster('floors').locationError)} (locations). Some of its rows are noise
  alone, so that a published row never proves that somebody was there. Rows of whole hours show ${all('floors', 'inHours', percent)} more.
- **The default split is made for cells.** Margins get only the ε that the threshold does not need (0.8 of 8). The 2017
  design gave half of its ε to totals, and its time totals of a day are nearer (Oyster: error ${percent(oyster('2017').timeError)} against
  ${percent(oyster('remainders').timeError)}; Opal: ${percent(opal('2017').timeError)} against ${percent(opal('remainders').timeError)}). With the shares of 2017, one table with remainder rows
  is the better one where data is sparse, and about as good elsewhere. On the Oyster week: ${percent(oyster('shares2017').inCells)} of taps in
  fine cells, time totals within ${percent(oyster('shares2017').timeError)}, location totals within ${percent(oyster('shares2017').locationError)} (2017: ${percent(oyster('2017').inCells)}, ${percent(oyster('2017').timeError)}, ${percent(oyster('2017').locationError)}). Choose the
  split by what readers will use, before there is data.
- **Keep public lists short.** A dictionary for each mode, in place of one for all, takes away keys that can only add
  noise: the trams of the Oyster week share a list with every station. Lists come from timetables and earlier publications, never from the trips (C4).
- **Without a floor a complete domain** holds nothing back, and its totals have no
  bias. Its price is size and a kind of row that readers must understand: ${whole(complete.cellsPublished)} cells for the Oyster week, negative
  ones too, of which those where nobody travelled show ${whole(complete.tapsFromNothing)} taps, signs aside.`;
}

function designs(comparisons: readonly Comparison[]): string {
  return `## The designs

| design | what is drawn, and what readers get |
|---|---|
| 2017: six tables | cells, times and locations, each for tap-ons and tap-offs, all drawn from the exact counts anew and each with its own threshold; half of ε for cells, a quarter each for times and locations, δ = 7.5e-7 as claimed then |
| derived, no remainders | cells once; time and location tables are sums of the published cells |
| derived, with remainders | cells, and noisy margins over the public domains; derived tables are cells plus fitted remainder rows. The split is that of \`certify --split\`: the smallest ε for cells that keeps T, the slack for margins |
| … totals from the noisy margins | the same draw, its time and location totals read from \`margins-time.csv\` and \`margins-location.csv\` |
| with remainders, shares of 2017 | the same with half of ε for cells and a quarter for each margin |
| complete domain | every cell of the public domain with noise, empty ones too; totals are sums |
| complete domain with floors | the same with the floors that the rule gives: cells from F on, hour rows from F2 on, noisy margins and fitted remainder rows; ε is split as in the Oyster example, 62 : 7 : 11 (which itself takes F2 = 9, one less than the rule gives) |

ε = ${EPSILON} for every design; δ is at most 1e-6, for 2017 at most the 7.5e-7 that it claimed, and 0 for the complete domain.
Neighbours differ by one unit replaced. The Opal series protects a tap, because the published counts do not say which
taps are one trip; it is compared for a trip as well, the unit of the release of 2017, because noise for a trip does not
need to know the pairs.

${parameterTable(comparisons)}

The tight δ is that of one unit, from the certificate.`;
}

const PROTECTION = `## What the designs protect, and what not

All of them, at these parameters, bound what anybody can learn from the whole release about **one trip** (or one tap):
whatever the reader knows already, replacing the trip changes the probability of any outcome by at most a factor of e^8,
and δ more. They do not protect more than that:

- A **person** with m trips in the week has m·ε. Nobody who travels daily is hidden by these parameters; units \`card-day\`
  and \`card-window\` exist for that, and cost more noise.
- **ε = 8 is a weak bound by itself.** Who knows all other taps of a cell can often tell whether one more was there. What
  the proof adds is that nothing else gives more, no table and no combination of tables.
- **Facts about many** are not hidden and are not meant to be: that a line was busy, or stood still.

| design | its own limits |
|---|---|
| 2017: six tables | Certified for ideal real noise only; computed in floating point it is not that. Three views of one count let readers compare tables and sharpen both; ε pays for it, but totals and cells contradict each other in public. Opaline reproduces it to attack it and refuses to release it |
| derived, no remainders | A cell that is not there was empty or held back, and nothing says which. A lone trip shows with probability below δ |
| derived, with remainders | The same for cells. A remainder row over a single unpublished cell is a noisy view of that cell, paid for by the ε of its margin; the audit reports how much it tells |
| complete domain | Nothing rests on a rare event: δ = 0. The noise gives no place away; a list made from the trips would |

None of them protects against a source that is wrong, a public list made from the trips, or a second release that the
ledger does not know.`;

const CELL_WORDS = `*Taps in fine cells*: true taps of the cells that are published. *Published*: errors of the published cells, in taps, which
are those of the noise. *With taps*: errors over all cells that hold a tap, where a cell that is not published reads as 0.
*Taps shown where none is*: in published cells without a tap, signs aside. RMS: root of the mean square.`;

const TOTAL_WORDS = `Totals are rows by (mode, day, tap, time) and (mode, day, tap, location). *Bias*: all rows added up, against all taps.
*Error*: absolute errors of the rows added up, against all taps; *the week* adds up the days of a row first. A row that is
not there reads as 0.`;

const MODE_WORDS =
  'Bias of the location totals of each mode over the week, trips protected. What a mean over so many draws still has of chance is a quarter of the deviation, or less.';

function limits(comparisons: readonly Comparison[]): string {
  const sizes = comparisons
    .filter(({ unit }) => unit === 'trip')
    .map(
      ({ data, taps, cellsWithTaps, domainCells }) =>
        `| ${data} | ${whole(taps)} | ${whole(cellsWithTaps)} | ${whole(domainCells)} |`,
    );
  return `## The weeks

| week | taps | cells with taps | cells of the public domain |
|---|--:|--:|--:|
${sizes.join('\n')}

The Oyster week is a 5 % sample of November 2009: it is sparse, its modes share one list of stations, and buses have no
tap-off. The Opal week is full traffic of August 2016, but its times of day are synthetic, and its counts were noisy and
cut off before; its cells are smoother than real ones. The generated week is invented: 200,000 trips in a fortnight on
about 650 locations, a hard case.`;
}

function comparisonOf(comparisons: readonly Comparison[], data: string, unit: ComparedUnit): Comparison {
  const found = comparisons.find((each) => each.data === data && each.unit === unit);
  if (!found) throw new TypeError(`the page needs the ${data}`);
  return found;
}

const figuresIn = (all: readonly Comparison[], data: string, unit: ComparedUnit, name: DesignName): Figures =>
  meansOf(comparisonOf(all, data, unit).outcomes.get(name)!.figures);
