import type { AuditReport } from '../../../contracts/audit.ts';
import { markdownList, notCovered, statementText } from '../../statement.ts';
import type { RideCertificate } from '../mechanism/certified-rides.ts';
import type { OccupancyPrivacyFile } from '../privacy-file.ts';
import type { OccupancySeries } from '../series.ts';
import { rideInWords, ridesInWords } from '../words.ts';

/**
 * statement.md: what the data is, what protects the people in it and what that does not cover, for people. A function of
 * public parameters and the audit; it holds no clock.
 */
export function occupancyStatement(
  series: OccupancySeries,
  { domain, holes, reading, release }: OccupancyPrivacyFile,
  assumptions: RideCertificate['assumptions'],
  { report, versions }: { report: AuditReport; versions: readonly string[] },
): string {
  const without = holes.length === 0 ? [] : [`Without data, as objects were missing or damaged: ${holes.join(', ')}.`];
  return statementText(series.publication, report, [
    [
      'What this is',
      [
        `How full vehicles were at each scheduled departure (${domain.parts.join(', ')}) from ${domain.days[0]} to ${domain.days.at(-1)}, one status for each. Release ${release}. Times are those of the timetable, in ${domain.timeZone}.`,
        ...without,
      ],
    ],
    ['How to read it', reading],
    ['What protects the people in it', rideInWords(series)],
    ['What a year of releases means for one person', [markdownList(ridesInWords(series))]],
    ['Versions of this window', versions],
    notCovered(assumptions),
  ]);
}
