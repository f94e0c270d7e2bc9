import type { AuditCheck } from '../../../contracts/audit.ts';
import type { Tap } from '../../../contracts/names.ts';
import { type CountRow, rowKey } from '../../derive/count-row.ts';
import { report } from '../check.ts';

/** A vehicle that stops, from a public timetable (GTFS), as the bins of the series see it. */
export type StopEvent = {
  mode: string;
  day: string;
  tap: Tap;
  /** Label of the time bin. */
  time: string;
  /** The published location, such as a postcode. */
  location: string;
  /** Identifies the vehicle's run. */
  service: string;
  /** Identifies the stop within the location. */
  stop: string;
};

/** How many services and how many active stops can feed a cell. */
export type Feed = Pick<CountRow, 'mode' | 'day' | 'tap' | 'time' | 'location'> & { services: number; stops: number };

/** Services and stops of every cell that the timetable can feed, in the order in which they are first met. */
export function feedsOfCells(events: readonly StopEvent[]): Feed[] {
  const cells = new Map<string, { event: StopEvent; services: Set<string>; stops: Set<string> }>();
  for (const event of events) {
    const key = rowKey({ ...event, count: 0 });
    const cell = cells.get(key) ?? { event, services: new Set(), stops: new Set() };
    cell.services.add(event.service);
    cell.stops.add(event.stop);
    cells.set(key, cell);
  }
  return [...cells.values()].map(({ event: { mode, day, tap, time, location }, services, stops }) => ({
    ...{ mode, day, tap, time, location },
    services: services.size,
    stops: stops.size,
  }));
}

/** What a timetable says of a cell on any day: how many services and how many stops can feed it. */
export type TimetableCell = Omit<Feed, 'day'>;

/** Cells named in the sentence; the rest is counted. */
const NAMED = 5;

/**
 * Timetable extremes: a published cell that only one service or one stop can feed names the vehicle or the stop, which
 * the bins were to hide (Culnane, Rubinstein, Teague 2017, section 4.2: a night bus). Statistic: such cells among the
 * published ones. The remedy is a public rule that makes those bins coarser.
 */
export const checkTimetableExtremes = (events: readonly StopEvent[], cells: readonly CountRow[]): AuditCheck =>
  checkFeeds(feedsOfCells(events), cells, (row) => rowKey({ ...row, count: 0 }));

/** The same from a timetable that holds on every day, as a series declares it. */
export const checkTimetable = (timetable: readonly TimetableCell[], cells: readonly CountRow[]): AuditCheck =>
  checkFeeds(timetable, cells, ({ mode, tap, time, location }) => JSON.stringify([mode, tap, time, location]));

function checkFeeds<Cell extends TimetableCell>(
  feeds: readonly Cell[],
  cells: readonly CountRow[],
  keyOf: (cell: Cell | CountRow) => string,
): AuditCheck {
  const lone = new Set(feeds.filter(({ services, stops }) => services === 1 || stops === 1).map(keyOf));
  const alone = cells.filter((row) => lone.has(keyOf(row)));
  const names = alone
    .slice(0, NAMED)
    .map(({ mode, day, tap, time, location }) => `${mode} ${day} ${tap} ${time} ${location}`);
  const more = alone.length > NAMED ? ` and ${alone.length - NAMED} more` : '';
  return report('timetable-extremes', 'Find cells that a single vehicle or a single stop can feed.', {
    verdict: alone.length === 0 ? 'pass' : 'attention',
    statistic: alone.length,
    bound: 0,
    sentence:
      alone.length > 0
        ? `One service or one stop alone can feed: ${names.join('; ')}${more}. A coarser public bin there would hide it.`
        : feeds.length === 0
          ? 'No timetable is declared, so that nobody looked for cells of a single vehicle.'
          : 'By the timetable every published cell is fed by several services and several stops.',
  });
}
