import type { ObjectBody, ObjectStore } from '../../contracts/object-store.ts';

/** Where a process stops: before or after a write takes effect. */
export type CrashPoint = 'before' | 'after';

/** The process is gone: whatever it would have done next does not happen. */
export class Crash extends Error {}

/**
 * One process that stops at its first write which takes effect, or never. A write of a key that is taken is not one,
 * nor is a swap of a page that is a different one by now. After the crash nothing of the process reaches a store any
 * more, in whatever way the activity treats the error.
 */
export class DoomedProcess {
  static #started = 0;
  readonly #point: CrashPoint | null;
  /** No two processes have the same. */
  readonly serial = ++DoomedProcess.#started;
  /** `before release/ledger/…`: where it stopped; null while it lives. */
  stoppedAt: string | null = null;

  constructor(point: CrashPoint | null) {
    this.#point = point;
  }

  wrap(store: ObjectStore, name: string): ObjectStore {
    const alive = () => {
      if (this.stoppedAt !== null) throw new Crash('the process has stopped');
    };
    const read = async <T>(act: () => Promise<T>): Promise<T> => {
      alive();
      return act();
    };
    const write = async <T>(key: string, takesEffect: boolean, act: () => Promise<T>): Promise<T> => {
      alive();
      const stop = () => {
        this.stoppedAt = `${this.#point} ${name}/${key}`;
        throw new Crash(this.stoppedAt);
      };
      if (takesEffect && this.#point === 'before') stop();
      const outcome = await act();
      alive();
      if (takesEffect && this.#point === 'after') stop();
      return outcome;
    };
    return {
      location: store.location,
      get: (key, range) => read(() => store.get(key, range)),
      head: (key) => read(() => store.head(key)),
      readPage: (key) => read(() => store.readPage(key)),
      swapPage: async (key, current, bytes) => {
        const isCurrent = (await store.readPage(key))?.tag === current?.tag;
        return write(key, isCurrent, () => store.swapPage(key, current, bytes));
      },
      async *list(prefix) {
        alive();
        yield* store.list(prefix);
      },
      putIfAbsent: async (key: string, body: ObjectBody) =>
        write(key, (await store.head(key)) === null, () => store.putIfAbsent(key, body)),
    };
  }
}
