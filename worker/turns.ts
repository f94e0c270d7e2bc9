import { CancelledFailure } from '@temporalio/common';

/** Lets so much work run at once; what is more waits, in the order in which it came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Runs the work when its turn comes. Throws CancelledFailure when the signal was given before: work is not begun then. */
  async take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      if (signal.aborted) throw new CancelledFailure('cancelled while it waited for its turn');
      return await work();
    } finally {
      // Whoever waits longest gets this very turn; it is never free in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
