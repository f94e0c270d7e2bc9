/**
 * The smallest integer above `low` at which it holds, by halving; it holds at `high`, at all integers above one at which
 * it holds, and not at `low`. Neither end is asked. Cost: log2(high − low) questions.
 */
export function smallestBetween(low: number, high: number, holds: (n: number) => boolean): number {
  let [fails, works] = [low, high];
  while (works - fails > 1) {
    const middle = fails + Math.floor((works - fails) / 2);
    if (holds(middle)) works = middle;
    else fails = middle;
  }
  return works;
}

/**
 * The smallest integer from `least` on at which it holds, by doubling and halving; it holds at all integers above one at
 * which it holds. Null when it is not found among the safe integers. Cost: about 2·log2(n − least) questions.
 */
export function smallestFrom(least: number, holds: (n: number) => boolean): number | null {
  if (holds(least)) return least;
  let [fails, step] = [least, 1];
  while (!holds(least + step)) {
    [fails, step] = [least + step, 2 * step];
    if (least + step > Number.MAX_SAFE_INTEGER) return null;
  }
  return smallestBetween(fails, least + step, holds);
}
