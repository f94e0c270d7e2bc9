import { reserveDraft } from '../activities/public/charge.ts';
import { readLedger } from '../activities/public/ledger.ts';
import type { Certificate } from '../contracts/certificate.ts';
import { OpalineError } from '../contracts/errors.ts';
import { releasePath } from '../contracts/names.ts';
import type { Run } from '../contracts/stages.ts';
import { windowDays } from '../core/calendar/window.ts';
import { certify } from '../core/certificate/certificate.ts';
import { overCap } from '../core/ledger/budget.ts';
import type { OpalineClient } from './opaline-client.ts';
import { type LoadedSeries, loadSeriesFile } from './series-file.ts';

/** What a run would make and cost, before anything is started, charged or drawn. */
export type RunPlan = {
  run: Run;
  loaded: LoadedSeries;
  summary: {
    release: string;
    partitions: number;
    certificate: Certificate;
    /** Why the ledger would refuse the charge, or null. */
    overCap: string | null;
  };
};

/** Throws SERIES_INVALID, WINDOW_INVALID or CERTIFICATE_IMPOSSIBLE; changes nothing. */
export async function planRun(client: OpalineClient, file: string, window: string, version: number): Promise<RunPlan> {
  if (!Number.isInteger(version) || version < 1)
    throw new OpalineError('USAGE', 'A version is a whole number from 1 on.');
  const loaded = await loadSeriesFile(file);
  const { series, digest } = loaded;
  const run: Run = { series: series.series, window, version, seriesDigest: digest };
  const days = windowDays(series, window);
  const partitions = series.modes.flatMap((mode) => days.map((day) => ({ mode, day })));
  const { entries } = await readLedger(client.releaseStore, series.population);
  const release = releasePath(run);
  const own = entries.some((entry) => entry.kind === 'reserve' && entry.release === release);
  const draft = reserveDraft(series, release, '', partitions);
  return {
    run,
    loaded,
    summary: {
      release,
      partitions: partitions.length,
      certificate: certify(series.privacy),
      overCap: own ? null : overCap(entries, draft),
    },
  };
}
