import { performance } from 'node:perf_hooks';

/**
 * Preloaded into the workers of a test (`--import`): their wall clock jumps by a day or ten years, there and back,
 * several times in every release. Timers and the clock of the file system run on.
 */
const DAY = 86_400_000;
const JUMPS = [DAY, -DAY, 0, 3652 * DAY, -3652 * DAY];
const EVERY_MS = 1_000;

const HostDate = Date;
const now = (): number => HostDate.now() + JUMPS[Math.floor(performance.now() / EVERY_MS) % JUMPS.length]!;

globalThis.Date = new Proxy(HostDate, {
  construct: (date, values, target) => Reflect.construct(date, values.length === 0 ? [now()] : values, target),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
});
