import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { parseReleasePath } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { windowAfter } from '../../core/calendar/window.ts';
import { budgetLeft } from '../../core/ledger/budget-left.ts';
import { burnDown } from '../../core/ledger/burn-down.ts';
import { type LedgerPlan, windowsFrom } from '../../core/ledger/plan-releases.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import type { Ledger } from '../../services/ledger/ledger.ts';
import { type LedgerReader, verifyLedger } from '../../services/ledger/verify-ledger.ts';
import { requireApplied } from '../series/applied-series.ts';
import { planWindows } from './ledger-plan.ts';

/** The ledger of a population as budget. */
export type PopulationBudget = ReturnType<typeof asBudget>;

/** A ledger that did not grow is the same value: what follows from it is computed once. */
const budgetOf = oncePer((entries: readonly LedgerEntry[]) => ({ ...burnDown(entries), left: budgetLeft(entries) }));
const yearsOf = oncePer((_: readonly LedgerEntry[]) => new Map<string, LedgerPlan>());

/** The budget of a population, by a ledger that is believed. Throws LEDGER_BROKEN and TRUST_INVALID. */
export const populationBudget = async (reader: LedgerReader, population: string): Promise<PopulationBudget> =>
  asBudget(population, await verifyLedger(reader, population));

const asBudget = (population: string, { entries }: Ledger) => ({
  population,
  ...budgetOf(entries),
  entries: entries.length,
});

/** Days of a year's projection. */
const YEAR_DAYS = 365;

/**
 * A series as its newest applied file has it, with its budget, and what the windows of a year after the newest that was
 * charged would charge; null where nothing was charged yet. Throws USAGE for a series that was never applied, and what
 * the ledger and the trust file throw.
 */
export async function seriesOverview(reader: LedgerReader, name: string) {
  const { series, digest } = await requireApplied(reader.releaseStore, name);
  const ledger = await verifyLedger(reader, series.population);
  const budget = asBudget(series.population, ledger);
  const newest = newestWindow(budget, name);
  if (newest === null) return { series, budget, year: null };
  const years = yearsOf(ledger.entries);
  const plan = years.get(digest);
  if (plan) return { series, budget, year: plan };
  const next = windowAfter(series, newest);
  const windows = windowsFrom(series, next, releasesOfYear(series, next));
  const year = await planWindows(reader, series, windows);
  years.set(digest, year);
  return { series, budget, year };
}

function releasesOfYear(series: Series, from: string): number {
  const [first, second] = windowsFrom(series, from, 2);
  return Math.max(1, Math.round(YEAR_DAYS / ((Date.parse(second!) - Date.parse(first!)) / 86_400_000)));
}

function newestWindow({ charges }: PopulationBudget, name: string): string | null {
  const own = charges.map(({ release }) => parseReleasePath(release));
  const windows = own.flatMap((one) => (one?.series === name ? [one.window] : []));
  return windows.sort().at(-1) ?? null;
}
