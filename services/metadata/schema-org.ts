import { releasePath } from '../../contracts/names.ts';
import { folderAddress, licenceOf } from './addresses.ts';
import { citationOf } from './citation.ts';
import {
  type DescribedRelease,
  descriptionOf,
  filesOf,
  keywordsOf,
  mediaTypeOf,
  publisherName,
} from './data-description.ts';

/** schema-org.jsonld: the release as a Dataset of schema.org, for search engines. */
export function schemaOrgDataset(subject: DescribedRelease): Record<string, unknown> {
  const { release, publication, description } = subject;
  const { publisher, area, homepage } = publication;
  const base = folderAddress(subject);
  const licence = licenceOf(publication.licence);
  const creator = {
    '@type': 'Organization',
    name: publisherName(subject),
    url: publisher?.homepage,
  };
  return {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    ...(base === null ? {} : { '@id': base, url: base }),
    identifier: releasePath(release),
    name: `${publication.title}, ${description.firstDay} to ${description.lastDay}`,
    description: descriptionOf(subject),
    version: `${release.version}`,
    license: licence.address ?? publication.licence,
    isAccessibleForFree: true,
    creator,
    publisher: creator,
    keywords: keywordsOf(subject),
    temporalCoverage: `${description.firstDay}/${description.lastDay}`,
    spatialCoverage: area === undefined ? undefined : { '@type': 'Place', name: area },
    sameAs: homepage,
    measurementTechnique: 'Differential privacy',
    variableMeasured: description.measured,
    citation: citationOf(subject),
    distribution: filesOf(subject).map(({ name, title, bytes, sha256 }) => ({
      '@type': 'DataDownload',
      name: title,
      contentUrl: `${base ?? ''}${name}`,
      encodingFormat: mediaTypeOf(name),
      contentSize: `${bytes} B`,
      sha256,
    })),
  };
}
