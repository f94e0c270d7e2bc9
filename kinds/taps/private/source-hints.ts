import { type ProposedClock, proposedClocks } from '../../../core/calendar/clock-proposal.ts';
import type { SampleColumn } from '../../../custodian/private-context.ts';
import type { JsonRows } from '../../../custodian/source/json-document.ts';
import { columnSets, type TapsSeries } from '../series.ts';

/** What may be between the fields of a line. */
const DELIMITERS = ['\t', ';', '|', ','];

const sameClock = (one: ProposedClock, clock: TapsSeries['source']['clock']): boolean =>
  typeof one === 'string' || typeof clock === 'string' ? one === clock : one.format === clock.format;

/**
 * What a series file could say of its source in place of what it says, by what a custodian was shown: each can be pasted.
 * `rejected`: the reasons of rejects; `rows`: where those of a JSON document seem to be.
 */
export function sourceHints(
  { format, clock, csv, json, ...source }: TapsSeries['source'],
  sample: readonly SampleColumn[],
  rejected: ReadonlySet<string>,
  rows: JsonRows | null,
): object[] {
  const hints: object[] = [];
  const [only] = sample;
  const delimiter = DELIMITERS.find((one) => sample.length === 1 && only!.column.includes(one));
  if (format === 'csv' && delimiter !== undefined) hints.push({ source: { csv: { delimiter } } });
  if (rejected.has('not-utf8')) hints.push({ source: { encoding: 'latin-1' } });
  if (rejected.has('field-count') && csv.header) hints.push({ source: { csv: { ragged: true } } });
  if (json && rows && (json.list !== rows.list || json.first !== rows.first)) hints.push({ source: { json: rows } });
  const named = columnSets(source).flatMap((set) =>
    Object.entries(set).flatMap(([canonical, column]) => (canonical.endsWith('time') ? [column.toLowerCase()] : [])),
  );
  const times = sample.filter(({ column }) => named.includes(column.toLowerCase())).flatMap(({ values }) => values);
  const clocks = proposedClocks(times.filter((value) => value.trim() !== ''));
  if (!clocks.some((one) => sameClock(one, clock))) hints.push(...clocks.map((one) => ({ source: { clock: one } })));
  return hints;
}
