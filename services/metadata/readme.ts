import type { Summary } from '../../contracts/formats/summary.ts';
import { FILES, releasePath } from '../../contracts/names.ts';
import { markdownText } from '../../core/text/markdown.ts';
import { citationOf } from './citation.ts';
import {
  type DescribedRelease,
  descriptionOf,
  type FileDescription,
  filesOf,
  publisherName,
} from './data-description.ts';
import { openingOf } from './opening.ts';

/** Files that the description of a kind does not name, since every release has them. */
export const FILES_OF_EVERY_RELEASE: readonly (readonly [name: string, description: string])[] = [
  [FILES.statement, 'What the data is, how to read it, and what protects the people in it.'],
  [FILES.guarantee, 'The questions of NIST SP 800-226 on the privacy of the release, answered.'],
  [FILES.dictionary, 'What every column of every table is.'],
  [FILES.dataPackage, 'The tables for programs: a Data Package, version 2.'],
  [FILES.catalogue, 'The release for catalogues: DCAT-3 as JSON-LD.'],
  [FILES.olderCatalogue, 'The same for portals that go by DCAT-AP 2.'],
  [FILES.schemaOrg, 'The release for search engines: schema.org as JSON-LD.'],
  [FILES.citation, 'How to cite the release, for programs.'],
  [FILES.summary, 'What the pages of the series say of the release.'],
  [FILES.audit, 'What was tried against the release before people approved it, and what came of it.'],
  [FILES.manifest, 'Digests of all files that people approved, and where the release stands in the ledger.'],
  [FILES.attestation, 'Signatures of those who approved the release, and of its publisher.'],
  [FILES.checksums, 'Digests of all files, as `sha256sum -c SHA256SUMS` reads them.'],
];

/** README.md of the folder of a release. */
export function readme(subject: DescribedRelease): string {
  const { release, publication, description, versions } = subject;
  const { contact, homepage, attribution, licence } = publication;
  const { missing, interval, others } = description.reading;
  const files = filesOf(subject);
  const entries = [...files.map(({ name, description: text }) => [name, text]), ...FILES_OF_EVERY_RELEASE];
  return `# ${markdownText(publication.title)}

${markdownText(descriptionOf(subject))}

${openingText(openingOf(subject))}

## What this is

Days: ${description.firstDay} to ${description.lastDay}, in ${description.timeZone}. Release: \`${releasePath(release)}\`, version ${release.version} of its window.

## Read this first

${[missing, interval, ...others].join('\n\n')}

More is in \`${FILES.statement}\`.

${['## Versions', ...versions].join('\n\n')}

## Files

${entries.map(([name, text]) => `- \`${name}\`: ${text}`).join('\n')}

${files.map(columnSection).join('')}## Check it

That the files are whole: \`sha256sum -c SHA256SUMS\`. That they are those that people approved, and keep what they claim: \`opaline verify FOLDER --trust TRUST-FILE\`, with the trust file of the publisher.

## Cite it

${markdownText(citationOf(subject))}

## Licence and contact

Licence: ${markdownText(licence)}.
${attribution === undefined ? '' : `\n${markdownText(attribution)}\n`}
Published by ${markdownText(publisherName(subject))}.${contact === undefined ? '' : ` Contact: ${contact}.`}${homepage === undefined ? '' : ` Home page: ${homepage}.`}
`;
}

/** What a reader has to know before the first number. */
function openingText({ missing, purpose, notes, tables, lines }: Summary['opening']): string {
  const code = Object.entries(lines ?? {}).map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\``);
  return [
    '## Before the first number',
    [...missing, purpose, ...notes.map((note) => `Note: ${markdownText(note)}`)]
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
    'Which table to take:',
    tables.map(({ question, table }) => `- ${question}: \`${table}\``).join('\n'),
    ...(code.length > 0 ? ['To begin with, in Python (pandas), R and SQL (DuckDB):', ...code] : []),
  ].join('\n\n');
}

const columnSection = ({ name, table }: FileDescription): string =>
  table
    ? `## Columns of ${name}

| column | type | meaning |
| --- | --- | --- |
${table.columns.map((column) => `| \`${column.name}\` | ${column.type} | ${column.description} |\n`).join('')}
`
    : '';
