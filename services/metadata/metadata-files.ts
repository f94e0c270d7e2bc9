import { FILES } from '../../contracts/names.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { formatCsvRecord, LINE_END } from '../../core/text/csv.ts';
import { catalogueRecord, olderCatalogueRecord } from './catalogue.ts';
import { citationFile } from './citation.ts';
import { type DescribedRelease, filesOf } from './data-description.ts';
import { dataPackage } from './data-package.ts';
import { guaranteePage } from './privacy-questions.ts';
import { readme } from './readme.ts';
import { summaryOf } from './release-summary.ts';
import { schemaOrgDataset } from './schema-org.ts';

const json = (make: (subject: DescribedRelease) => object) => (subject: DescribedRelease) =>
  `${canonicalJson(make(subject))}\n`;

const COLUMNS = ['file', 'column', 'position', 'type', 'description', 'values'];

/** data-dictionary.csv: a row for every column of every table; `values` are all that it can have, where they are few. */
const dataDictionary = (subject: DescribedRelease): string =>
  [
    COLUMNS,
    ...filesOf(subject).flatMap((file) =>
      (file.table?.columns ?? []).map(({ name, type, description, values }, place) => [
        file.name,
        name,
        `${place + 1}`,
        type,
        description,
        (values ?? []).join('|'),
      ]),
    ),
  ]
    .map((fields) => formatCsvRecord(fields) + LINE_END)
    .join('');

const MAKERS: Readonly<Record<string, (subject: DescribedRelease) => string>> = {
  [FILES.dictionary]: dataDictionary,
  [FILES.guarantee]: guaranteePage,
  [FILES.citation]: citationFile,
  [FILES.dataPackage]: json(dataPackage),
  [FILES.catalogue]: json(catalogueRecord),
  [FILES.olderCatalogue]: json(olderCatalogueRecord),
  [FILES.schemaOrg]: json(schemaOrgDataset),
  [FILES.readme]: readme,
  [FILES.summary]: json(summaryOf),
};

/** Names of the files that metadataFiles makes. */
export const METADATA_FILES: readonly string[] = Object.keys(MAKERS);

/**
 * The metadata of a release as texts by name: a pure function of public parameters, published rows and the digests of
 * the files that it describes.
 *
 * @contract C18 No clock in any of it.
 */
export const metadataFiles = (subject: DescribedRelease): [name: string, text: string][] =>
  Object.entries(MAKERS).map(([name, make]) => [name, make(subject)]);
