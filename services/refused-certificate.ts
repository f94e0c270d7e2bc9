/** Codes of Node's TLS for a server's certificate; those of OpenSSL's alerts are what a server says of ours. */
const REFUSED = /^(?!ERR_SSL_).*(CERT|LEAF_SIGNATURE)/;

/** Was a connection given up because nobody here vouches for the server's certificate, its name or its time? */
export function isCertificateRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return REFUSED.test(code) || isCertificateRefused(error.cause);
}
