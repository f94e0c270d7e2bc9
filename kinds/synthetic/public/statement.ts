import type { StatementFacts } from '../../../services/publication/release-texts.ts';
import { markdownList, notCovered, statementText } from '../../statement.ts';
import type { SyntheticCertificate } from '../mechanism/certified-rows.ts';
import type { SyntheticPrivacyFile } from '../privacy-file.ts';
import { rowInWords, rowsInWords } from '../words.ts';

/**
 * statement.md: what the data is, what protects the people in it and what that does not cover, for people. A function
 * of public parameters and the audit; it holds no clock.
 */
export function syntheticStatement(
  { domain, parameters, workload, holes, reading, release }: SyntheticPrivacyFile,
  certificate: SyntheticCertificate,
  { report, publication, versions }: StatementFacts,
): string {
  const without = holes.length === 0 ? [] : [`Without data, as objects were missing or damaged: ${holes.join(', ')}.`];
  const asked = workload.map(
    ({ attributes, ordered }) =>
      `${attributes.join(' × ')}${ordered > 1 ? `, and ranges of ${attributes.at(-1)}` : ''}`,
  );
  return statementText(publication, report, [
    [
      'What this is',
      [
        `Synthetic data: how the ${parameters.unit}s of ${domain.parts.join(', ')} from ${domain.days[0]} to ${domain.days.at(-1)} may have been spread over ${domain.attributes.map(({ name }) => name).join(', ')}. Release ${release}. It is fitted to noisy answers and is no copy of any ${parameters.unit}. Times are of ${domain.timeZone}.`,
        'These were asked about:',
        markdownList(asked),
        ...without,
      ],
    ],
    ['How to read it', [markdownList(reading)]],
    ['What protects the people in it', rowInWords(certificate)],
    ['What a year of releases means for one person', [markdownList(rowsInWords(parameters))]],
    ['Versions of this window', versions],
    notCovered(certificate.assumptions),
  ]);
}
