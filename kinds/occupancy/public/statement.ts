import { FINDING_WORDS } from '../../../activities/audit-page/verdict.ts';
import type { AuditReport } from '../../../contracts/audit.ts';
import type { RideCertificate } from '../../../core/occupancy/certified-rides.ts';
import { markdownText } from '../../../core/text/markdown.ts';
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
  { report: { verdict, checks }, versions }: { report: AuditReport; versions: readonly string[] },
): string {
  const { title, attribution, licence, notes } = series.publication;
  const without = holes.length === 0 ? [] : [`Without data, as objects were missing or damaged: ${holes.join(', ')}.`];
  const sections: [heading: string, paragraphs: string[]][] = [
    [
      'What this is',
      [
        `How full vehicles were at each scheduled departure (${domain.parts.join(', ')}) from ${domain.days[0]} to ${domain.days.at(-1)}, one status for each. Release ${release}. Times are those of the timetable, in ${domain.timeZone}.`,
        ...without,
      ],
    ],
    ['How to read it', reading],
    ['What protects the people in it', rideInWords(series)],
    ['What a year of releases means for one person', [list(ridesInWords(series))]],
    ['Versions of this window', [...versions]],
    ['What this does not cover', ['What nobody outside can check, the publisher attests:', list(assumptions)]],
    [
      'Audit',
      [`Verdict: ${verdict}.`, list(checks.map((one) => `${one.id}: ${FINDING_WORDS[one.verdict]}. ${one.sentence}`))],
    ],
    ...(notes.length > 0 ? ([['Notes', [list(notes.map(markdownText))]]] as [string, string[]][]) : []),
    ['Licence', [licence, ...(attribution ? [attribution] : [])].map(markdownText)],
  ];
  const body = sections.map(([heading, paragraphs]) => [`## ${heading}`, ...paragraphs].join('\n\n'));
  return `${[`# ${markdownText(title)}`, ...body].join('\n\n')}\n`;
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
