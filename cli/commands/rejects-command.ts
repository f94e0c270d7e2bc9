import type { Command } from 'commander';
import { kindOf } from '../../contracts/kind.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import { reserves } from '../../core/ledger/budget.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { UNITS } from '../../counts/certificate/units.ts';
import { inputReport } from '../../custodian/preview/input-report.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { readApplied, readSeries } from '../../services/stores/series-objects.ts';
import { command } from '../command.ts';
import { inputText } from '../input-text.ts';
import { custodianSide } from '../private-deployment.ts';

/** The greatest number of rows of each reason that are shown. */
const MOST_ROWS = 1000;

export const rejectsCommand = (): Command =>
  command('rejects <release>', 'say exactly what a release read and what it left out; on the custodian side only')
    .option('--rows <n>', 'show n rejected rows of each object and reason: raw data')
    .example('opaline rejects demo-taps/2026-03-02/v1')
    .run(async ({ release }, { rows }) => {
      const samples = rows === undefined ? 0 : readWholeNumber('--rows', rows, MOST_ROWS);
      const context = await custodianSide();
      const series = await seriesOf(context, release);
      const kind = kindOf(context.kinds, series);
      const partitions = windowPartitions(series, kind.terms(series).parts, release.window);
      const question = { partitions, kept: (boundsCards(series) && kind.looks?.kept) || null, samples };
      const report = await inputReport(context, release, question);
      return { value: report, text: inputText(report) };
    });

/** Is what one card adds bounded before it is counted? A kind without such units has none to bound. */
const boundsCards = ({ privacy }: Series): boolean =>
  Object.entries(UNITS).some(([name, { cardScope }]) => name === privacy.unit && cardScope !== null);

/** The series file that a release was charged under; while it is not charged, the newest applied one. */
async function seriesOf({ releaseStore }: PrivateContext, release: ReleaseReference): Promise<Series> {
  const { series: applied } = await readApplied(releaseStore, release.series);
  const { entries } = await readLedger(releaseStore, applied.population);
  const own = reserves(entries).find((entry) => entry.release === releasePath(release));
  if (!own) return applied;
  return readSeries(releaseStore, { series: release.series, seriesDigest: own.series.digest });
}
