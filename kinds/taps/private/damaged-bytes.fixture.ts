import { expect } from 'vitest';

/** The bytes with others wherever the first were: in the values of a file, and in what the file says of them. */
export function replace(from: string | Buffer, to: Buffer): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const copy = Buffer.from(bytes);
    let place = copy.indexOf(from);
    expect(place).toBeGreaterThan(0);
    for (; place >= 0; place = copy.indexOf(from, place + 1)) to.copy(copy, place);
    return copy;
  };
}

/** BREAKME becomes a text that is no UTF-8. */
export const withoutUtf8 = replace('BREAKME', Buffer.alloc(7, 0xff));

/** The time, a text as 2026-03-02T08:00Z that is stored in milliseconds, becomes one beyond all calendars. */
export const outOfRange = (time: string): ((bytes: Buffer) => Buffer) =>
  replace(eightBytes(BigInt(Date.parse(time))), eightBytes(2n ** 62n));

function eightBytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}
