import { type Partition, partitionPath } from '../../contracts/names.ts';
import { addDays, dayInWords } from './civil-day.ts';

/** From this many days in a row on they are named by the first and the last. */
const SHORTEST = 3;

/** `tram, Wed 11 Nov 2026`. */
export const partitionInWords = ({ part, day }: Partition): string => `${part}, ${dayInWords(day)} ${day.slice(0, 4)}`;

/** Partitions in one line for people, in order: `bus/2026-02-01 to bus/2026-02-28, tram/2026-02-05`. */
export function partitionSpans(partitions: readonly Partition[]): string {
  const spans: Partition[][] = [];
  for (const one of [...partitions].sort((a, b) => (partitionPath(a) < partitionPath(b) ? -1 : 1))) {
    const last = spans.at(-1)?.at(-1);
    if (last?.part === one.part && addDays(last.day, 1) === one.day) spans.at(-1)!.push(one);
    else spans.push([one]);
  }
  return spans
    .flatMap((span) => {
      const paths = span.map(partitionPath);
      return paths.length < SHORTEST ? paths : [`${paths[0]} to ${paths.at(-1)}`];
    })
    .join(', ');
}
