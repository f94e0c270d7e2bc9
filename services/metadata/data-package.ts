import { releasePath } from '../../contracts/names.ts';
import { folderAddress, licenceOf } from './addresses.ts';
import { citationOf } from './citation.ts';
import {
  type DescribedRelease,
  descriptionOf,
  type FileDescription,
  filesOf,
  formatOf,
  keywordsOf,
  mediaTypeOf,
  publisherName,
  type WrittenFile,
} from './data-description.ts';

const PROFILES = 'https://datapackage.org/profiles/2.0';

/**
 * datapackage.json: a Data Package v2 whose resources are the tables of a release, each with its columns, size and
 * digest. Members that are undefined are left out of the file. Equal releases give equal objects.
 */
export function dataPackage(subject: DescribedRelease): Record<string, unknown> {
  const { release, publication, description } = subject;
  const { contact, homepage, publisher } = publication;
  const licence = licenceOf(publication.licence);
  return {
    $schema: `${PROFILES}/datapackage.json`,
    name: `${release.series}-${release.window}-v${release.version}`,
    id: folderAddress(subject) ?? releasePath(release),
    title: publication.title,
    description: descriptionOf(subject),
    version: `${release.version}.0.0`,
    keywords: keywordsOf(subject),
    homepage,
    licenses: [{ name: licence.id ?? 'other', path: licence.address ?? undefined, title: publication.licence }],
    contributors: [
      {
        title: publisherName(subject),
        roles: ['publisher'],
        path: publisher?.homepage,
        email: contact?.includes('@') && !contact.includes('/') ? contact : undefined,
      },
    ],
    'opaline:release': releasePath(release),
    'opaline:temporal': { start: description.firstDay, end: description.lastDay, timeZone: description.timeZone },
    'opaline:citation': citationOf(subject),
    resources: filesOf(subject).flatMap((file) => (file.table ? [resource(file, file.table)] : [])),
  };
}

function resource(
  { name, title, description, sha256, bytes }: FileDescription & WrittenFile,
  { columns, key, total }: NonNullable<FileDescription['table']>,
): Record<string, unknown> {
  const isText = formatOf(name) === 'csv';
  return {
    $schema: `${PROFILES}/dataresource.json`,
    name: name.replace(/[^a-z0-9]+/g, '-'),
    type: 'table',
    path: name,
    title,
    description,
    format: formatOf(name),
    mediatype: mediaTypeOf(name),
    hash: `sha256:${sha256}`,
    // Of Parquet its validator counts no bytes, and takes any number for a mistake.
    bytes: isText ? bytes : undefined,
    'opaline:total': total,
    ...(isText
      ? { encoding: 'utf-8', dialect: { $schema: `${PROFILES}/tabledialect.json`, lineTerminator: '\r\n' } }
      : {}),
    schema: {
      $schema: `${PROFILES}/tableschema.json`,
      fields: columns.map(({ name: column, type, format, description: meaning, values, optional }) => ({
        name: column,
        type,
        format,
        description: meaning,
        constraints: { required: optional ? undefined : true, enum: values },
      })),
      primaryKey: key.length > 0 ? key : undefined,
    },
  };
}
