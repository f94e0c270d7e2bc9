import { partitionPath } from '../../../contracts/names.ts';
import { addDays } from '../../../core/calendar/civil-day.ts';
import { isInPeriod } from '../../../core/source-pattern/object-time.ts';
import type { ObjectName } from '../../../core/source-pattern/pattern.ts';
import type { LeftOutCount } from '../../../counts/mechanisms/left-out.ts';
import { listEnds } from '../../../counts/tables/tap-tables.ts';
import type { DistinctObject } from '../../../custodian/source/inventory.ts';
import type { TapsSeries } from '../series.ts';
import type { ObjectTally } from './tally.ts';

/** How many rejects of each end of the partitions there are, by the path of the partition; who has none may be absent. */
export type RejectedTaps = Map<string, LeftOutCount[]>;

/**
 * Counts the rejects of an object (tally.ts), `lines` that were no rows among them, for the day on which its name begins.
 * Those of an object that begins outside the window, whose `days` these are, are of another release. A reject counts for
 * its mode where the object may hold it, else for the first that it may hold; without an end it counts for the first that
 * is published. rejected-taps.proof.md says how many of them one unit can make.
 *
 * @contract C5
 */
export function addRejects(
  rejects: RejectedTaps,
  series: TapsSeries,
  days: readonly string[],
  { names, tally, lines }: { names: DistinctObject['names']; tally: ObjectTally; lines: number },
): void {
  const [home] = names.flatMap((name) => {
    const day = days.find((one) => beginsOn(name, one));
    return day === undefined ? [] : [{ day, modes: name.mode === undefined ? series.modes : [name.mode] }];
  });
  if (!home) return;
  const ends = listEnds(series.privacy.publish);
  const add = (mode: string | null, name: string | null, taps: number): void => {
    const tap = ends.find((end) => end === (name ?? ends[0]));
    if (tap === undefined || taps === 0) return;
    const part = mode !== null && home.modes.includes(mode) ? mode : home.modes[0]!;
    const path = partitionPath({ part, day: home.day });
    const before = rejects.get(path) ?? [];
    const count = before.find(([end]) => end === tap)?.[1] ?? 0;
    rejects.set(path, [...before.filter(([end]) => end !== tap), [tap, count + taps]]);
  };
  for (const end of tally.ends)
    for (const { reason, mode, tap, taps } of end.groups()) if (reason !== null) add(mode, tap, taps);
  add(null, null, lines);
}

/** Is this the first day of what the name says? One that names no time begins on none. */
const beginsOn = ({ date, period }: ObjectName, day: string): boolean =>
  day === date || (period !== undefined && isInPeriod(day, period) && !isInPeriod(addDays(day, -1), period));
