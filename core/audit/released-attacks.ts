import type { AuditCheck } from '../../contracts/audit.ts';
import { checkAccumulation } from './attacks/accumulation.ts';
import { appearanceRule } from './attacks/declared-noise.ts';
import { checkRemovedRows, type PrintedStatistic } from './attacks/removed-rows.ts';
import { checkTimetable } from './attacks/timetable-extremes.ts';
import { report } from './check.ts';
import type { AuditSubject } from './subject.ts';

/** Accumulation over the days that the ledger charges to the series; see ledger-facts.ts. */
export function checkYear({ certificate, knowledge }: AuditSubject): AuditCheck {
  if (!knowledge.ledger)
    return report('accumulation', 'Wait until a person who is alone in a cell every day shows once.', {
      verdict: 'pass',
      sentence: 'The ledger is not at hand, so that nothing is said of the year.',
    });
  const { chances, deltaCap } = knowledge.ledger;
  return checkAccumulation(appearanceRule(certificate), { days: chances, deltaCap });
}

/** Cells of a lone vehicle or stop, by the timetable that the series declares. */
export const checkDeclaredTimetable = ({ cells, knowledge }: AuditSubject): AuditCheck =>
  checkTimetable(knowledge.timetable, cells);

const PERCENTAGE = /(\d+(?:\.\d+)?)\s*(?:%|per cent\b|percent\b)/g;
/** The chances of error, and of being right, that the reading guide speaks of: the same for every release. */
const CONFIDENCES = ['5', '95'];

/** `12 rows were removed`, `removed 12 of the rows`: a number of what was removed, in so many words. */
const NUMBER_REMOVED =
  /(\d[\d,]*)(?:\s+[a-z]+){0,5}\s+(?:removed|dropped|deleted|discarded|excluded)\b|\b(?:removed|dropped|deleted|discarded|excluded):?\s+(\d[\d,]*)/gi;

/**
 * Percentages, and numbers of what was removed, in the files that go with the data: none of them follows from the published rows, so people have to see
 * that none was computed from rows that were removed. What the publisher writes into the series file was there before
 * the release and is not looked at.
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
