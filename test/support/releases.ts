import type { OpalineClient } from '../../client/opaline-client.ts';
import { decideRelease } from '../../client/release/decide-release.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import type { Run } from '../../contracts/stages.ts';
import { SMALL_WINDOW, type SmallSeries } from './small-series.ts';

/** Starts a release of the small series. */
export const startSmall = async (client: OpalineClient, series: SmallSeries, version = 1): Promise<Run> =>
  startRelease(client, await planRun(client, series.file, SMALL_WINDOW, version));

const REASONS = { approve: 'audit-passed', reject: 'other', withdraw: 'other', reopen: 'not-decided-in-time' } as const;

/** Decides with the series' own key. */
export const decideSmall = (
  client: OpalineClient,
  series: SmallSeries,
  release: Run,
  decision: 'approve' | 'reject' | 'withdraw' | 'reopen',
  acknowledged: string[] = [],
) =>
  decideRelease(client, {
    release,
    decision,
    reason: REASONS[decision],
    note: 'a note that is never published',
    acknowledged,
    privateKey: series.key.privateKey,
  });
