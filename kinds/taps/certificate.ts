import type { Certificate } from '../../contracts/certificate.ts';
import { readEpsilon } from '../../counts/certificate/amounts.ts';
import { certify } from '../../counts/certificate/certificate.ts';
import { usualFloors } from '../../counts/certificate/floors.ts';
import { formatSplit, readSplit } from '../../counts/certificate/split.ts';
import type { TapsFile, TapsSeries } from './series.ts';

/** Time bins of a clock hour. */
export const binsOfHour = (minutes: number): number => 60 / minutes;

const certificates = new WeakMap<TapsSeries['privacy'], Readonly<Certificate>>();

/**
 * The certificate of a series, kept for as long as its parameters are: `readSeries` gives the same frozen ones each
 * time, `certify` is a pure function of them that takes milliseconds, and it is asked for each partition. Throws
 * CERTIFICATE_IMPOSSIBLE.
 */
export function certificateOf({ privacy, source }: Pick<TapsSeries, 'privacy' | 'source'>): Readonly<Certificate> {
  const known = certificates.get(privacy);
  if (known) return known;
  const certificate = Object.freeze(certify({ ...privacy, rows: source.rows }));
  certificates.set(privacy, certificate);
  return certificate;
}

/**
 * The privacy parameters of a series file with time bins of so many minutes, in the form in which they are stored: the
 * split complete, floors that are left out by the rule of C8, and the clamp of left-out taps, which is maxTaps unless
 * it is named. Throws CERTIFICATE_IMPOSSIBLE.
 */
export function storedPrivacy(
  { floor, hours, clamp, ...privacy }: TapsFile['privacy'],
  minutes: number,
): TapsSeries['privacy'] {
  const split = readSplit(readEpsilon(privacy.epsilon), privacy.split);
  const bins = binsOfHour(minutes);
  const asked = {
    ...(floor !== undefined && { floor }),
    ...(hours && { hours: { bins, ...(hours.floor !== undefined && { floor: hours.floor }) } }),
  };
  const counted = clamp ?? (split.bounded && privacy.maxTaps);
  return {
    ...privacy,
    ...(counted !== undefined && { clamp: counted }),
    ...usualFloors(asked, privacy, split.cells),
    split: formatSplit(split),
  };
}
