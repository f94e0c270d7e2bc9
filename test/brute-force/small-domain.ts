import type { CertificateRequest } from '../../counts/certificate/certify.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import type { Tap } from '../../counts/tables/tap-tables.ts';

/** Everything that one unit can add to the counts of a small domain, and all pairs of neighbours. */
export type Cell = [tap: Tap, time: string, location: string];
/** The taps that one unit adds: one tap, a trip's on and off, or those of a card. */
export type Unit = Cell[];

export type Case = {
  request: CertificateRequest;
  times: number;
  locations: number;
  /** What every data set holds besides the unit, for counts that are never 0; in taps a cell. */
  bases?: number[];
};

export const domainOf = ({ request, times, locations }: Case): PublicDomain => ({
  taps: request.publish === 'on+off' ? ['on', 'off'] : [request.publish],
  times: Array.from({ length: times }, (_, i) => `08:${15 * i || '00'}`),
  locations: Array.from({ length: locations }, (_, i) => `${2000 + i}`),
});

export const cellsOf = ({ taps, times, locations }: PublicDomain): Cell[] =>
  taps.flatMap((tap) => times.flatMap((time) => locations.map((location): Cell => [tap, time, location])));

/** All multisets of at most `size` of the cells. */
const multisets = (cells: readonly Cell[], size: number): Unit[] =>
  size === 0
    ? [[]]
    : [...cells.flatMap((cell, i) => multisets(cells.slice(i), size - 1).map((rest) => [cell, ...rest])), []];

/** Of a card under discrete-gaussian: one tap in each bin of an end, `place` at each location of an end. */
function isBounded(taps: Unit, place: number): boolean {
  const most = (keys: string[]) => Math.max(0, ...keys.map((key) => keys.filter((other) => other === key).length));
  return (
    most(taps.map(([tap, time]) => `${tap} ${time}`)) <= 1 && most(taps.map(([tap, , at]) => `${tap} ${at}`)) <= place
  );
}

/** Everything that one unit can add, the empty unit included. */
export function unitsOf({ unit, maxTaps, place }: CertificateRequest, domain: PublicDomain): Unit[] {
  const cells = cellsOf(domain);
  const ends = domain.taps.map((tap) =>
    multisets(
      cells.filter((cell) => cell[0] === tap),
      1,
    ),
  );
  if (unit === 'tap') return multisets(cells, 1);
  if (unit === 'trip')
    return ends.reduce((all, end) => all.flatMap((a) => end.map((b) => [...a, ...b])), [[]] as Unit[]);
  return multisets(cells, maxTaps!).filter((taps) => place === undefined || isBounded(taps, place));
}

export function countsOf(unit: Unit, base: readonly Cell[], each: number): CellCount[] {
  const counts = new Map<string, CellCount>();
  const put = (cell: Cell, by: number) => {
    const known = counts.get(cell.join())?.[3] ?? 0;
    counts.set(cell.join(), [...cell, known + by]);
  };
  for (const cell of base) if (each > 0) put(cell, each);
  for (const cell of unit) put(cell, 1);
  return [...counts.values()];
}

/** Pairs of neighbours, each looked at from both sides. A tap that nobody can use takes its whole trip away. */
export function pairsOf(request: CertificateRequest, units: Unit[]): [Unit, Unit][] {
  if (request.neighbours === 'add-remove') return units.map((unit) => [unit, []]);
  const pairs = units.flatMap((a, i) => units.slice(i + 1).map((b): [Unit, Unit] => [a, b]));
  const ends = request.publish.split('+').flatMap((tap) => units.find(([cell]) => cell?.[0] === tap) ?? []);
  return request.unit === 'tap' && request.rows !== 'taps' ? [...pairs, [[], ends]] : pairs;
}
