/** SHA256SUMS in the form that sha256sum reads, in the order of the names: digests of files by name. */
export const checksumLines = (sums: ReadonlyMap<string, string>): string =>
  [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, digest]) => `${digest}  ${name}\n`)
    .join('');
