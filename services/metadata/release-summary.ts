import { SUMMARY_FORMAT, type Summary } from '../../contracts/formats/summary.ts';
import { releasePath } from '../../contracts/names.ts';
import { folderAddress } from './addresses.ts';
import { citationOf } from './citation.ts';
import { type DescribedRelease, describedFiles, descriptionOf, publisherName } from './description.ts';
import { openingOf } from './opening.ts';
import { FILES_OF_EVERY_RELEASE } from './readme.ts';

/** The content of summary.json. */
export function summaryOf(described: DescribedRelease): Summary {
  const { release, kind, publication, description, versions, nextExpected } = described;
  const { publisher, contact, homepage, area, licence, attribution, title } = publication;
  return {
    format: SUMMARY_FORMAT,
    release: releasePath(release),
    kind,
    title,
    description: descriptionOf(described),
    publisher: { name: publisherName(described), homepage: publisher?.homepage ?? null },
    contact: contact ?? null,
    homepage: homepage ?? null,
    address: folderAddress(described),
    area: area ?? null,
    frequency: publication.frequency,
    licence,
    attribution: attribution ?? null,
    citation: citationOf(described),
    days: { first: description.firstDay, last: description.lastDay, timeZone: description.timeZone },
    nextExpected,
    versions,
    opening: openingOf(described),
    reading: description.reading,
    figures: description.figures,
    tables: description.tables,
    places: description.places,
    files: [
      ...describedFiles(described).map((file) => ({
        name: file.name,
        title: file.title,
        description: file.description,
        total: file.table?.total,
      })),
      ...FILES_OF_EVERY_RELEASE.map(([file, meaning]) => ({ name: file, title: file, description: meaning })),
    ],
  };
}
