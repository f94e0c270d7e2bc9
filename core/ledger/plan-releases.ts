import type { Series } from '../../contracts/series.ts';
import { type ChargedText, formatCharged, isRho } from '../accounting/charged-amount.ts';
import { windowAfter, windowDays } from '../calendar/window.ts';
import { type Blocks, type Charge, overCapOf, spanOf, sumOfTexts, unitCharge, yearPeak } from './budget.ts';
import { showCaps } from './burn-down.ts';
import { showAmount } from './shown-amount.ts';

/** A release that may be made: its name, and what it would charge. `charged`: its reserve is in the ledger already. */
export type IntendedRelease = Charge & { release: string; charged: boolean };

export type LedgerPlan = ReturnType<typeof planReleases>;

/**
 * First days of `count` windows of a series, from one on. Windows do not overlap: one of three days is made every week,
 * one of ten days every two weeks, one of a month every month. Throws WINDOW_INVALID as windowDays does.
 */
export function windowsFrom(series: Pick<Series, 'window'>, window: string, count: number): string[] {
  windowDays(series, window);
  const windows: string[] = [];
  for (let next = window; windows.length < count; next = windowAfter(series, next)) windows.push(next);
  return windows;
}

/**
 * What releases would cost, one after the other on top of what is charged, before anything is drawn. A release that a
 * cap refuses charges nothing, and the ones after it are planned without it, as the ledger itself would do. `drafts`
 * holds at least one release.
 *
 * @contract C12
 */
export function planReleases(history: readonly Blocks[], drafts: readonly [IntendedRelease, ...IntendedRelease[]]) {
  const all = [...history];
  const { caps } = drafts[0];
  const costs: ChargedText[] = [];
  const releases = drafts.map((one) => {
    const refusal = one.charged ? null : overCapOf(all, one);
    const cost = unitCharge(one.blocks);
    if (!one.charged && refusal === null) {
      all.push(one);
      costs.push(formatCharged(cost));
    }
    return {
      release: one.release,
      charged: one.charged,
      ...spanOf(one.blocks),
      /** What it charges to each of its blocks, and to one unit: the dearest block. */
      cost: showAmount(cost, caps),
      /** The fullest 365 days of data that touch it, this release included when it would be made. */
      year: showAmount(yearPeak(all, one.blocks), caps),
      /** Why the ledger would refuse it, or null. */
      refusal,
    };
  });
  const nothing: ChargedText = isRho(caps.block) ? { rho: '0' } : { epsilon: '0', delta: '0' };
  return {
    releases,
    /** What the releases that would be made, and are not charged yet, add up to for a unit that is in all of them. */
    total: showAmount(sumOfTexts([nothing, ...costs]), caps),
    caps: showCaps(caps),
    /** The first release that a cap would refuse, or null. */
    firstRefused: releases.find(({ refusal }) => refusal !== null)?.release ?? null,
  };
}
