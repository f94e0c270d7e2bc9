import type { Tap } from '../tables/tap-tables.ts';

/** What one partition can hold, known without looking at it (C4). */
export type PublicDomain = {
  readonly taps: readonly Tap[];
  readonly times: readonly string[];
  readonly locations: readonly string[];
};

/**
 * The domain with every list in code-unit order. Throws TypeError when a list repeats a member: that is a mistake of
 * the program, since domains are made from public lists.
 */
export function orderDomain({ taps, times, locations }: PublicDomain): PublicDomain {
  return { taps: sortMembers(taps), times: sortMembers(times), locations: sortMembers(locations) };
}

function sortMembers<T extends string>(members: readonly T[]): T[] {
  if (new Set(members).size !== members.length) throw new TypeError('a public domain repeats a member');
  return [...members].sort();
}
