/** Files of a publication of occupancy, besides those that every one has. */
export const OCCUPANCY_FILES = {
  /** GTFS-Realtime: one TripUpdate for each run. */
  feed: 'trip-updates.pb',
  /** The public timetable, as the series names it. */
  timetable: 'timetable.csv',
} as const;

/** What a release of occupancy is made of, each in one file or several: its audit has a comparison for each. */
export type StatusTable = 'statuses' | 'timetable' | 'privacy' | 'certificate';
