import { releasePath } from '../../contracts/names.ts';
import { folderAddress, licenceOf } from './addresses.ts';
import { type DescribedRelease, descriptionOf, keywordsOf, publisherName } from './data-description.ts';

/** How the release is to be cited, in one sentence. */
export function citationOf(subject: DescribedRelease): string {
  const { release, publication, description } = subject;
  const path = releasePath(release);
  if (publication.citation !== undefined) return publication.citation.replaceAll('{release}', path);
  const { firstDay, lastDay } = description;
  const address = folderAddress(subject);
  return `${publisherName(subject)}: ${publication.title}, ${firstDay} to ${lastDay}, version ${release.version}. Release ${path}.${address ? ` ${address}` : ''}`;
}

/** Licences that the Citation File Format knows; others are left out of the file. */
const KNOWN_LICENCES: readonly string[] = [
  'CC0-1.0',
  'CC-BY-4.0',
  'CC-BY-3.0',
  'CC-BY-SA-4.0',
  'CC-BY-NC-4.0',
  'CC-BY-3.0-AU',
  'PDDL-1.0',
  'ODbL-1.0',
  'ODC-By-1.0',
  'OGL-UK-3.0',
  'OGL-UK-2.0',
  'etalab-2.0',
  'DL-DE-BY-2.0',
  'NLOD-2.0',
];

/** A YAML scalar: JSON text is one. */
const text = (value: string): string => JSON.stringify(value);

/** CITATION.cff, in the Citation File Format 1.2.0. The day of publication is no part of a release, and so not here. */
export function citationFile(subject: DescribedRelease): string {
  const { release, publication } = subject;
  const { publisher } = publication;
  const address = folderAddress(subject) ?? publication.homepage ?? null;
  const { id } = licenceOf(publication.licence);
  return [
    'cff-version: 1.2.0',
    `message: ${text(citationOf(subject))}`,
    'type: dataset',
    `title: ${text(publication.title)}`,
    `version: ${text(`v${release.version}`)}`,
    `abstract: ${text(descriptionOf(subject))}`,
    'authors:',
    `  - name: ${text(publisherName(subject))}`,
    ...(publisher?.homepage ? [`    website: ${text(publisher.homepage)}`] : []),
    'identifiers:',
    '  - type: other',
    `    value: ${text(releasePath(release))}`,
    '    description: Name of the release',
    ...(address ? [`url: ${text(address)}`] : []),
    ...(id !== null && KNOWN_LICENCES.includes(id) ? [`license: ${id}`] : []),
    'keywords:',
    ...keywordsOf(subject).map((keyword) => `  - ${text(keyword)}`),
    '',
  ].join('\n');
}
