/**
 * Which taps of a card are counted (C2): of all its taps in a scope those of the k lowest ranks, and where two more
 * bounds hold, of those that these leave. tap-choice.proof.md says why the bounds hold, how ranks are made and what they
 * rest on.
 *
 * A row is six words of 32 bits: the digest of a card, its lowest first, and the cells of up to two taps. Cells are
 * numbers of a public list, those of one day beside each other.
 */
export const ROW_WORDS = 6;

/** Words of a row that are the card's digest. */
export const DIGEST_WORDS = 4;

/** In place of a cell: the row has no such tap. */
export const NO_CELL = 0xffff_ffff;

/** How cells are numbered: by day, mode, end, time and location, each of them beside each other. */
export type CellGrid = {
  cellsOfDay: number;
  /** Of each mode its first cell of a day, and its number of locations. */
  modes: readonly { first: number; locations: number }[];
  times: number;
};

/** Of the taps of a card, one counts in each time of a mode, day and end, and at most `place` at each location. */
export type PlaceBound = { place: number; grid: CellGrid };

/** What is chosen, and where it is counted. */
export type TapChoice = {
  /** Two words that key the ranks. */
  key: readonly [number, number];
  /** k. */
  maxTaps: number;
  /** C: for each card and scope, at most this many of the taps that are left out are counted. */
  clamp: number;
  /** Null: nothing but k bounds. */
  bound: PlaceBound | null;
  /** Number of adjacent cells from which k taps are chosen: those of a day, or all. */
  cellsOfScope: number;
  /** Where the chosen taps are counted. */
  counted: CellCounter;
  /** Where the C lowest ranks of the others are. */
  leftOut: CellCounter;
};

/** Counts a number of taps in a cell. */
type CellCounter = { add(cell: number, taps: number): void };

/** Ranks are integers below this prime. */
const PRIME = 2 ** 31 - 1;

/** A number below 2^48 modulo the prime. */
function reduce(number: number): number {
  const high = Math.floor(number / 2 ** 31);
  const sum = number - high * PRIME;
  return sum >= PRIME ? sum - PRIME : sum;
}

/** The product modulo the prime of two integers from 0 to 2^31 − 1, exact: every step stays below 2^48. */
export function productOf(a: number, b: number): number {
  return reduce(reduce((a >>> 16) * b) * 2 ** 16 + (a & 0xffff) * b);
}

/** A permutation of the words of 32 bits in which neighbours are far apart: shifts and odd factors. */
function scatter(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x7feb_352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846c_a68b);
  return twice ^ (twice >>> 16);
}

/** The taps of the lowest ranks, in order; of equal ones the earlier cell. What has no place goes on to the next list. */
class Lowest {
  readonly ranks: Int32Array;
  readonly cells: Uint32Array;
  readonly #next: Lowest | null;
  length = 0;

  constructor(most: number, next: Lowest | null) {
    [this.ranks, this.cells, this.#next] = [new Int32Array(most), new Uint32Array(most), next];
  }

  put(rank: number, cell: number): void {
    const { ranks, cells } = this;
    let place = this.length;
    if (place < ranks.length) this.length += 1;
    else {
      const last = place - 1;
      if (last < 0 || isBefore(ranks[last]!, cells[last]!, rank, cell)) {
        this.#next?.put(rank, cell);
        return;
      }
      this.#next?.put(ranks[last]!, cells[last]!);
      place = last;
    }
    for (; place > 0 && isBefore(rank, cell, ranks[place - 1]!, cells[place - 1]!); place--) {
      ranks[place] = ranks[place - 1]!;
      cells[place] = cells[place - 1]!;
    }
    ranks[place] = rank;
    cells[place] = cell;
  }

  countIn(counter: CellCounter): void {
    for (let at = 0; at < this.length; at++) counter.add(this.cells[at]!, 1);
    this.length = 0;
  }
}

const isBefore = (rank: number, cell: number, other: number, otherCell: number): boolean =>
  rank < other || (rank === other && cell < otherCell);

/** Chooses among the taps of one card in one scope. Its cells are offered ascending. */
export class LowestRanks {
  readonly #choice: TapChoice;
  readonly #leftOut: Lowest;
  readonly #counted: Lowest;
  /** The lowest of one time; then those of all times of a mode, day and end, which are the current table. */
  readonly #ofTime: Lowest;
  readonly #ofTable: Lowest;
  readonly #table: Table;
  #line = -1;
  #factor = 0;
  #offset = 0;

  constructor(choice: TapChoice) {
    this.#choice = choice;
    this.#leftOut = new Lowest(choice.clamp, null);
    this.#counted = new Lowest(choice.maxTaps, this.#leftOut);
    this.#ofTime = new Lowest(1, this.#leftOut);
    this.#ofTable = new Lowest(choice.bound?.grid.times ?? 0, null);
    this.#table = new Table(choice.bound?.grid ?? null);
  }

  /** Begins with the card that has these lowest two words of its digest. */
  start(first: number, second: number): void {
    this.#factor = first & PRIME;
    this.#offset = reduce(((first >>> 31) | (second << 1)) & PRIME);
  }

  /** The taps of the card in a cell: all that it has there. */
  offer(cell: number, taps: number): void {
    const { key, bound } = this.#choice;
    if (bound) this.#moveTo(cell);
    const list = bound ? this.#ofTime : this.#counted;
    const point = scatter(cell ^ key[0]) & PRIME;
    list.put(reduce(productOf(this.#factor, point) + this.#offset), cell);
    if (taps === 1) return;
    const step = scatter(cell ^ key[1]) & PRIME;
    let argument = point;
    for (let ordinal = 1; ordinal < taps; ordinal++) {
      argument = reduce(argument + step);
      list.put(reduce(productOf(this.#factor, argument) + this.#offset), cell);
    }
  }

  /** Counts what was chosen of a scope. */
  end(): void {
    this.#endTable();
    this.#counted.countIn(this.#choice.counted);
    this.#leftOut.countIn(this.#choice.leftOut);
  }

  #moveTo(cell: number): void {
    if (!this.#table.has(cell)) {
      this.#endTable();
      this.#table.moveTo(cell);
    }
    const line = this.#table.lineOf(cell);
    if (line !== this.#line) this.#endTime();
    this.#line = line;
  }

  #endTime(): void {
    if (this.#ofTime.length === 1) this.#ofTable.put(this.#ofTime.ranks[0]!, this.#ofTime.cells[0]!);
    this.#ofTime.length = 0;
  }

  /** Of the lowest of each time those with the lowest ranks at their location go on. */
  #endTable(): void {
    this.#endTime();
    this.#line = -1;
    const { ranks, cells, length } = this.#ofTable;
    for (let at = 0; at < length; at++) {
      const location = this.#table.locationOf(cells[at]!);
      let before = 0;
      for (let other = 0; other < at; other++) if (this.#table.locationOf(cells[other]!) === location) before += 1;
      const list = before < this.#choice.bound!.place ? this.#counted : this.#leftOut;
      list.put(ranks[at]!, cells[at]!);
    }
    this.#ofTable.length = 0;
  }
}

/** The cells of one mode, day and end. */
class Table {
  readonly #grid: CellGrid | null;
  #from = 0;
  #to = 0;
  #locations = 1;

  constructor(grid: CellGrid | null) {
    this.#grid = grid;
  }

  has(cell: number): boolean {
    return cell >= this.#from && cell < this.#to;
  }

  moveTo(cell: number): void {
    const { cellsOfDay, modes, times } = this.#grid!;
    const day = Math.floor(cell / cellsOfDay) * cellsOfDay;
    let mode = 0;
    while (mode + 1 < modes.length && day + modes[mode + 1]!.first <= cell) mode += 1;
    const { first, locations } = modes[mode]!;
    const size = times * locations;
    this.#from = day + first + Math.floor((cell - day - first) / size) * size;
    [this.#to, this.#locations] = [this.#from + size, locations];
  }

  lineOf(cell: number): number {
    return Math.floor((cell - this.#from) / this.#locations);
  }

  locationOf(cell: number): number {
    return (cell - this.#from) % this.#locations;
  }
}

/**
 * Chooses among the taps of some rows, which are all rows of their cards. Cost: O(n) for n rows of cards with few taps,
 * and 40 bytes of memory a row beside the rows.
 */
export function chooseTaps(rows: Uint32Array, choice: TapChoice): void {
  const { cards, firstRows } = numberCards(rows);
  const { ends, cells } = cellsByCard(rows, cards, firstRows.length);
  const [lowest, table] = [new LowestRanks(choice), new Table(choice.bound?.grid ?? null)];
  let at = 0;
  for (let card = 0; card < firstRows.length; card++) {
    const row = firstRows[card]! * ROW_WORDS;
    lowest.start(rows[row]!, rows[row + 1]!);
    const to = ends[card]!;
    sort(cells, at, to);
    while (at < to) at = chooseInScope(cells, at, to, lowest, table, choice);
  }
}

/** Chooses among the taps of one card in the scope of that at a place of the sorted cells; says where the next begins. */
function chooseInScope(
  cells: Uint32Array,
  from: number,
  to: number,
  lowest: LowestRanks,
  table: Table,
  { cellsOfScope, maxTaps, bound, counted }: TapChoice,
): number {
  const endOfScope = (Math.floor(cells[from]! / cellsOfScope) + 1) * cellsOfScope;
  let end = from + 1;
  while (end < to && cells[end]! < endOfScope) end++;
  const areFew = end - from <= maxTaps;
  for (let at = from; at < end; ) {
    let next = end;
    if (bound) {
      table.moveTo(cells[at]!);
      for (next = at + 1; next < end && table.has(cells[next]!); ) next++;
    }
    if (areFew && (bound === null || isWithin(cells, at, next, table, bound.place)))
      for (; at < next; at++) counted.add(cells[at]!, 1);
    else at = offerAll(cells, at, next, lowest);
  }
  lowest.end();
  return end;
}

/** Do the bounds of times and places leave all of these sorted cells of a table? */
function isWithin(cells: Uint32Array, from: number, to: number, table: Table, place: number): boolean {
  for (let at = from + 1; at < to; at++) {
    if (table.lineOf(cells[at]!) === table.lineOf(cells[at - 1]!)) return false;
    if (at - from < place) continue;
    const location = table.locationOf(cells[at]!);
    let room = place;
    for (let other = from; other < at; other++) if (table.locationOf(cells[other]!) === location) room -= 1;
    if (room <= 0) return false;
  }
  return true;
}

function offerAll(cells: Uint32Array, from: number, to: number, lowest: LowestRanks): number {
  for (let at = from; at < to; ) {
    let next = at + 1;
    while (next < to && cells[next] === cells[at]) next++;
    lowest.offer(cells[at]!, next - at);
    at = next;
  }
  return to;
}

/** Numbers the cards of some rows: of each row its card, and of each card its first row. */
function numberCards(rows: Uint32Array): { cards: Uint32Array; firstRows: Uint32Array } {
  const many = rows.length / ROW_WORDS;
  const mask = 2 ** Math.ceil(Math.log2(2 * many + 1)) - 1;
  // A table of open places: the number of a card and one, or 0.
  const table = new Uint32Array(mask + 1);
  const [cards, firstRows] = [new Uint32Array(many), new Uint32Array(many)];
  let count = 0;
  for (let row = 0; row < many; row++) {
    let place = scatter(rows[row * ROW_WORDS]!) & mask;
    while (table[place] !== 0 && !sameCard(rows, row, firstRows[table[place]! - 1]!)) place = (place + 1) & mask;
    if (table[place] === 0) {
      firstRows[count] = row;
      table[place] = ++count;
    }
    cards[row] = table[place]! - 1;
  }
  return { cards, firstRows: firstRows.subarray(0, count) };
}

function sameCard(rows: Uint32Array, row: number, other: number): boolean {
  const [at, beside] = [row * ROW_WORDS, other * ROW_WORDS];
  for (let word = 0; word < DIGEST_WORDS; word++) if (rows[at + word] !== rows[beside + word]) return false;
  return true;
}

/** The cells of all taps, those of one card beside each other, and of each card where they end. */
function cellsByCard(rows: Uint32Array, cards: Uint32Array, many: number): { ends: Uint32Array; cells: Uint32Array } {
  const ends = new Uint32Array(many);
  for (let row = 0; row < cards.length; row++)
    for (let word = DIGEST_WORDS; word < ROW_WORDS; word++)
      if (rows[row * ROW_WORDS + word] !== NO_CELL) ends[cards[row]!]! += 1;
  let sum = 0;
  for (let card = 0; card < many; card++) {
    const taps = ends[card]!;
    ends[card] = sum;
    sum += taps;
  }
  // Each is where the next tap of its card goes, and in the end where they end.
  const cells = new Uint32Array(sum);
  for (let row = 0; row < cards.length; row++) {
    for (let word = DIGEST_WORDS; word < ROW_WORDS; word++) {
      const cell = rows[row * ROW_WORDS + word]!;
      if (cell !== NO_CELL) cells[ends[cards[row]!]!++] = cell;
    }
  }
  return { ends, cells };
}

/** Up to this many numbers are sorted fastest by putting each in its place. */
const FEW = 32;

function sort(numbers: Uint32Array, from: number, to: number): void {
  if (to - from > FEW) {
    numbers.subarray(from, to).sort();
    return;
  }
  for (let at = from + 1; at < to; at++) {
    const number = numbers[at]!;
    let place = at;
    for (; place > from && numbers[place - 1]! > number; place--) numbers[place] = numbers[place - 1]!;
    numbers[place] = number;
  }
}
