import { z } from 'zod';
import { wrongUse } from '../../contracts/errors.ts';
import { exactAmounts, exactRho, type LedgerTip } from '../../contracts/formats/common.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import type { Order } from '../../contracts/formats/order.ts';
import type { PopulationPolicy } from '../../contracts/formats/policy.ts';
import {
  type Partition,
  parsePartitionPath,
  parseReleasePath,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { type ChargedText, isRho, measuresOf, readCharged } from '../../core/accounting/charged-amount.ts';
import { addDays, dayNumber } from '../../core/calendar/civil-day.ts';
import { blockTotal } from '../../core/ledger/budget.ts';
import { compare } from '../../core/rational/rational.ts';
import { walkLedger } from '../ledger/ledger.ts';
import { jsonOrNull, keysBelow, namesBelow } from '../stores/json-objects.ts';
import { everyAppliedSeries } from '../stores/series-objects.ts';

const amounts = z.union([z.object(exactRho), z.object(exactAmounts)]);
const span = { firstDay: z.iso.date(), lastDay: z.iso.date() };

const charge = {
  release: z.string().max(200),
  mechanism: z.string().nullable().default(null),
  ...span,
  blocks: z.int(),
};

/** What a policy says of the charges of a population. */
type Rules = Pick<PopulationPolicy, 'release' | 'accounting'>;

/** What a takeover order says, except for what every order has. */
export type TakeoverDraft = Omit<Extract<Order, { kind: 'ledger' }>, 'format' | 'id'>;

/**
 * What a policy key has to sign so that the ledger of a population goes on from what the release store holds: the end of
 * its copies; and tables that no entry explains, charged at the greatest that the policy allows. It believes the release
 * store: a person looks at it first. Throws LEDGER_BROKEN, LEDGER_BEHIND.
 *
 * @contract C12
 */
export async function planTakeover(
  store: ObjectStore,
  population: string,
  rules: Rules,
  mark: LedgerTip | null,
): Promise<TakeoverDraft> {
  const { entries, tip } = await walkLedger(store, population);
  return {
    kind: 'ledger',
    population,
    tip: tip === null ? null : { sequence: entries.length, digest: tip },
    mark,
    unexplained: await chargeTables(store, population, rules, entries),
  };
}

/** The greatest that one release may be charged, as the population accounts. */
export const greatestCharge = ({ release, accounting }: Rules): ChargedText =>
  accounting === 'rho' ? { rho: release.rho! } : { epsilon: release.epsilon, delta: release.delta };

/** What `opaline ledger show --json` prints of a ledger, as far as charges go. */
const shownLedgers = z.object({
  populations: z.array(
    z.object({
      population: z.string(),
      charges: z.array(amounts.and(z.object(charge))).min(1),
      blocks: z.array(amounts.and(z.object({ ...span, parts: z.array(z.string()).min(1) }))).min(1),
    }),
  ),
});

/**
 * What a policy key has to sign so that an empty ledger begins with the charges that an older build shows of its own. A
 * charge is taken on every day and part that it may have had, so that no block, and no year, has less than it spent.
 * Throws USAGE for a text that is not of that form, or has no charge of the population.
 *
 * @contract C12
 */
export function takeoverOfShown(text: string, population: string): TakeoverDraft {
  const entry = shownLedgers.safeParse(jsonOrNull(text)).data?.populations.find((one) => one.population === population);
  if (!entry)
    throw wrongUse(
      `The file shows no charge of ${population}; write it with \`opaline ledger show --json\` of the build that charged.`,
    );
  const charges = entry.charges.map(({ release, mechanism, firstDay, lastDay, ...one }) => {
    const amount = isRho(one) ? { rho: one.rho } : { epsilon: one.epsilon, delta: one.delta };
    const near = entry.blocks.filter((group) => group.firstDay <= lastDay && firstDay <= group.lastDay);
    const days = Array.from({ length: dayNumber(lastDay) - dayNumber(firstDay) + 1 }, (_, at) => addDays(firstDay, at));
    const parts = [...new Set(near.flatMap((group) => group.parts))].sort();
    return { release, mechanism, blocks: days.flatMap((day) => parts.map((part) => ({ part, day, ...amount }))) };
  });
  requireSums(entry.blocks, charges);
  return { kind: 'ledger', population, tip: null, mark: null, unexplained: charges };
}

/** Refuses charges that are less than what the file says was spent: somebody left some out. Throws USAGE. */
function requireSums(
  groups: readonly (ChargedText & { firstDay: string; parts: string[] })[],
  charges: TakeoverDraft['unexplained'],
): void {
  for (const { firstDay, parts, ...shown } of groups) {
    const total = blockTotal(charges, parts[0]!, firstDay);
    if (measuresOf(total, readCharged(shown)).some(({ pair }) => compare(...pair) < 0))
      throw wrongUse(`The charges of the file are less than what it says of ${parts[0]}/${firstDay}.`);
  }
}

/** What a series of any kind may say of how it is drawn. */
const terms = z.object({ mechanism: z.string().nullable().default(null) });

/** Tables of the population's series that no charge is for. */
async function chargeTables(
  store: ObjectStore,
  population: string,
  rules: Rules,
  entries: readonly LedgerEntry[],
): Promise<TakeoverDraft['unexplained']> {
  const reserves = new Set(entries.flatMap((entry) => (entry.kind === 'reserve' ? [entry.release] : [])));
  const charges: TakeoverDraft['unexplained'] = [];
  for (const series of await everyAppliedSeries(store)) {
    if (series.population !== population) continue;
    for (const release of await releasesWithTables(store, series.series)) {
      const path = releasePath(release);
      if (reserves.has(path)) continue;
      const blocks = (await tablesOf(store, release)).map((partition) => ({ ...partition, ...greatestCharge(rules) }));
      const { mechanism } = terms.parse(series.privacy);
      if (blocks.length > 0) charges.push({ release: path, mechanism, blocks });
    }
  }
  return charges;
}

async function releasesWithTables(store: ObjectStore, series: string): Promise<ReleaseReference[]> {
  const keys = await keysBelow(store, RELEASE_KEYS.privatizedOf(series));
  const paths = new Set(keys.map((key) => key.split('/').slice(1, 4).join('/')));
  return [...paths].flatMap((path) => parseReleasePath(path) ?? []);
}

/** The partitions of a release that have privatized tables in the release store. */
const tablesOf = async (store: ObjectStore, release: ReleaseReference): Promise<Partition[]> =>
  (await namesBelow(store, RELEASE_KEYS.allPrivatized(release))).flatMap((path) => parsePartitionPath(path) ?? []);
