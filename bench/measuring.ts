/** Milliseconds between two looks at the memory. */
const LOOK_MS = 50;

/** Seconds of the clock, those of the processor in all threads, and the highest resident memory of this process. */
export type WorkUse = { seconds: number; processorSeconds: number; residentMiB: number };

/** What a piece of work uses, and its result. */
export async function used<T>(work: () => Promise<T>): Promise<[WorkUse, T]> {
  let resident = 0;
  const look = (): void => {
    resident = Math.max(resident, process.memoryUsage.rss());
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    const [begin, before] = [performance.now(), process.cpuUsage()];
    const result = await work();
    const seconds = (performance.now() - begin) / 1000;
    const { user, system } = process.cpuUsage(before);
    look();
    return [{ seconds, processorSeconds: (user + system) / 1e6, residentMiB: resident / 2 ** 20 }, result];
  } finally {
    clearInterval(timer);
  }
}

export const medianOf = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** A table of a page: the first columns are texts, `texts` of them, and the others are numbers. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string =>
  [head, head.map((_, column) => (column < texts ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
