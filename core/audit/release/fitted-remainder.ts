import type { Certificate } from '../../../contracts/certificate.ts';
import type { HourRow, MarginRow, Margins, PrivatizedCell } from '../../../contracts/formats/privatized-table.ts';
import { TAPS } from '../../../contracts/names.ts';
import { ALL, type CountRow, compareRows, sameRows } from '../../derive/count-row.ts';
import { byPartition } from '../../derive/groups.ts';
import { fitRemainder } from '../../mechanisms/remainder.ts';
import { fitWeightedRemainder } from '../../mechanisms/weighted-remainder.ts';

/** Rows of one publication that a fit takes in and gives. */
export type Fitted = {
  cells: readonly CountRow[];
  hours: readonly CountRow[];
  remainder: readonly CountRow[];
  margins: readonly CountRow[];
  certificate: Pick<Certificate, 'format' | 'scale' | 'marginScales'>;
};

/** By the format of the certificate: can remainder rows be fitted by levels? */
const LEVELLED: Readonly<Record<Certificate['format'], boolean>> = {
  'opaline-certificate/1': false,
  'opaline-certificate/2': false,
  'opaline-certificate/3': true,
};

/**
 * Are the remainder rows of each partition those that its published cells and noisy margins give (C9)? Any others would
 * be a view of the suppressed taps that no margin pays for. A partition of the first generation, and one that was
 * carried over from it, has the weighted fit; both fits are functions of what is published. The margins list the whole
 * domain, so that nothing else is needed.
 */
export function isFitted({ cells, hours, remainder, margins, certificate }: Fitted): boolean {
  const [ownCells, ownMargins, ownRemainder] = [byPartition(cells), byPartition(margins), byPartition(remainder)];
  const ownHours = byPartition(hours);
  const { format, scale, marginScales } = certificate;
  return [...new Set([...ownMargins.keys(), ...ownRemainder.keys()])].every((partition) => {
    const published = (ownRemainder.get(partition) ?? []).toSorted(compareRows);
    const measured = ownMargins.get(partition) ?? [];
    if (!isWhole(measured)) return false;
    const drawn = { cells: (ownCells.get(partition) ?? []).map(cellOf), margins: sidesOf(measured) };
    const domain = domainOf(measured);
    const rowsOfHours = (ownHours.get(partition) ?? []).map(cellOf);
    const refitted: (() => Margins)[] = [
      ...(LEVELLED[format] ? [() => fitRemainder({ ...drawn, hours: rowsOfHours }, domain, marginScales)] : []),
      () => fitWeightedRemainder(drawn.cells, drawn.margins, domain, { cells: scale, ...marginScales }),
    ];
    return refitted.some((rows) => sameRows(rowsOf(measured[0]!, rows()), published));
  });
}

const cellOf = ({ tap, time, location, count }: CountRow): PrivatizedCell & HourRow => [tap, time, location, count];

const domainOf = (margins: readonly CountRow[]) => {
  const members = (values: readonly string[]): string[] => [...new Set(values)].filter((value) => value !== ALL);
  return {
    taps: TAPS.filter((tap) => margins.some((row) => row.tap === tap)),
    times: members(margins.map(({ time }) => time)),
    locations: members(margins.map(({ location }) => location)),
  };
};

/** Does each tap have a margin for every time and every location that any of them has? */
function isWhole(margins: readonly CountRow[]): boolean {
  const { taps, times, locations } = domainOf(margins);
  return margins.length > 0 && margins.length === taps.length * (times.length + locations.length);
}

const sidesOf = (margins: readonly CountRow[]): Margins => ({
  time: margins.filter(({ time }) => time !== ALL).map(({ tap, time, count }): MarginRow => [tap, time, count]),
  location: margins
    .filter(({ time }) => time === ALL)
    .map(({ tap, location, count }): MarginRow => [tap, location, count]),
});

/** Fitted rows of the partition of a row, in the order of compareRows. */
const rowsOf = ({ mode, day }: CountRow, { time, location }: Margins): CountRow[] =>
  [
    ...time.map(([tap, key, count]): CountRow => ({ mode, day, tap, time: key, location: ALL, count })),
    ...location.map(([tap, key, count]): CountRow => ({ mode, day, tap, time: ALL, location: key, count })),
  ].sort(compareRows);
