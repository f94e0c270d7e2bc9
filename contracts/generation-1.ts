/**
 * What builds before kinds wrote: the part of a partition was the mode of its taps, and was called so. Payloads of
 * workflows and inventories of that time are read for as long as there can be any.
 */

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A partition as it is written now: what an earlier build called `mode` is its part. */
export function withPart(value: unknown): unknown {
  if (!isRecord(value) || typeof value.mode !== 'string' || typeof value.day !== 'string' || 'part' in value)
    return value;
  const { mode, ...rest } = value;
  return { part: mode, ...rest };
}

/** A payload with the partitions in it as they are written now. Payloads hold no other object with a mode and a day. */
export function withParts<Payload>(payload: Payload): Payload {
  if (Array.isArray(payload)) return payload.map(withParts) as Payload;
  if (!isRecord(payload)) return payload;
  const members = Object.entries(payload).map(([name, value]) => [name, withParts(value)]);
  return withPart(Object.fromEntries(members)) as Payload;
}
