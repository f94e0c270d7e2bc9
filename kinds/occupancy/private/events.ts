import type { VehicleModel } from '../mechanism/vehicle-model.ts';
import type { OccupancySeries } from '../series.ts';
import { departureKey, type ScheduledRun, secondsOf } from '../timetable.ts';

/** Why a row is no event. */
export type EventProblem = 'unknown-departure' | 'other-vehicle' | 'no-count';

/** Place of a scheduled departure: of which run, and the how-manieth of it. */
type Place = { run: ScheduledRun; departure: number };

/** One row as an event: what was counted, each number clamped to 0 and the largest count of the vehicle. */
export type VehicleEvent = Place & { numbers: readonly number[] };

/** The columns that a series counts: passengers aboard, or boardings and then alightings. */
export function listColumns({ source: { columns } }: Pick<OccupancySeries, 'source'>): string[] {
  const { passengers, boardings, alightings } = columns;
  return passengers === undefined ? [boardings!, alightings!] : [passengers];
}

/** The departures of some runs, by what an event says of them. */
export const departuresOf = (runs: readonly ScheduledRun[]): Map<string, Place> =>
  new Map(
    runs.flatMap((run) =>
      run.departures.map((one, departure): [string, Place] => [
        departureKey(run.run, one.stop, secondsOf(one.departure)!),
        { run, departure },
      ]),
    ),
  );

/**
 * A row as an event of one of the departures, or why it is not one. It depends on the row and on public constants alone.
 * A number of passengers, however large, never makes a row bad: it is clamped, so that a ride more changes an event by
 * one at most.
 *
 * @contract C3
 * @contract C5
 */
export function eventOf(
  fields: ReadonlyMap<string, string>,
  series: Pick<OccupancySeries, 'source'>,
  departures: ReadonlyMap<string, Place>,
  models: ReadonlyMap<string, VehicleModel>,
): VehicleEvent | EventProblem {
  const { columns } = series.source;
  const of = (column: string): string => fields.get(column)?.trim() ?? '';
  const seconds = secondsOf(of(columns.departure));
  const place = seconds === null ? undefined : departures.get(departureKey(of(columns.run), of(columns.stop), seconds));
  if (place === undefined) return 'unknown-departure';
  if (columns.vehicle !== undefined && of(columns.vehicle) !== place.run.vehicle) return 'other-vehicle';
  const { maximumCount } = models.get(place.run.vehicle)!;
  const numbers = listColumns(series).map((column) => clampNumber(of(column), maximumCount));
  return numbers.includes(null) ? 'no-count' : { ...place, numbers: numbers.filter((number) => number !== null) };
}

/** A whole number within 0 and the most; null when the text is not one. Digits beyond those of the most are not read. */
function clampNumber(text: string, most: number): number | null {
  const match = /^([+-]?)0*(\d+)$/.exec(text);
  if (!match) return null;
  const [, sign, digits] = match as unknown as [string, string, string];
  if (sign === '-') return 0;
  return digits.length > 9 ? most : Math.min(Number(digits), most);
}
