import bindings from 'gtfs-realtime-bindings';
import { PUBLISHED_STATUSES, type PublishedStatus, type StatusRow } from '../status.ts';

const { FeedHeader, FeedMessage, TripDescriptor, TripUpdate, VehiclePosition } = bindings.transit_realtime;
const { StopTimeUpdate } = TripUpdate;

/** What a feed says of one departure. */
export type FeedDeparture = Pick<StatusRow, 'day' | 'run' | 'sequence' | 'stop' | 'status'>;

/**
 * The statuses as GTFS-Realtime 2.0: a TripUpdate for each run and day, in the order of the rows, with the status after
 * each departure. Nothing is predicted, and so every stop says NO_DATA of its times. `timestamp`, seconds since 1970, is
 * the end of the window and no clock (C18).
 */
export function formatFeed(rows: readonly StatusRow[], timestamp: number): Buffer {
  const trips = Map.groupBy(rows, ({ day, run }) => `${day}/${run}`);
  const message = {
    header: { gtfsRealtimeVersion: '2.0', incrementality: FeedHeader.Incrementality.FULL_DATASET, timestamp },
    entity: [...trips].map(([id, stops]) => ({
      id,
      tripUpdate: {
        trip: {
          tripId: stops[0]!.run,
          startDate: stops[0]!.day.replaceAll('-', ''),
          scheduleRelationship: TripDescriptor.ScheduleRelationship.SCHEDULED,
        },
        stopTimeUpdate: stops.map(({ sequence, stop, status }) => ({
          stopSequence: sequence,
          stopId: stop,
          scheduleRelationship: StopTimeUpdate.ScheduleRelationship.NO_DATA,
          departureOccupancyStatus: VehiclePosition.OccupancyStatus[status],
        })),
      },
    })),
  };
  return Buffer.from(FeedMessage.encode(message).finish());
}

/** Reads the statuses of a feed, in its order. Throws when it is not one, or has a status that no release has. */
export const parseFeed = (bytes: Uint8Array): FeedDeparture[] =>
  FeedMessage.decode(bytes).entity.flatMap(({ tripUpdate }) =>
    (tripUpdate?.stopTimeUpdate ?? []).map(({ stopSequence, stopId, departureOccupancyStatus }) => ({
      day: dayOf(tripUpdate?.trip.startDate ?? ''),
      run: tripUpdate?.trip.tripId ?? '',
      sequence: Number(stopSequence),
      stop: stopId ?? '',
      status: statusOf(departureOccupancyStatus),
    })),
  );

const dayOf = (date: string): string => date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');

function statusOf(value: number | null | undefined): PublishedStatus {
  const status = PUBLISHED_STATUSES.find((name) => VehiclePosition.OccupancyStatus[name] === value);
  if (status === undefined) throw new SyntaxError('a feed has a status that no release has');
  return status;
}
