import type { ByteRange } from '../../contracts/object-store.ts';

/** Refuses a range that is not 0 ≤ start ≤ end in whole bytes (RangeError). A range may reach beyond the object. */
export function checkRange(range: ByteRange): void {
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError('a byte range needs whole numbers with 0 <= start <= end');
  }
}
