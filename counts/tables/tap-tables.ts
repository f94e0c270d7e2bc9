/** The two ends of a trip. */
export const TAPS = ['on', 'off'] as const;
export type Tap = (typeof TAPS)[number];
export const isTap = (value: unknown): value is Tap => TAPS.some((tap) => tap === value);

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
