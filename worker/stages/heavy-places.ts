import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit } from '@temporalio/worker';
import type { ErrorCode } from '../../contracts/errors.ts';

/** So long a worker takes no heavy task after an activity found no room on its scratch: another host may have some. */
const REST_MS = 15_000;

/** So long a worker is not ready after that; attempts that find no room again are nearer to each other. */
const NO_ROOM_MS = 120_000;

/**
 * The places of a worker for heavy activities. It asks for a task only while it has one free and its scratch has room,
 * so that no task waits in a worker while another could begin it.
 */
export class HeavyPlaces implements CustomSlotSupplier<ActivitySlotInfo> {
  readonly type = 'custom';
  readonly #restMs: number;
  readonly #waiting = new Set<() => void>();
  #free: number;
  #fullSince = -Infinity;
  #rest: NodeJS.Timeout | undefined;

  constructor(places: number, restMs = REST_MS) {
    this.#free = places;
    this.#restMs = restMs;
  }

  /** Whether scratch has had room for what was done lately. */
  get hasRoom(): boolean {
    return performance.now() - this.#fullSince > NO_ROOM_MS;
  }

  /** Hears with which code an activity of the worker has failed. */
  hear(code: ErrorCode): void {
    if (code !== 'OUT_OF_SCRATCH') return;
    this.#fullSince = performance.now();
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      this.#next();
    }, this.#restMs).unref();
  }

  reserveSlot(_: unknown, signal: AbortSignal): Promise<SlotPermit> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(turn);
        reject(signal.reason);
      };
      const turn = () => {
        signal.removeEventListener('abort', leave);
        resolve({});
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(turn);
      this.#next();
    });
  }

  /** Nothing is handed to a worker beside its queue. */
  tryReserveSlot(): null {
    return null;
  }

  markSlotUsed(): void {}

  releaseSlot(): void {
    this.#free += 1;
    this.#next();
  }

  #next(): void {
    for (const turn of this.#waiting) {
      if (this.#free === 0 || this.#rest) return;
      this.#waiting.delete(turn);
      this.#free -= 1;
      turn();
    }
  }
}
