import { parentPort, workerData } from 'node:worker_threads';
import { chooseTaps } from '../bounding/tap-choice.ts';
import type { ChoiceRule, ChosenTaps } from './choice-threads.ts';

/** Thread entry: chooses among the taps of rows that it is sent, and sends back the cells of what it chose. */
const rule = workerData as ChoiceRule;

/** Cells, one for each tap. */
class CellList {
  #cells = new Uint32Array(2 ** 16);
  #length = 0;

  /** Taps are chosen one by one. */
  add(cell: number): void {
    if (this.#length === this.#cells.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#cells);
      this.#cells = longer;
    }
    this.#cells[this.#length++] = cell;
  }

  list(): Uint32Array<ArrayBuffer> {
    return this.#cells.slice(0, this.#length);
  }
}

parentPort!.on('message', (rows: Uint32Array) => {
  const [cells, leftOut] = [new CellList(), new CellList()];
  chooseTaps(rows, { ...rule, counted: cells, leftOut });
  const taps = { counted: cells.list(), leftOut: leftOut.list() } satisfies ChosenTaps;
  parentPort!.postMessage(taps, [taps.counted.buffer, taps.leftOut.buffer]);
});
