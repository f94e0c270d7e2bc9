/** Where a version says its draws come from: null draws all again, else all except `redrawn` are those of `of` (C13). */
export type VersionOrigin = { of: number; redrawn: readonly string[] } | null;

/** The version whose draw of the partition a version shows. */
function originOf(partition: string, version: number, origins: ReadonlyMap<number, VersionOrigin>): number {
  const origin = origins.get(version);
  // A version corrects an earlier one, so this ends.
  if (!origin || origin.of >= version || origin.redrawn.includes(partition)) return version;
  return originOf(partition, origin.of, origins);
}

/** `mode/day` of the partitions that two versions declare to be one draw, through whatever corrections. */
export const sameDraws = (
  partitions: readonly string[],
  a: number,
  b: number,
  origins: ReadonlyMap<number, VersionOrigin>,
): ReadonlySet<string> =>
  new Set(partitions.filter((partition) => originOf(partition, a, origins) === originOf(partition, b, origins)));
