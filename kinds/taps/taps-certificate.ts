import type { z } from 'zod';
import type { Certificate } from '../../contracts/certificate.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import { type CertificateRequest, certify, noiseOnCells, sharesOf } from '../../counts/certificate/certify.ts';
import { usualFloors } from '../../counts/certificate/floors.ts';
import { formatSplit } from '../../counts/certificate/split.ts';
import { MECHANISMS } from '../../counts/mechanisms/mechanisms.ts';
import type { askedParameters, TapsSeries } from './series.ts';

/** Taps of one card that are counted at one location, where the mechanism bounds them and nobody says how many. */
const USUAL_PLACE = 2;

/** Time bins of a clock hour. */
export const binsOfHour = (minutes: number): number => 60 / minutes;

/**
 * The certificate of a series, kept for as long as the series is: `readSeries` gives the same frozen one each time,
 * `certify` is a pure function of its parameters that takes milliseconds, and it is asked for each partition. Throws
 * CERTIFICATE_IMPOSSIBLE.
 */
export const certificateOf = oncePer(
  ({ privacy, source }: Pick<TapsSeries, 'privacy' | 'source'>): Readonly<Certificate> =>
    Object.freeze(certify({ ...privacy, rows: source.rows })),
);

/**
 * Parameters as series files write them, in the form in which they are stored and certified: the split complete, floors
 * that are left out by the rule of C8, the bound of a place, and the clamp of left-out taps, which is maxTaps unless it
 * is named. `bins`: time bins of a clock hour; `cells`: of the public domain of a release, null where nobody says which.
 * Throws CERTIFICATE_IMPOSSIBLE.
 */
export function completeParameters(
  { floor, hours, clamp, ...asked }: z.output<typeof askedParameters>,
  bins: number,
  cells: number | null,
): CertificateRequest {
  const split = sharesOf(asked);
  const most = clamp ?? (split.bounded && asked.maxTaps);
  const request = {
    ...asked,
    ...(MECHANISMS[asked.mechanism].shares === 'of ρ' && { place: asked.place ?? USUAL_PLACE }),
    clamp: most,
    split: formatSplit(split),
  };
  const floors = usualFloors({ floor, hours: hours && { ...hours, bins }, cells }, request, noiseOnCells(request));
  return { ...request, ...floors };
}
