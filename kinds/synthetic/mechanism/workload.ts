/**
 * How many values each attribute has, in the order of a domain; a cell is one value of each, the last changing first.
 */
export type DomainShape = readonly number[];

/**
 * A marginal of a workload: its attributes by their places in the domain, the last changing first, and how many of the
 * first values of its last attribute are in order, so that ranges of them are asked too; 0 where none are.
 */
export type Marginal = { attributes: readonly number[]; ordered: number };

/** A linear query: the rows in the cells `from` to before `to` of one marginal. A row counts 0 or 1 in it. */
export type Query = { marginal: number; from: number; to: number };

export const cellsOf = (shape: DomainShape): number => shape.reduce((product, size) => product * size, 1);

export const cellsOfMarginal = (shape: DomainShape, { attributes }: Marginal): number =>
  cellsOf(attributes.map((attribute) => shape[attribute]!));

/** Value of each attribute in one cell, by place. */
export function valuesOfCell(shape: DomainShape, cell: number): number[] {
  let rest = cell;
  return shape
    .toReversed()
    .map((size) => {
      const value = rest % size;
      rest = (rest - value) / size;
      return value;
    })
    .reverse();
}

/** The cell that holds these values. */
export const cellOfValues = (shape: DomainShape, values: readonly number[]): number =>
  shape.reduce((cell, size, attribute) => cell * size + values[attribute]!, 0);

/** For each cell of the domain, the cell of the marginal that it is in. Cost: linear in the domain. */
export function placesInMarginal(shape: DomainShape, { attributes }: Marginal): Uint32Array {
  const steps = shape.map(() => 0);
  let step = 1;
  for (const attribute of attributes.toReversed()) {
    steps[attribute] = step;
    step *= shape[attribute]!;
  }
  const places = new Uint32Array(cellsOf(shape));
  const values = shape.map(() => 0);
  let place = 0;
  for (let cell = 0; cell < places.length; cell += 1) {
    places[cell] = place;
    for (let attribute = shape.length - 1; attribute >= 0; attribute -= 1) {
      values[attribute]! += 1;
      place += steps[attribute]!;
      if (values[attribute]! < shape[attribute]!) break;
      place -= steps[attribute]! * shape[attribute]!;
      values[attribute] = 0;
    }
  }
  return places;
}

/**
 * Cells of a domain by the cell of a marginal that they are in: those of place p are order[starts[p]] to before
 * starts[p+1].
 */
export type CellsByPlace = { order: Uint32Array; starts: Uint32Array };

/** Cells in the order of their places, and of their own within one. Cost: linear in the domain. */
export function cellsByPlace(shape: DomainShape, marginal: Marginal): CellsByPlace {
  const places = placesInMarginal(shape, marginal);
  const starts = new Uint32Array(cellsOfMarginal(shape, marginal) + 1);
  for (const place of places) starts[place + 1]! += 1;
  for (let place = 1; place < starts.length; place += 1) starts[place]! += starts[place - 1]!;
  const next = starts.slice();
  const order = new Uint32Array(places.length);
  for (const [cell, place] of places.entries()) {
    order[next[place]!] = cell;
    next[place]! += 1;
  }
  return { order, starts };
}

/**
 * Every query of a workload, marginal by marginal: its cells in order; then, where its last attribute has an order,
 * the ranges of 2, 4, 8 … neighbouring values from the first on, each once, for all values of the other attributes.
 */
export const queriesOf = (shape: DomainShape, marginals: readonly Marginal[]): Query[] =>
  marginals.flatMap((marginal, number) => {
    const cells = cellsOfMarginal(shape, marginal);
    const single = Array.from({ length: cells }, (_, from) => ({ marginal: number, from, to: from + 1 }));
    const line = shape[marginal.attributes.at(-1)!]!;
    const ranges = Array.from({ length: cells / line }, (_, other) =>
      rangesOf(marginal.ordered).map(([from, to]) => ({
        marginal: number,
        from: other * line + from,
        to: other * line + to,
      })),
    );
    return [...single, ...ranges.flat()];
  });

/**
 * Ranges of 2, 4, 8 … values up to all of them; a last one that is cut short is left out when a shorter width has it.
 */
function rangesOf(size: number): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (let width = 2; width < 2 * size; width *= 2)
    for (let from = 0; from + width / 2 < size; from += width) ranges.push([from, Math.min(from + width, size)]);
  return ranges;
}

/** Sums over the cells before each cell of a marginal, and over all: the rows of a query are a difference of two. */
export function accumulate(cells: ArrayLike<number>, places: Uint32Array, size: number): Float64Array {
  const sums = new Float64Array(size + 1);
  for (let cell = 0; cell < places.length; cell += 1) sums[places[cell]! + 1]! += cells[cell]!;
  for (let place = 0; place < size; place += 1) sums[place + 1]! += sums[place]!;
  return sums;
}
