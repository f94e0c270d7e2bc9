import { gzipSync } from 'node:zlib';
import { commit } from '../../activities/private/commit.ts';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { walkLedger } from '../../services/ledger/ledger.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import { newestVersion, pinOf } from '../../services/trust/trust-chain.ts';
import { talliesOf } from '../support/day-release.ts';
import { publishRelease } from '../support/publish-release.ts';
import { ReleaseBench } from '../support/release-bench.ts';
import { type Edit, loadSmallSeries, SMALL_MODES, smallKey } from '../support/small-series.ts';
import { approverKey, TEST_APPROVER } from '../support/test-trust.ts';
import { publishedStatement, TEST_CHAIN } from '../support/trust-files.ts';

const PRIVACY = `  mechanism: discrete-gaussian
  unit: card-window
  maxTaps: 8
  neighbours: add-remove
  epsilon: 1
  delta: 1e-6
  split: { time: 2/25, location: 3/25, bounded: 1/25 }
  clamp: 4
  hours: {}
`;

/** The small series for people: a card's window at ε = 1. */
export const people = (edit: Edit = (yaml) => yaml) =>
  loadSmallSeries((yaml) =>
    edit(yaml)
      .replace(/ {2}mechanism:[\s\S]*? {2}delta: 1e-6\n/, PRIVACY)
      .replace('  clock: local\n', '  clock: local\n  card: text\n')
      .replace('columns: { mode: mode,', 'columns: { card: card, mode: mode,')
      .replace('minutes: 15', 'minutes: 30')
      .replace('population: small-riders', 'population: demo-people'),
  );

/**
 * Cards of a day: many that ride once, and one that taps on at five stops within half an hour, eight times at one place,
 * and on every day: all bounds are at work.
 */
function objectOf(date: string, mode: string): string {
  const rows = ['card,mode,on_time,on_stop,off_time,off_stop'];
  for (let n = 0; n < 2500; n++)
    rows.push(`${date}-${n},${mode},${date} 08:${10 + (n % 20)}:00,stop-1,${date} 09:10:00,stop-2`);
  for (let n = 0; n < 5; n++) rows.push(`busy,${mode},${date} 07:0${n}:00,stop-${1 + (n % 3)},,`);
  for (let n = 0; n < 8; n++) rows.push(`busy,${mode},${date} 1${n}:00:00,stop-3,,`);
  return `${rows.join('\n')}\n`;
}

/** A window of the series, from its source objects to its publication, by the real stages and without a server. */
export async function publishedWindow(
  root: string,
  series: LoadedSeries,
  days: readonly string[],
  own: Partial<PrivateContext> = {},
): Promise<ReleaseBench> {
  const release = await new ReleaseBench(root, series, days[0]!, own).prepared();
  for (const date of days)
    for (const mode of SMALL_MODES) await release.deliver(smallKey(date, mode), gzipSync(objectOf(date, mode)));
  const contexts = release.contexts();
  const run = release.run();
  const drawn = await release.through('privatize', contexts.private);
  if (drawn.faults.length > 0) throw new Error('an object is at fault');
  const input = { ...drawn, shadow: await talliesOf(contexts.private, drawn) };
  const basis = {
    trust: pinOf(newestVersion(TEST_CHAIN)),
    ledger: tipOf(await walkLedger(contexts.private.releaseStore, series.series.population)),
    required: 1,
  };
  const manager = { subject: TEST_APPROVER, ...approverKey(TEST_APPROVER) };
  await publishRelease({ context: contexts.public, run, input }, [manager], basis);
  await commit(contexts.private, { ...run, statement: publishedStatement(run) });
  return release;
}
