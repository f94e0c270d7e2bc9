import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { parseReleasePath, partitionPath, type ReleaseReference } from '../../contracts/names.ts';
import { readCharged } from '../accounting/charged-amount.ts';
import {
  type Caps,
  type ChargedBlocks,
  charges,
  EVERY_PART,
  populationCaps,
  type Reserve,
  reserveOfRelease,
  sumOfTexts,
} from './budget.ts';
import { amountInWords } from './shown-amount.ts';

/** A version of a window that was charged, and its blocks. */
type Version = { version: number; blocks: ChargedBlocks['blocks'] };

/**
 * What the entries of a ledger say of the versions of a release's window, its own included, in sentences: which were
 * charged before it, and what all together cost each block, by basic sums (C12). Whatever else was charged to the same
 * people is in the ledger. Cost: O(entries + blocks).
 *
 * @contract C12
 * @contract C13
 */
export function windowVersions(entries: readonly LedgerEntry[], release: ReleaseReference): string[] {
  const { series, window, version } = release;
  const own = reserveOfRelease(entries, release);
  const versions = charges(entries).flatMap(({ release: path, blocks }): Version[] => {
    const reference = parseReleasePath(path);
    const isOfWindow = reference?.series === series && reference.window === window && reference.version <= version;
    return isOfWindow ? [{ version: reference.version, blocks }] : [];
  });
  const earlier = [...new Set(versions.map((one) => one.version))].filter((one) => one < version).sort((a, b) => a - b);
  return [
    earlier.length === 0
      ? 'No other version of this window was charged before this one.'
      : `Charged before, for the same window: ${earlier.map((one) => `version ${one}`).join(', ')}. Losses of versions add up, whether they were published or not.`,
    ...totals(versions, populationCaps(entries)),
    ...(own ? [capsInWords(own)] : []),
  ];
}

/**
 * The caps that a charge was held against, in a sentence, with ε beside ρ. That of a year only where a unit may be in all
 * parts of a day, such as a card: of a trip no yearly figure is named.
 *
 * @contract C12
 * @contract C14
 */
export function capsInWords({ caps, blocks }: Pick<Reserve, 'caps' | 'blocks'>): string {
  const [block, year] = [caps.block, caps.year].map((cap) => amountInWords(readCharged(cap), caps));
  const ofYear = blocks.some(({ part }) => part === EVERY_PART)
    ? `, and ${year} for one unit over any 365 consecutive days of data`
    : '';
  return `It was charged under caps that hold for everything charged to the same people: ${block} for one block, for ever${ofYear}.`;
}

/** Why the ε beside ρ is not that of a release. */
const OF_RHO =
  'This ε follows from ρ alone, which adds up. It is another one than the ε of a single release, which follows from the exact law of its noise.';

/** Blocks with equal sums share one sentence. */
function totals(versions: readonly Version[], caps: Caps | null): string[] {
  const ofBlock = Map.groupBy(
    versions.flatMap(({ blocks }) => blocks),
    partitionPath,
  );
  const sums = [...ofBlock].map(([block, amounts]) => ({ block, amount: amountInWords(sumOfTexts(amounts), caps) }));
  const groups = [...Map.groupBy(sums, ({ amount }) => amount)];
  return groups
    .toSorted(([, a], [, b]) => a.length - b.length)
    .map(([amount, blocks], place) => {
      const names = blocks.map(({ block }) => block).sort();
      const isRest = place === groups.length - 1;
      const which = !isRest ? `block${names.length === 1 ? '' : 's'} ${names.join(', ')}` : restInWords(place, names);
      return `All versions up to this one cost ${which}: ${amount} together.`;
    })
    .concat(caps && 'delta' in caps ? [OF_RHO] : []);
}

const restInWords = (groupsBefore: number, names: readonly string[]): string => {
  if (names.length === 1) return `block ${names[0]}`;
  return groupsBefore === 0 ? `each of the ${names.length} blocks` : `each of the other ${names.length} blocks`;
};
