import type { AuditReport } from '../../../contracts/audit.ts';
import type { SyntheticCertificate } from '../../../core/synthetic/certified-rows.ts';
import { markdownText } from '../../../core/text/markdown.ts';
import type { SyntheticPrivacyFile } from '../privacy-file.ts';
import type { SyntheticSeries } from '../series.ts';
import { rowInWords, rowsInWords } from '../words.ts';

/**
 * statement.md: what the data is, what protects the people in it and what that does not cover, for people. A function
 * of public parameters and the audit; it holds no clock.
 */
export function syntheticStatement(
  series: SyntheticSeries,
  { domain, workload, holes, reading, release }: SyntheticPrivacyFile,
  { assumptions }: Pick<SyntheticCertificate, 'assumptions'>,
  { report: { verdict, checks }, versions }: { report: AuditReport; versions: readonly string[] },
): string {
  const { title, attribution, licence, notes } = series.publication;
  const without = holes.length === 0 ? [] : [`Without data, as objects were missing or damaged: ${holes.join(', ')}.`];
  const asked = workload.map(
    ({ attributes, ordered }) =>
      `${attributes.join(' × ')}${ordered > 1 ? `, and ranges of ${attributes.at(-1)}` : ''}`,
  );
  const sections: [heading: string, paragraphs: string[]][] = [
    [
      'What this is',
      [
        `Synthetic data: how the ${series.privacy.unit}s of ${domain.parts.join(', ')} from ${domain.days[0]} to ${domain.days.at(-1)} may have been spread over ${domain.attributes.map(({ name }) => name).join(', ')}. Release ${release}. It is fitted to noisy answers and is no copy of any ${series.privacy.unit}. Times are of ${domain.timeZone}.`,
        'These were asked about:',
        list(asked),
        ...without,
      ],
    ],
    ['How to read it', [list(reading)]],
    ['What protects the people in it', rowInWords(series)],
    ['What a year of releases means for one person', [list(rowsInWords(series))]],
    ['Versions of this window', [...versions]],
    ['What this does not cover', ['What nobody outside can check, the publisher attests:', list(assumptions)]],
    ['Audit', [`Verdict: ${verdict}.`, list(checks.map((one) => `${one.id}: ${one.verdict}. ${one.sentence}`))]],
    ...(notes.length > 0 ? ([['Notes', [list(notes.map(markdownText))]]] as [string, string[]][]) : []),
    ['Licence', [licence, ...(attribution ? [attribution] : [])].map(markdownText)],
  ];
  const body = sections.map(([heading, paragraphs]) => [`## ${heading}`, ...paragraphs].join('\n\n'));
  return `${[`# ${markdownText(title)}`, ...body].join('\n\n')}\n`;
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
