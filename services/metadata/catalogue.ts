import { releasePath } from '../../contracts/names.ts';
import type { Series, SeriesFrequency } from '../../contracts/series.ts';
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

/** Vocabularies, and the types of values; a reader has to load nothing. */
const CONTEXT = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  spdx: 'http://spdx.org/rdf/terms#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const;

/** Authority codes of the Publications Office of the EU. */
const FREQUENCY_CODES: Readonly<Record<SeriesFrequency, string>> = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  fortnightly: 'BIWEEKLY',
  monthly: 'MONTHLY',
  quarterly: 'QUARTERLY',
  yearly: 'ANNUAL',
  irregular: 'IRREG',
};

const id = (address: string) => ({ '@id': address });
/** Shapes ask for the class of what is named, and a reader may not load it. */
const node = (address: string, type: string) => ({ '@id': address, '@type': type });
const day = (text: string) => ({ '@type': 'xsd:date', '@value': text });

/** Addresses of a document are relative to where it is, or to the base that the series names. */
export const contextWithBase = (base: string | null): Record<string, string> => ({
  ...CONTEXT,
  ...(base !== null && { '@base': base }),
});

/**
 * dcat.jsonld: the release as a DCAT-3 dataset of its series, with a distribution and checksum for every file that is
 * described. It follows the shapes of DCAT-AP. Dates of issue come from a clock, and are in the attestation alone.
 */
export function catalogueRecord(subject: DescribedRelease): Record<string, unknown> {
  const { release, publication, description } = subject;
  const { version } = release;
  return {
    '@context': contextWithBase(folderAddress(subject)),
    '@id': './',
    '@type': 'dcat:Dataset',
    'dct:identifier': releasePath(release),
    'dct:title': `${publication.title}, ${description.firstDay} to ${description.lastDay}`,
    'dct:description': descriptionOf(subject),
    'dct:publisher': publisherNode(subject),
    'dcat:contactPoint': contactPoint(publication),
    'dcat:keyword': keywordsOf(subject),
    'dct:temporal': {
      '@type': 'dct:PeriodOfTime',
      'dcat:startDate': day(description.firstDay),
      'dcat:endDate': day(description.lastDay),
    },
    'dct:spatial': spatial(publication),
    'dct:accrualPeriodicity': frequencyNode(publication.frequency),
    'dcat:landingPage': publication.homepage && node(publication.homepage, 'foaf:Document'),
    'dcat:version': `${version}`,
    'dct:bibliographicCitation': citationOf(subject),
    'dcat:inSeries': {
      ...node('../../', 'dcat:DatasetSeries'),
      'dct:title': publication.title,
      'dct:description': descriptionOf(subject),
      'dct:publisher': publisherNode(subject),
    },
    'dcat:distribution': filesOf(subject).map((file) => ({
      '@id': file.name,
      '@type': 'dcat:Distribution',
      'dct:title': file.title,
      'dct:description': file.description,
      'dcat:accessURL': node('./', 'rdfs:Resource'),
      'dcat:downloadURL': node(file.name, 'rdfs:Resource'),
      'dcat:mediaType': node(`https://www.iana.org/assignments/media-types/${mediaTypeOf(file.name)}`, 'dct:MediaType'),
      'dcat:byteSize': { '@type': 'xsd:nonNegativeInteger', '@value': `${file.bytes}` },
      'dct:license': licenceNode(publication.licence),
      'spdx:checksum': {
        '@type': 'spdx:Checksum',
        'spdx:algorithm': node('spdx:checksumAlgorithm_sha256', 'spdx:ChecksumAlgorithm'),
        'spdx:checksumValue': { '@type': 'xsd:hexBinary', '@value': file.sha256 },
      },
    })),
  };
}

/** dcat-ap-2.jsonld: by DCAT-AP 2.1.1, where a size is a decimal, and a checksum can only be a SHA-1. */
export function olderCatalogueRecord(subject: DescribedRelease): Record<string, unknown> {
  const record = catalogueRecord(subject);
  const distributions = record['dcat:distribution'] as Record<string, unknown>[];
  return {
    ...record,
    'dcat:distribution': distributions.map(({ 'spdx:checksum': _, ...file }) => ({
      ...file,
      'dcat:byteSize': { ...(file['dcat:byteSize'] as object), '@type': 'xsd:decimal' },
    })),
  };
}

export const frequencyNode = (frequency: SeriesFrequency) =>
  node(`http://publications.europa.eu/resource/authority/frequency/${FREQUENCY_CODES[frequency]}`, 'dct:Frequency');

const publisherNode = (subject: Pick<DescribedRelease, 'publication' | 'release'>) =>
  agentNode(publisherName(subject), subject.publication.publisher?.homepage);

/** An organisation, and its address if it has one. */
export const agentNode = (name: string, homepage: string | null | undefined) => ({
  '@type': 'foaf:Agent',
  'foaf:name': name,
  'foaf:homepage': homepage ? node(homepage, 'foaf:Document') : undefined,
});

function contactPoint({ contact, publisher }: Series['publication']) {
  if (contact === undefined) return undefined;
  return {
    '@type': ['vcard:Organization', 'vcard:Kind'],
    'vcard:fn': publisher?.name ?? contact,
    ...(isPage(contact) ? { 'vcard:hasURL': id(contact) } : { 'vcard:hasEmail': id(`mailto:${contact}`) }),
  };
}

const isPage = (text: string): boolean => /^https?:/.test(text);

function spatial({ area }: Series['publication']) {
  if (area === undefined) return undefined;
  return isPage(area) ? id(area) : { '@type': 'dct:Location', 'skos:prefLabel': area };
}

function licenceNode(licence: string): Record<string, unknown> {
  const { address } = licenceOf(licence);
  const fields = { '@type': 'dct:LicenseDocument', 'dct:title': licence };
  return address === null ? fields : { '@id': address, ...fields };
}
