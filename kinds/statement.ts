import type { AuditReport } from '../contracts/audit.ts';
import type { PublishedWords } from '../contracts/series.ts';
import { markdownText } from '../core/text/markdown.ts';
import { FINDING_WORDS } from '../services/audit-page/verdict.ts';

type Section = readonly [heading: string, paragraphs: readonly string[]];

/** Items of a list in Markdown. */
export const markdownList = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** What the publisher attests, after what a kind says that its privacy does not cover. */
export const notCovered = (assumptions: readonly string[], limits = ''): Section => [
  'What this does not cover',
  [`${limits}What nobody outside can check, the publisher attests:`, markdownList(assumptions)],
];

/** statement.md: the sections of a kind, and after them those that every kind has. */
export function statementText(
  { title, attribution, licence, notes }: PublishedWords,
  { verdict, checks }: AuditReport,
  own: readonly Section[],
): string {
  const findings = checks.map((one) => `${one.id}: ${FINDING_WORDS[one.verdict]}. ${one.sentence}`);
  const sections: Section[] = [
    ...own,
    ['Audit', [`Verdict: ${verdict}.`, markdownList(findings)]],
    ...(notes.length > 0 ? [['Notes', [markdownList(notes.map(markdownText))]] satisfies Section] : []),
    ['Licence', [licence, ...(attribution ? [attribution] : [])].map(markdownText)],
  ];
  const body = sections.map(([heading, paragraphs]) => [`## ${heading}`, ...paragraphs].join('\n\n'));
  return `${[`# ${markdownText(title)}`, ...body].join('\n\n')}\n`;
}
