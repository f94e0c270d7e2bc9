import { type ProposedClock, proposeClocks } from '../../../core/calendar/clock-proposal.ts';
import { patternNames, withoutTimes } from '../../../core/source-pattern/pattern.ts';
import type { SampleColumn } from '../../../custodian/private-context.ts';
import type { JsonRows } from '../../../custodian/source/json-document.ts';
import { columnSets, type TapsSeries } from '../series.ts';

/** What may be between the fields of a line. */
const DELIMITERS = ['\t', ';', '|', ','];

const sameClock = (one: ProposedClock, clock: TapsSeries['source']['clock']): boolean =>
  typeof one === 'string' || typeof clock === 'string' ? one === clock : one.format === clock.format;

/** How many of some times are of the window, whose days are MM-DD, when a format with numbers for both reads them. */
const inWindow = (clock: ProposedClock, times: readonly string[], days: ReadonlySet<string>): number =>
  times.filter((time) => {
    const [first = '', second = ''] = (time.match(/\d+/g) ?? []).map((digits) => digits.padStart(2, '0'));
    const monthFirst = typeof clock === 'object' && clock.format.startsWith('%m');
    return days.has(monthFirst ? `${first}-${second}` : `${second}-${first}`);
  }).length;

/** From this part on rows are of other days than their objects: files are cut in another way. */
const OTHER_DAYS = 0.1;

/** What a custodian was shown of a source. */
export type Looked = {
  sample: readonly SampleColumn[];
  /** Texts of times that a select makes, which no column of the source may hold. */
  selected: readonly string[];
  /** Reason of rejects → how many. */
  rejected: ReadonlyMap<string, number>;
  counted: number;
  /** Where the rows of a JSON document seem to be. */
  rows: JsonRows | null;
  days: readonly string[];
};

/**
 * What a series file could say of its source in place of what it says, by what a custodian was shown: each can be pasted.
 * Of clocks that both read the times, the one that puts more of them into the window comes first.
 */
export function sourceHints(
  { format, clock, csv, json, pattern, ...source }: TapsSeries['source'],
  { sample, selected, rejected, counted, rows, days }: Looked,
): object[] {
  const hints: object[] = [];
  const [only] = sample;
  const delimiter = DELIMITERS.find((one) => sample.length === 1 && only!.column.includes(one));
  if (format === 'csv' && delimiter !== undefined) hints.push({ source: { csv: { delimiter } } });
  if (rejected.has('not-utf8')) hints.push({ source: { encoding: 'latin-1' } });
  if (rejected.has('field-count') && csv.header) hints.push({ source: { csv: { ragged: true } } });
  if (json && rows && (json.list !== rows.list || json.first !== rows.first)) hints.push({ source: { json: rows } });
  const names = columnSets(source).flatMap((set) =>
    Object.entries(set).flatMap(([canonical, column]) => (canonical.endsWith('time') ? [column.toLowerCase()] : [])),
  );
  const columns = sample.filter(({ column }) => names.includes(column.toLowerCase()));
  const times = [...columns.flatMap(({ values }) => values), ...selected].filter((value) => value.trim() !== '');
  const ofWindow = new Set(days.map((day) => day.slice(5)));
  const clocks = proposeClocks(times).toSorted((a, b) => inWindow(b, times, ofWindow) - inWindow(a, times, ofWindow));
  if (!clocks.some((one) => sameClock(one, clock))) hints.push(...clocks.map((one) => ({ source: { clock: one } })));
  const stray = rejected.get('day-undeclared') ?? 0;
  if (patternNames(pattern).date && stray > OTHER_DAYS * (stray + counted))
    hints.push({ source: { pattern: withoutTimes(pattern) } });
  return hints;
}
