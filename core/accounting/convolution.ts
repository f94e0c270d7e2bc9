/**
 * Exact convolution of lists of integers that are not negative. Each list becomes one long integer with its entries in
 * slots so wide that no sum overflows; one multiplication of long integers then gives all the sums at once.
 */

/** Bits of the largest entry. */
function widestEntry(values: readonly bigint[]): number {
  let largest = 0n;
  for (const value of values) if (value > largest) largest = value;
  return largest.toString(16).length * 4;
}

/** Σ values[i]·16^(digits·i) */
function pack(values: readonly bigint[], digits: number): bigint {
  const slots = values.map((value) => value.toString(16).padStart(digits, '0'));
  return BigInt(`0x${slots.reverse().join('')}`);
}

function unpack(integer: bigint, digits: number, length: number): bigint[] {
  const text = integer.toString(16).padStart(digits * length, '0');
  return Array.from({ length }, (_, i) => BigInt(`0x${text.slice((length - 1 - i) * digits, (length - i) * digits)}`));
}

/** result[n] = Σ a[i]·b[n−i]; both lists have at least one entry, and none is negative. */
export function convolution(a: readonly bigint[], b: readonly bigint[]): bigint[] {
  const terms = Math.min(a.length, b.length);
  const digits = Math.ceil((widestEntry(a) + widestEntry(b) + Math.ceil(Math.log2(terms)) + 1) / 4);
  const left = pack(a, digits);
  return unpack(left * (a === b ? left : pack(b, digits)), digits, a.length + b.length - 1);
}
