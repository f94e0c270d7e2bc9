import { wrongUse } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import { releasePath } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { accountingOf } from '../../core/accounting/charged-amount.ts';
import { windowDays, windowPartitions } from '../../core/calendar/window.ts';
import { charges } from '../../core/ledger/budget.ts';
import { type IntendedRelease, type LedgerPlan, planReleases, windowsFrom } from '../../core/ledger/plan-releases.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { chargeOf, rulesOf } from '../../services/ledger/charge.ts';
import { type LedgerReader, verifyLedger } from '../../services/ledger/verify-ledger.ts';
import { loadSeriesFile } from '../series/series-file.ts';

/** A daily series for a year; the accounting over time goes no further. */
const MOST_RELEASES = 366;

export type SeriesPlan = Awaited<ReturnType<typeof planSeries>>;

/**
 * What n releases of a series, from a window on, would cost on top of its population's ledger. Reads the ledger
 * and changes nothing; the windows may be in the future. Each release is the first version of its window. Throws
 * SERIES_INVALID, WINDOW_INVALID, CERTIFICATE_IMPOSSIBLE, LEDGER_BROKEN, TRUST_INVALID, and USAGE unless
 * 1 ≤ releases ≤ 366.
 */
export async function planSeries(reader: LedgerReader, file: string, window: string, releases: number) {
  if (!Number.isInteger(releases) || releases < 1 || releases > MOST_RELEASES)
    throw wrongUse(`--releases takes a whole number from 1 to ${MOST_RELEASES}.`);
  const { series, dictionaries } = await loadSeriesFile(file);
  const plan = await planWindows(reader, series, windowsFrom(series, window, releases));
  return {
    ...plan,
    population: series.population,
    /** What the releases mean for one person (C14). */
    inWords: kindOf(CLIENT_KINDS, series).protection(series, dictionaries).yearInWords(releases),
  };
}

/** What releases of the windows would cost, in this order, each as version 1. Throws LEDGER_BROKEN and TRUST_INVALID. */
export async function planWindows(
  reader: LedgerReader,
  series: Series,
  windows: readonly string[],
): Promise<LedgerPlan> {
  const { entries } = await verifyLedger(reader, series.population);
  const history = charges(entries, accountingOf(series.privacy.caps.block));
  const kind = kindOf(CLIENT_KINDS, series);
  const rules = rulesOf(entries, series);
  const intend = (first: string): IntendedRelease => {
    const release = releasePath({ series: series.series, window: first, version: 1 });
    const partitions = windowPartitions(series, kind.terms(series).parts, first);
    const charge = chargeOf(kind, series, windowDays(series, first), partitions, rules);
    return { release, ...charge, charged: history.some((one) => one.release === release) };
  };
  const [first, ...others] = windows;
  return planReleases(history, [intend(first!), ...others.map(intend)]);
}
