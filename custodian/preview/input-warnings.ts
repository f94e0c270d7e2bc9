import { type Partition, partitionPath } from '../../contracts/names.ts';
import type { ObjectFault } from '../../contracts/stages.ts';
import { type NumberedTally, type ObjectReport, objectReport, total } from './tallies.ts';

/** What a warning is about; the metric of the private worker counts by it. */
export const WARNING_KINDS = ['object', 'no-rows', 'rejected', 'unknown-places', 'without-data'] as const;

/** What the custodian is warned of: exact, and told on the custodian side alone (C5). */
export type InputWarning = { kind: (typeof WARNING_KINDS)[number]; sentence: string };

/** Part of all taps that may be rejected before the custodian is warned. */
const REJECTED_WARNED = 0.01;
/** Part of what is counted of a release that may lie in places that no list names before the custodian is warned. */
const UNKNOWN_WARNED = 0.1;

/** What hints at a mistake in objects that were counted: no row in one, many rejects, many unknown places, no data. */
export function inputWarnings(objects: readonly ObjectReport[], withoutData: readonly string[]): InputWarning[] {
  const counted = total(objects.map((one) => one.counted));
  const unknown = total(objects.map((one) => one.unknown));
  const warnings = objects.flatMap(objectWarning);
  if (counted > 0 && unknown / counted > UNKNOWN_WARNED) {
    const sentence = `${percent(unknown / counted)} of all taps are at places that no list names.`;
    warnings.push({ kind: 'unknown-places', sentence });
  }
  if (withoutData.length > 0)
    warnings.push({ kind: 'without-data', sentence: `No row belongs to ${withoutData.join(', ')}.` });
  return warnings;
}

function objectWarning(one: ObjectReport): InputWarning[] {
  const name = one.objects[0]!;
  if (one.rows + one.lines === 0) return [{ kind: 'no-rows', sentence: `${name} holds no row.` }];
  const left = total(Object.values(one.rejected)) + one.lines;
  const share = left / (left + one.counted);
  return share > REJECTED_WARNED ? [{ kind: 'rejected', sentence: `${percent(share)} of ${name} was rejected.` }] : [];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Objects that are absent, damaged or under a wrong name. */
export const faultWarnings = (faults: readonly ObjectFault[]): InputWarning[] =>
  faults.map(({ object, code }) => ({ kind: 'object', sentence: `${object}: ${code}.` }));

/** Of partitions that were asked for, those to which no row of the counted objects belongs, by `part/day`. */
export function partitionsWithoutData(partitions: readonly Partition[], tallies: readonly NumberedTally[]): string[] {
  const counted = tallies.flatMap(({ tally }) => tally.taps).filter(({ taps }) => taps > 0);
  const fed = new Set(counted.map(partitionPath));
  return partitions
    .map(partitionPath)
    .filter((path) => !fed.has(path))
    .sort();
}

/**
 * The warnings of one count. `all` are the faults that hold partitions back, `found` those of them that nobody was warned
 * of when the source was listed. Of kinds that keep no tallies only the faults are known.
 */
export function countWarnings(
  partitions: readonly Partition[],
  tallies: readonly NumberedTally[],
  { all, found }: { all: readonly ObjectFault[]; found: readonly ObjectFault[] },
): InputWarning[] {
  if (tallies.length === 0) return faultWarnings(found);
  const failed = new Set(all.flatMap((fault) => fault.partitions.map(partitionPath)));
  const counted = partitions.filter((partition) => !failed.has(partitionPath(partition)));
  const objects = tallies.map(({ tally }) => objectReport(tally));
  return [...faultWarnings(found), ...inputWarnings(objects, partitionsWithoutData(counted, tallies))];
}
