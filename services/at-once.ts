/**
 * Does some work for each item, at most `most` at once and begun in their order. Gives the results in the same order.
 * After a failure nothing new begins, and it is thrown when all that was under way has ended: nothing goes on beside a
 * retry.
 */
export async function mapAtOnce<Item, Result>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = enumerate(items);
  const worker = async (): Promise<void> => {
    // Whoever fails leaves the loop, which ends the items for all.
    for (const [place, item] of queue) results[place] = await work(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: most }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

function* enumerate<Item>(items: Iterable<Item>): Generator<[number, Item]> {
  let place = 0;
  for (const item of items) yield [place++, item];
}
