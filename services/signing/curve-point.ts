/** Order of the field of Ed25519, 2^255 − 19 (RFC 8032, section 5.1). */
const FIELD = 2n ** 255n - 19n;

/** y of two of the points of order 8; the other two have its negative. */
const ORDER_EIGHT = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

/** y of every point whose order divides 8: 1 (order 1), −1 (2), 0 (4), and two for order 8. */
const SMALL_ORDER: ReadonlySet<bigint> = new Set([1n, FIELD - 1n, 0n, ORDER_EIGHT, FIELD - ORDER_EIGHT]);

/** d of the curve −x² + y² = 1 + d·x²·y² (RFC 8032, section 5.1). */
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;

/** Is y that of a point? By Euler's criterion on x² = (y² − 1)/(d·y² + 1); a product is a square when the quotient is. */
function isOnCurve(y: bigint): boolean {
  let base = ((((y * y - 1n) * (D * y * y + 1n)) % FIELD) + FIELD) % FIELD;
  let power = 1n;
  for (let exponent = (FIELD - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) power = (power * base) % FIELD;
    base = (base * base) % FIELD;
  }
  return power === 1n;
}

/**
 * May these 32 bytes be a public key? Under a point of small order one signature holds for many texts or all of them,
 * whoever made it, for libraries that check as RFC 8032 says; a y that is not below the order of the field is a second
 * name of the same key; and a y off the curve is the key of nobody.
 */
export function isSoundPoint(point: Uint8Array): boolean {
  if (point.length !== 32) return false;
  const littleEndian = Buffer.from(point).reverse().toString('hex');
  const y = BigInt(`0x${littleEndian}`) & (2n ** 255n - 1n);
  return y < FIELD && !SMALL_ORDER.has(y) && isOnCurve(y);
}
