import type { AuditReport } from '../../../contracts/audit-report.ts';
import { weekdayIndex } from '../../../core/calendar/civil-day.ts';
import { computeOnce } from '../../../core/memory/function-cache.ts';
import { sumHalfWidth, type Term } from '../../../core/statistics/integer-sum.ts';
import { ALL } from '../../derive/count-row.ts';
import { type CountTable, rowsOf } from '../../derive/count-table.ts';
import { noiseOfCount } from '../../mechanisms/mechanisms.ts';
import type { AuditSubject } from '../subject.ts';
import type { NoisyMargins } from './noisy-totals.ts';

/** Noise alone names a place in at most this share of the releases. */
const NAMED_WRONGLY = 1 / 1000;
const MOST_NAMED = 5;

/** The noisy rows of a place on the days that are compared. */
type Place = { mode: string; place: string; rows: number; sum: number };

/**
 * The places whose noisy totals differ most from those of the newest earlier publication, on the weekdays that both have
 * and by more than the noise of both explains: a sum of independent noises, as in noisy-totals.proof.md. The most first.
 */
export function comparePlaces(subject: AuditSubject): NonNullable<AuditReport['history']>['places'] {
  const [before] = subject.knowledge.past;
  const margins = subject.tables.margins;
  if (!before || !margins) return [];
  const days = (table: CountTable): Set<number> => new Set(table.slices.map(({ day }) => weekdayIndex(day)));
  const others = days(before.margins);
  const both = new Set([...days(margins)].filter((weekday) => others.has(weekday)));
  const [now, then] = [placesOf(margins, both), placesOf(before.margins, both)];
  const noiseOf = ({ certificate }: Pick<NoisyMargins, 'certificate'>) =>
    noiseOfCount(certificate.mechanism, certificate.marginScales.location ?? '0');
  const [own, theirs] = [noiseOf(subject), noiseOf(before)];
  const confidence = 1 - NAMED_WRONGLY / Math.max(1, now.size);
  const widthOf = computeOnce((rows: number, earlier: number): number => {
    const terms: Term[] = [
      [own.scale, rows],
      [theirs.scale, earlier, theirs.model],
    ];
    return sumHalfWidth(own.model, terms, confidence).halfWidth;
  });
  return [...now]
    .flatMap(([key, { mode, place, rows, sum }]) => {
      const earlier = then.get(key);
      // Other days, or another list of places: the sums are not of the same.
      if (earlier?.rows !== rows) return [];
      const beyond = Math.abs(sum - earlier.sum) - widthOf(rows, earlier.rows);
      return beyond > 0 ? [{ beyond, changed: { part: mode, place, count: sum, before: earlier.sum } }] : [];
    })
    .sort((a, b) => b.beyond - a.beyond)
    .slice(0, MOST_NAMED)
    .map(({ changed }) => changed);
}

function placesOf(margins: CountTable, weekdays: ReadonlySet<number>): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { mode, day, time, location: place, count } of rowsOf(margins)) {
    if (time !== ALL || !weekdays.has(weekdayIndex(day))) continue;
    const key = JSON.stringify([mode, place]);
    const entry = places.get(key) ?? { mode, place, rows: 0, sum: 0 };
    places.set(key, { ...entry, rows: entry.rows + 1, sum: entry.sum + count });
  }
  return places;
}
