import { type Partition, partitionPath } from '../../contracts/names.ts';
import type { ObjectFault } from '../../contracts/stages.ts';
import type { Inventory, Pin } from '../source/inventory.ts';
import { type AlikeObjects, alikeObjects } from './likeness.ts';
import { type NumberedTally, type ObjectReport, objectReport, total } from './tallies.ts';

/** What a warning is about; the metric of the private worker counts by it. */
export const WARNING_KINDS = [
  'object',
  'copy',
  'alike',
  'left-out',
  'rows',
  'no-rows',
  'unreadable',
  'rejected',
  'unknown-places',
  'without-data',
] as const;

/** A warning to the custodian: exact, and reported on the custodian side alone (C5). */
export type InputWarning = { kind: (typeof WARNING_KINDS)[number]; sentence: string };

/** Part of all taps that may be rejected before the custodian is warned. */
const REJECTED_WARNED = 0.01;
/** From this part on hardly a row of an object can be read. */
const UNREADABLE = 0.9;
/** Part of what a release counts that may be in places that no list names before the custodian is warned. */
const UNKNOWN_WARNED = 0.1;

/** What hints at a mistake in objects that were counted: no row in one, many rejects, many unknown places, no data. */
export function inputWarnings(objects: readonly ObjectReport[], withoutData: readonly string[]): InputWarning[] {
  const taps = total(objects.map((one) => one.counted));
  const unknown = total(objects.map((one) => one.unknown));
  const warnings = objects.flatMap(objectWarning);
  if (taps > 0 && unknown / taps > UNKNOWN_WARNED) {
    const sentence = `${percent(unknown / taps)} of all taps are at places that no list names.`;
    warnings.push({ kind: 'unknown-places', sentence });
  }
  if (withoutData.length > 0)
    warnings.push({ kind: 'without-data', sentence: `No row belongs to ${withoutData.join(', ')}.` });
  return warnings;
}

function objectWarning(one: ObjectReport): InputWarning[] {
  const name = one.objects[0]!;
  if (one.rows + one.lines === 0) return [{ kind: 'no-rows', sentence: `${name} holds no row.` }];
  const rejects = total(Object.values(one.rejected)) + one.lines;
  const share = rejects / (rejects + one.counted);
  if (share >= UNREADABLE)
    return [{ kind: 'unreadable', sentence: `Hardly a row of ${name} can be read: ${percent(share)} was rejected.` }];
  return share > REJECTED_WARNED ? [{ kind: 'rejected', sentence: `${percent(share)} of ${name} was rejected.` }] : [];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Objects that are absent, damaged or under a wrong name. */
export const faultWarnings = (faults: readonly Pick<ObjectFault, 'object' | 'code'>[]): InputWarning[] =>
  faults.map(({ object, code }) => ({ kind: 'object', sentence: `${object}: ${code}.` }));

/** Which of several objects with the same bytes were left out. */
export const copyWarnings = (pins: readonly Pick<Pin, 'key' | 'sha256'>[]): InputWarning[] =>
  [...Map.groupBy(pins, ({ sha256 }) => sha256).values()].flatMap(([first, ...copies]) =>
    copies.map(({ key }) => ({
      kind: 'copy',
      sentence: `${key} has the same bytes as ${first!.key}, and was left out.`,
    })),
  );

/** Objects whose rows are nearly the same: a file that was delivered twice, with one more line end, is counted twice. */
export const alikeWarnings = (alike: readonly AlikeObjects[]): InputWarning[] =>
  alike.map(({ objects: [one, other], share }) => ({
    kind: 'alike',
    sentence: `About ${percent(share)} of the rows of ${other} and ${one} are the same, and both were counted; is one a delivery of the other?`,
  }));

/** Warnings about the deliveries of an inventory: faults, copies, and what no clearance names. */
export const deliveryWarnings = ({ objects, faults, leftOut }: Inventory): InputWarning[] => [
  ...faultWarnings(faults),
  ...copyWarnings(objects),
  ...leftOut.map((object) => ({ kind: 'left-out' as const, sentence: `${object} is not cleared, and was left out.` })),
];

/**
 * What was counted against the delivery notes, and which objects are alike: of the tallies of one round, alike to any; or
 * of all rounds.
 */
export function tallyWarnings(
  tallies: readonly NumberedTally[],
  { objects }: Inventory,
  ofRound?: number,
): InputWarning[] {
  const pins = new Map(objects.map((pin) => [pin.key, pin]));
  const there = tallies.filter(({ tally }) => pins.has(tally.objects[0]!));
  const own = there.filter(({ round }) => ofRound === undefined || round === ofRound);
  const names = new Set(own.map(({ tally }) => tally.objects[0]));
  const sketches = there.map(({ tally }) => ({ object: tally.objects[0]!, sketch: tally.sketch }));
  return [
    ...own.flatMap(({ tally }) => noteWarnings(objectReport(tally), pins.get(tally.objects[0]!)?.rows)),
    ...alikeWarnings(alikeObjects(sketches).filter(({ objects }) => objects.some((one) => names.has(one)))),
  ];
}

function noteWarnings({ objects: [name], rows, lines }: ObjectReport, note: number | undefined): InputWarning[] {
  if (note === undefined || note === rows + lines) return [];
  return [{ kind: 'rows', sentence: `${name} has ${rows + lines} rows, and its delivery note says ${note}.` }];
}

/** Of partitions that were asked for, those to which no row of the counted objects belongs, by `part/day`. */
export function partitionsWithoutData(partitions: readonly Partition[], tallies: readonly NumberedTally[]): string[] {
  const counts = tallies.flatMap(({ tally }) => tally.taps).filter(({ taps }) => taps > 0);
  const paths = new Set(counts.map(partitionPath));
  return partitions
    .map(partitionPath)
    .filter((path) => !paths.has(path))
    .sort();
}

/**
 * The warnings of one count, in the round of the inventory; `tallies`: those of earlier rounds too, of what was not read
 * again. `all`: the faults that hold partitions back; nobody is warned twice of those that were found when the source was
 * listed. Of kinds that keep no tallies only the faults are known.
 */
export function countWarnings(
  partitions: readonly Partition[],
  tallies: readonly NumberedTally[],
  inventory: Inventory,
  all: readonly ObjectFault[],
): InputWarning[] {
  const names = new Set(inventory.faults.map(({ object }) => object));
  const faults = all.filter(({ object }) => !names.has(object));
  const own = tallies.filter(({ round }) => round === inventory.round);
  if (own.length === 0) return faultWarnings(faults);
  const gaps = new Set(all.flatMap((fault) => fault.partitions.map(partitionPath)));
  const rest = partitions.filter((partition) => !gaps.has(partitionPath(partition)));
  const objects = own.map(({ tally }) => objectReport(tally));
  return [
    ...faultWarnings(faults),
    ...inputWarnings(objects, partitionsWithoutData(rest, own)),
    ...tallyWarnings(tallies, inventory, inventory.round),
  ];
}
