import { Runtime } from '@temporalio/worker';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { type BudgetLeft, budgetLeft } from '../../core/ledger/budget-left.ts';
import { believedLedger, type LedgerReader } from '../../services/ledger/believed-ledger.ts';
import type { AppliedSeries } from '../../services/stores/series-objects.ts';

/** Sets the metrics of budget left, by population, from the public ledgers (C12); one that others signed sets none. */
export class LedgerMonitor {
  private readonly reader: LedgerReader;
  private readonly left = Runtime.instance().metricMeter.createGauge(
    'opaline_ledger_remaining_ratio',
    'float',
    '',
    'Part of a cap that the charges around the newest days of data leave, by population, cap and amount.',
  );
  private readonly known = new Map<string, { entries: number; left: BudgetLeft }>();

  constructor(reader: LedgerReader) {
    this.reader = reader;
  }

  async pass(series: readonly AppliedSeries[]): Promise<void> {
    for (const population of new Set(series.map((one) => one.series.population))) {
      const { block, year } = await this.read(population);
      for (const [cap, amounts] of Object.entries({ block, year })) {
        this.left.set(amounts.epsilon, { population, cap, amount: 'epsilon' });
        this.left.set(amounts.delta, { population, cap, amount: 'delta' });
      }
    }
  }

  /** A chain of years is read again only when it has a new entry. */
  private async read(population: string): Promise<BudgetLeft> {
    const known = this.known.get(population);
    const next = RELEASE_KEYS.ledgerEntry(population, (known?.entries ?? 0) + 1);
    if (known && (await this.reader.releaseStore.head(next)) === null) return known.left;
    const { entries } = await believedLedger(this.reader, population);
    const left = budgetLeft(entries);
    this.known.set(population, { entries: entries.length, left });
    return left;
  }
}
