/**
 * What builds before kinds wrote: the part of a partition was the mode of its taps, and was called so. Their payloads are
 * read for as long as there can be any; and while one worker of an installation is of such a build and the other is not,
 * each has to read what the other sends.
 */

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A partition as it is written now: what an earlier build called `mode` is its part. */
export function withPart(value: unknown): unknown {
  if (!isRecord(value) || typeof value.mode !== 'string' || typeof value.day !== 'string') return value;
  const { mode, ...rest } = value;
  return { part: mode, ...rest };
}

/** A partition that an earlier build can read, too. */
function withMode(value: unknown): unknown {
  if (!isRecord(value) || typeof value.part !== 'string' || typeof value.day !== 'string') return value;
  return { ...value, mode: value.part };
}

/** A payload with each object in it changed. Payloads hold no other object with a mode, or a part, and a day. */
function changed<Payload>(payload: Payload, change: (value: unknown) => unknown): Payload {
  if (Array.isArray(payload)) return payload.map((value) => changed(value, change)) as Payload;
  if (!isRecord(payload)) return payload;
  const members = Object.entries(payload).map(([name, value]) => [name, changed(value, change)]);
  return change(Object.fromEntries(members)) as Payload;
}

/** A payload with the partitions in it as they are written now. */
export const withParts = <Payload>(payload: Payload): Payload => changed(payload, withPart);

/** A payload for a worker that may be of an earlier build. */
export const withModes = <Payload>(payload: Payload): Payload => changed(payload, withMode);
