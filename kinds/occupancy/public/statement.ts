import type { StatementFacts } from '../../../services/publication/release-texts.ts';
import { markdownList, notCovered, statementText } from '../../statement.ts';
import type { RideCertificate } from '../mechanism/certified-rides.ts';
import type { OccupancyPrivacyFile } from '../privacy-file.ts';
import { ridesInWords } from '../words.ts';

/**
 * statement.md: what the data is, what protects the people in it and what that does not cover, for people. A function of
 * public parameters and the audit; it holds no clock.
 */
export function occupancyStatement(
  { domain, holes, parameters, reading, release }: OccupancyPrivacyFile,
  ride: readonly string[],
  assumptions: RideCertificate['assumptions'],
  { report, publication, versions }: StatementFacts,
): string {
  const without = holes.length === 0 ? [] : [`Without data, as objects were missing or damaged: ${holes.join(', ')}.`];
  return statementText(publication, report, [
    [
      'What this is',
      [
        `How full vehicles were at each scheduled departure (${domain.parts.join(', ')}) from ${domain.days[0]} to ${domain.days.at(-1)}, one status for each. Release ${release}. Times are those of the timetable, in ${domain.timeZone}.`,
        ...without,
      ],
    ],
    ['How to read it', reading],
    ['What protects the people in it', ride],
    ['What a year of releases means for one person', [markdownList(ridesInWords(parameters))]],
    ['Versions of this window', versions],
    notCovered(assumptions),
  ]);
}
