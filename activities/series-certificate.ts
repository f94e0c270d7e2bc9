import type { Certificate } from '../contracts/certificate.ts';
import type { Series } from '../contracts/series.ts';
import { certify } from '../core/certificate/certificate.ts';
import { canonicalJson } from '../core/json/canonical.ts';

/** Certificates that are kept: a worker meets few sets of parameters at a time. */
const KEPT = 16;
const certificates = new Map<string, Certificate>();

/**
 * The certificate of a series, kept by its parameters: `certify` is a pure function of them, takes milliseconds, and is
 * asked for each partition. Throws CERTIFICATE_IMPOSSIBLE.
 */
export function certificateOf({ privacy }: Pick<Series, 'privacy'>): Readonly<Certificate> {
  const parameters = canonicalJson(privacy);
  const known = certificates.get(parameters);
  if (known) return known;
  const certificate = Object.freeze(certify(privacy));
  if (certificates.size >= KEPT) certificates.delete(certificates.keys().next().value!);
  certificates.set(parameters, certificate);
  return certificate;
}
