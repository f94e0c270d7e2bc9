import type { AuditCheck } from '../../../contracts/audit.ts';
import { checkRemovedRows, type PrintedStatistic } from '../attacks/removed-rows.ts';
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
 * into the series file was there before the release and is not looked at.
 */
export function checkPrintedStatistics({ texts }: AuditSubject): AuditCheck {
  const printed = texts.flatMap(({ file, texts: parts }) =>
    parts.flatMap((text): PrintedStatistic[] =>
      [
        ...[...text.matchAll(PERCENTAGE)].filter(([, value]) => !CONFIDENCES.includes(value!)),
        ...text.matchAll(NUMBER_REMOVED),
      ].map(([found, before, after]) => ({
        name: `${found} in ${file}`,
        printed: before ?? after ?? '',
        fromRows: null,
      })),
    ),
  );
  const check = checkRemovedRows(printed);
  return { ...check, verdict: check.verdict === 'fail' ? 'attention' : check.verdict };
}
