import type { Certificate } from '../../contracts/certificate.ts';
import { certify } from '../../core/certificate/certificate.ts';
import type { TapsSeries } from './series.ts';

const certificates = new WeakMap<TapsSeries['privacy'], Readonly<Certificate>>();

/**
 * The certificate of a series, kept for as long as its parameters are: `readSeries` gives the same frozen ones each
 * time, `certify` is a pure function of them that takes milliseconds, and it is asked for each partition. Throws
 * CERTIFICATE_IMPOSSIBLE.
 */
export function certificateOf({ privacy }: Pick<TapsSeries, 'privacy'>): Readonly<Certificate> {
  const known = certificates.get(privacy);
  if (known) return known;
  const certificate = Object.freeze(certify(privacy));
  certificates.set(privacy, certificate);
  return certificate;
}
