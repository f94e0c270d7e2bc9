import type { AuditReport } from '../contracts/audit-report.ts';
import type { Neighbours } from '../contracts/certificate.ts';
import type { PublishedWords } from '../contracts/series.ts';
import { markdownText } from '../core/text/markdown.ts';
import { FINDING_WORDS } from '../services/audit-page/verdict-words.ts';
import type { StatementFacts } from '../services/publication/release-texts.ts';

type Section = readonly [heading: string, paragraphs: readonly string[]];

/** Items of a list in Markdown. */
export const markdownList = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** Which data sets are neighbours, by what is in one of them: a `row`, and in its place `another`. */
export const neighboursInWords = (neighbours: Neighbours, unit: string, another = 'another'): string =>
  neighbours === 'replace-one'
    ? `Two data sets are neighbours when one ${unit} of the one is replaced by ${another} in the other (bounded differential privacy).`
    : `Two data sets are neighbours when one of them has one ${unit} more (unbounded differential privacy).`;

/** What the publisher attests, after what a kind says that its privacy does not cover. */
export const notCovered = (assumptions: readonly string[], limits = ''): Section => [
  'What this does not cover',
  [`${limits}What nobody outside can check, the publisher attests:`, markdownList(assumptions)],
];

/** statement.md: the sections of a kind, and after them those that every kind has. */
export function statementText(
  { title, attribution, licence, notes, publisher }: PublishedWords,
  { verdict, checks }: AuditReport,
  own: readonly Section[],
): string {
  const findings = checks.map((one) => `${one.id}: ${FINDING_WORDS[one.verdict]}. ${one.sentence}`);
  const sections: Section[] = [
    ...own,
    ['Audit', [`Verdict: ${verdict}.`, markdownList(findings)]],
    ...(notes.length > 0 ? [['Notes', [markdownList(notes.map(markdownText))]] satisfies Section] : []),
    ['Licence', [licence, ...(attribution ? [attribution] : [])].map(markdownText)],
    ...(publisher ? [['Publisher', [markdownText(publisher.name)]] satisfies Section] : []),
  ];
  const body = sections.map(([heading, paragraphs]) => [`## ${heading}`, ...paragraphs].join('\n\n'));
  return `${[`# ${markdownText(title)}`, ...body].join('\n\n')}\n`;
}

/** What a kind says of a release that it draws partition by partition. */
export type DrawnStatement = {
  /** Paragraphs on what the data is, and on how it is read. */
  what: readonly string[];
  reading: readonly string[];
  /** Sentences on what one release, and a year of them, means for one person. */
  protection: readonly string[];
  year: readonly string[];
  assumptions: readonly string[];
};

/**
 * statement.md: what the data is, what protects the people in it and what that does not cover, for people. A function of
 * public parameters and the audit; it holds no clock.
 */
export function formatStatement(
  holes: readonly string[],
  { report, publication, versions }: StatementFacts,
  { what, reading, protection, year, assumptions }: DrawnStatement,
): string {
  const without = holes.length === 0 ? [] : [`Without data, as objects were missing or damaged: ${holes.join(', ')}.`];
  return statementText(publication, report, [
    ['What this is', [...what, ...without]],
    ['How to read it', reading],
    ['What protects the people in it', protection],
    ['What a year of releases means for one person', [markdownList(year)]],
    ['Versions of this window', versions],
    notCovered(assumptions),
  ]);
}
