import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { warning } from '../../../core/verdict/finding.ts';
import type { AuditSubject } from '../subject.ts';

const PERCENTAGE = /(\d+(?:\.\d+)?)\s*(?:%|per cent\b|percent\b)/g;
/** The chances of error, and of being right, that the reading guide speaks of: the same for every release. */
const CONFIDENCES = ['5', '95'];

/** `12 rows were removed`, `removed 12 of the rows`: a number of what was removed, in so many words. */
const NUMBER_REMOVED =
  /(\d[\d,]*)(?:\s+[a-z]+){0,5}\s+(?:removed|dropped|deleted|discarded|excluded)\b|\b(?:removed|dropped|deleted|discarded|excluded):?\s+(\d[\d,]*)/gi;

/**
 * Percentages, and numbers of what was removed, in the files that go with the data: none of them follows from the
 * published rows, so people have to see that none was computed from rows that were removed. What the publisher writes
 * into the series file was there before the release and is not looked at. Statistic: how many there are.
 */
export function checkPrintedStatistics({ texts }: Pick<AuditSubject, 'texts'>): AuditCheck {
  const statistics = texts.flatMap(({ file, texts: parts }) =>
    parts.flatMap((text) =>
      [
        ...[...text.matchAll(PERCENTAGE)].filter(([, value]) => !CONFIDENCES.includes(value!)),
        ...text.matchAll(NUMBER_REMOVED),
      ].map(([words]) => `${words} in ${file}`),
    ),
  );
  const sentence =
    statistics.length === 0
      ? 'Every printed statistic follows from the published rows, so none tells of rows that were removed.'
      : `These statistics do not follow from the published rows: ${statistics.join(', ')}.`;
  const attack = 'Work out the number of removed rows from a printed statistic.';
  return warning('removed-rows', attack, statistics.length, sentence);
}
