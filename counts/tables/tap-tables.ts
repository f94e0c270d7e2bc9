import type { PublishedTaps } from '../../contracts/certificate.ts';

/** The two ends of a trip. */
export const TAPS = ['on', 'off'] as const;
export type Tap = (typeof TAPS)[number];
export const isTap = (value: unknown): value is Tap => TAPS.some((tap) => tap === value);

/** The ends of a trip that a release publishes. */
export const listEnds = (publish: PublishedTaps): Tap[] =>
  TAPS.filter((tap) => publish === 'on+off' || publish === tap);

/** The tables that a series of taps can choose from. */
export const TABLES = ['time-location', 'time', 'location'] as const;
export type Table = (typeof TABLES)[number];

/** All tables of a release of taps; what the privacy parameters call for is there whatever the series chose. */
export const PUBLISHED_TABLES = [
  ...TABLES,
  'hours',
  'remainder-time',
  'remainder-location',
  'margins-time',
  'margins-location',
  'left-out',
] as const;
export type PublishedTable = (typeof PUBLISHED_TABLES)[number];
