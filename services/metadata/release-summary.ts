import { SUMMARY_FORMAT, type Summary } from '../../contracts/formats/summary.ts';
import { releasePath } from '../../contracts/names.ts';
import { folderAddress } from './addresses.ts';
import { citationOf } from './citation.ts';
import { type DescribedRelease, descriptionOf, filesOf, publisherName } from './data-description.ts';
import { openingOf } from './opening.ts';
import { FILES_OF_EVERY_RELEASE } from './readme.ts';

/** The content of summary.json. */
export function summaryOf(subject: DescribedRelease): Summary {
  const { release, kind, publication, description, versions, nextExpected } = subject;
  const { publisher, contact, homepage, area, licence, attribution, title } = publication;
  return {
    format: SUMMARY_FORMAT,
    release: releasePath(release),
    kind,
    title,
    description: descriptionOf(subject),
    publisher: { name: publisherName(subject), homepage: publisher?.homepage ?? null },
    contact: contact ?? null,
    homepage: homepage ?? null,
    address: folderAddress(subject),
    area: area ?? null,
    frequency: publication.frequency,
    licence,
    attribution: attribution ?? null,
    citation: citationOf(subject),
    days: { first: description.firstDay, last: description.lastDay, timeZone: description.timeZone },
    nextExpected,
    versions,
    opening: openingOf(subject),
    reading: description.reading,
    figures: description.figures,
    tables: description.tables,
    places: description.places,
    files: [
      ...filesOf(subject).map((file) => ({
        name: file.name,
        title: file.title,
        description: file.description,
        total: file.table?.total,
      })),
      ...FILES_OF_EVERY_RELEASE.map(([file, meaning]) => ({ name: file, title: file, description: meaning })),
    ],
  };
}
