import { z } from 'zod';

/** Statuses that a passenger count can have, as GTFS-Realtime names them; in this order, fuller and fuller. */
export const STATUS_NAMES = [
  'EMPTY',
  'MANY_SEATS_AVAILABLE',
  'FEW_SEATS_AVAILABLE',
  'STANDING_ROOM_ONLY',
  'CRUSHED_STANDING_ROOM_ONLY',
  'FULL',
] as const;

/** The status of a departure in a partition that is a hole: a fault of an object or a device, never of a count. */
export const NO_DATA = 'NO_DATA_AVAILABLE';

export const PUBLISHED_STATUSES = [...STATUS_NAMES, NO_DATA] as const;
export type PublishedStatus = (typeof PUBLISHED_STATUSES)[number];

/** The status of one scheduled departure, as it is published. */
export const statusRowSchema = z.object({
  part: z.string(),
  /** Day of service, YYYY-MM-DD. */
  day: z.iso.date(),
  run: z.string(),
  sequence: z.int().min(0).max(999_999),
  stop: z.string(),
  /** Scheduled time HH:MM or HH:MM:SS; beyond 24:00 it is after midnight. */
  departure: z.string(),
  vehicle: z.string(),
  status: z.enum(PUBLISHED_STATUSES),
});
export type StatusRow = z.output<typeof statusRowSchema>;
