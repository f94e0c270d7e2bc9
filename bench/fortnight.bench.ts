import type { Stage } from '../contracts/names.ts';
import { type FortnightRun, releaseFortnight } from '../test/scale/fortnight.fixture.ts';
import { useTable } from '../test/scale/stage-watch.fixture.ts';
import { writePerformance } from './measured-parts.ts';
import { medianOf, numberGiven } from './measuring.ts';

/**
 * Releases of the size of the one of 2017 on the embedded stack, from the source to a verified publication: time and
 * memory of each stage, and their ratio to a bare group-by of the same files, which is measured before each of them. Run
 * with `node bench/fortnight.bench.ts [millions of trips] [runs]`; five of thirty take a quarter of an hour on two quiet
 * cores, and write their part of docs/performance.md.
 */
const [WHOLE, RUNS] = [30, 5];
const millions = numberGiven(0, WHOLE);
const count = numberGiven(1, RUNS);

/** Stages until all tables are staged, and until the gate. */
const STAGED: readonly Stage[] = ['ingest', 'bin', 'privatize', 'derive'];
const TO_THE_GATE: readonly Stage[] = [...STAGED, 'audit'];

const runs: FortnightRun[] = [];
for (let run = 0; run < count; run += 1) {
  runs.push(await releaseFortnight(millions * 1e6));
  const { groupBy, uses, verifySeconds } = runs.at(-1)!;
  console.log(`group-by ${groupBy.seconds.toFixed(1)} s, verify ${verifySeconds.toFixed(1)} s\n${useTable(uses)}`);
}
const median = (value: (run: FortnightRun) => number): string => medianOf(runs.map(value)).toFixed(1);
const secondsOf = ({ uses }: FortnightRun, stages: readonly Stage[]): number =>
  stages.reduce((sum, stage) => sum + (uses.get(stage)?.seconds ?? 0), 0);
const ratio = (stages: readonly Stage[]): string => median((run) => secondsOf(run, stages) / run.groupBy.seconds);
const { uses, published, verification } = runs.at(-1)!;
const blocks = runs.flatMap((run) => run.blocks);
const text = `${millions} million generated trips, 14 days, 4 modes, 694 places, folder stores: ${published.state}, ${
  verification.verified ? 'verified' : 'not verified'
}. Blocks of an event loop that serves Temporal above 200 ms: ${blocks.length === 0 ? 'none' : blocks.join(', ')}.

A bare group-by of the same files takes ${median(({ groupBy }) => groupBy.seconds)} s. Until all tables are staged a release takes ${ratio(STAGED)} times as
long, to its gate ${ratio(TO_THE_GATE)} times, and its publication is verified in ${median(({ verifySeconds }) => verifySeconds)} s (medians of ${count}). The last of them:

${useTable(uses)}`;
writePerformance(
  { fortnight: text },
  {
    'Whole stack, to staged': ratio(STAGED),
    'Whole stack, to the gate': ratio(TO_THE_GATE),
    'Audit of 56 partitions': median((run) => secondsOf(run, ['audit'])),
    'Verify, 30 M': median(({ verifySeconds }) => verifySeconds),
    'Memory, whole stack': Math.max(
      ...runs.flatMap((run) => [...run.uses.values()].map((use) => use.residentMiB)),
    ).toFixed(0),
  },
  millions === WHOLE && count === RUNS,
);
