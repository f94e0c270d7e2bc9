import { OpalineError } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import { PRIVATE_KEYS, parseReleasePath } from '../../contracts/names.ts';
import { reserves } from '../../core/ledger/budget.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import type { PrivateContext } from '../private-context.ts';
import { riskPage } from './report-page.ts';
import { riskReport } from './risk-report.ts';
import { withSubject } from './risk-subject.ts';

/** A release, and where its report is; or why it has none. */
export type ReleaseReport = { release: string; key: string | null; problem: string | null };

/**
 * Puts a risk report beside every release of the policy's populations that has none yet, in the private store. It is no
 * stage: no release waits for it, reads it or is changed by it. The rows are those that the source holds now. What cannot
 * be measured is named and stops nothing.
 *
 * Safe to run twice: a release that has a report is passed over, and reports are put if absent.
 */
export async function reportReleases(context: PrivateContext, key: Uint8Array): Promise<ReleaseReport[]> {
  const { privateStore, releaseStore, policy } = context;
  const reports: ReleaseReport[] = [];
  for (const population of Object.keys(policy.policy.populations).sort()) {
    const { entries } = await readLedger(privateStore, population, context.ledgerKeys);
    for (const { release: path, series: file } of reserves(entries)) {
      const release = parseReleasePath(path);
      if (!release || !file || (await privateStore.head(PRIVATE_KEYS.releaseRisk(release, 'json')))) continue;
      const series = await readSeries(releaseStore, { series: release.series, seriesDigest: file.digest });
      const rows = kindOf(context.kinds, series).looks?.measured(context, series, release.window);
      if (!rows) continue;
      const subject = { kind: 'series', series: series.series, window: release.window, stage: rows.stage } as const;
      const [page, data] = [PRIVATE_KEYS.releaseRisk(release, 'html'), PRIVATE_KEYS.releaseRisk(release, 'json')];
      const question = { known: null, bins: [], key };
      try {
        const report = await withSubject(context, subject, (table) => riskReport(table, question));
        await privateStore.putIfAbsent(page, Buffer.from(await riskPage(report, path)));
        await privateStore.putIfAbsent(data, jsonBytes(report));
        reports.push({ release: path, key: data, problem: null });
      } catch (error) {
        if (!(error instanceof OpalineError)) throw error;
        reports.push({ release: path, key: null, problem: `${error.code}: ${error.message}` });
      }
    }
  }
  return reports;
}
