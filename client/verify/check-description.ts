import { z } from 'zod';
import { summarySchema } from '../../contracts/formats/summary.ts';
import { FILES, releasePath } from '../../contracts/names.ts';
import { csvFields, LINE_END } from '../../core/text/csv.ts';
import type { Publication } from '../../services/publication/publication.ts';
import { ensure } from '../../services/publication/verification-check.ts';

/** What is read of metadata; it holds more. */
const dataPackageSchema = z.looseObject({
  'opaline:release': z.string(),
  resources: z
    .array(
      z.looseObject({
        path: z.string(),
        hash: z.string(),
        format: z.string(),
        schema: z.looseObject({ fields: z.array(z.looseObject({ name: z.string() })) }),
      }),
    )
    .min(1),
});
const catalogueSchema = z.looseObject({
  'dct:identifier': z.string(),
  'dcat:distribution': z.array(
    z.looseObject({
      'dcat:downloadURL': z.looseObject({ '@id': z.string() }),
      'spdx:checksum': z.looseObject({ 'spdx:checksumValue': z.looseObject({ '@value': z.string() }) }),
    }),
  ),
});
const schemaOrgSchema = z.looseObject({
  identifier: z.string(),
  distribution: z.array(z.looseObject({ contentUrl: z.string(), sha256: z.string() })),
});

/** A file as metadata names it. */
type Named = { source: string; name: string; sha256: string };

const lastPart = (address: string): string => address.slice(address.lastIndexOf('/') + 1);

/**
 * The metadata is about this release and its files: every digest that it names is that of the file, and the columns of
 * every CSV table are those that it has.
 */
export function checkDescription(publication: Publication): string {
  const { files, manifest } = publication;
  const release = releasePath(manifest);
  const dataPackage = dataPackageSchema.parse(publication.json(FILES.dataPackage));
  const catalogue = catalogueSchema.parse(publication.json(FILES.catalogue));
  const schemaOrg = schemaOrgSchema.parse(publication.json(FILES.schemaOrg));
  const summary = summarySchema.parse(publication.json(FILES.summary));
  const about = [dataPackage['opaline:release'], catalogue['dct:identifier'], schemaOrg.identifier, summary.release];
  ensure(
    about.every((one) => one === release),
    'Some metadata is about another release.',
  );
  const entries: Named[] = [
    ...dataPackage.resources.map(({ path, hash }) => ({
      source: FILES.dataPackage,
      name: path,
      sha256: hash.replace(/^sha256:/, ''),
    })),
    ...catalogue['dcat:distribution'].map((one) => ({
      source: FILES.catalogue,
      name: one['dcat:downloadURL']['@id'],
      sha256: one['spdx:checksum']['spdx:checksumValue']['@value'],
    })),
    ...schemaOrg.distribution.map((one) => ({
      source: FILES.schemaOrg,
      name: lastPart(one.contentUrl),
      sha256: one.sha256,
    })),
  ];
  const digests = new Map(manifest.files.map(({ name, sha256 }) => [name, sha256]));
  const wrong = entries.filter(({ name, sha256 }) => digests.get(name) !== sha256);
  ensure(wrong.length === 0, `${wrong[0]?.source} does not have the digest of ${wrong[0]?.name}.`);
  for (const { path, format, schema } of dataPackage.resources) {
    const header = format === 'csv' ? headerOf(files.get(path)) : null;
    const columns = schema.fields.map(({ name }) => name).join();
    ensure(header === null || header.join() === columns, `${FILES.dataPackage} names other columns than ${path} has.`);
  }
  const gaps = summary.files.map(({ name }) => name).filter((name) => !files.has(name) && !isLater(name));
  ensure(gaps.length === 0, `The summary names files that are not there: ${gaps.join(', ')}.`);
  return `The metadata names ${dataPackage.resources.length} tables with the digests and columns that they have.`;
}

/** Files that are written after the manifest, and that other checks look for. */
const isLater = (name: string): boolean => name === FILES.attestation || name === FILES.checksums;

/** The first record of a CSV file; no name of a column has a line end in it. */
function headerOf(bytes: Buffer | undefined): string[] {
  const end = bytes?.indexOf(LINE_END) ?? -1;
  return end < 0 ? [] : csvFields(bytes!.subarray(0, end).toString('utf8'));
}
