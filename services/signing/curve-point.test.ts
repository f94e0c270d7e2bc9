import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateSigningKey, isSoundPoint, readPublicKey } from './keys.ts';

const P = 2n ** 255n - 19n;
const mod = (x: bigint): bigint => ((x % P) + P) % P;
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, left] = [mod(base), exponent]; left > 0n; left >>= 1n) {
    if (left & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}
const inverse = (x: bigint): bigint => power(x, P - 2n);
const D = mod(-121665n * inverse(121666n));

/** x of a point with this y: x² = (y² − 1)/(d·y² + 1). */
function abscissa(y: bigint): bigint {
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
  const root = power(square, (P + 3n) / 8n);
  const x = mod(root * root) === square ? root : mod(root * power(2n, (P - 1n) / 4n));
  expect(mod(x * x)).toBe(square);
  return x;
}
type Point = readonly [bigint, bigint];
/** The law of addition of the curve, for a point with itself (RFC 8032, section 5.1.4). */
function doubled([x, y]: Point): Point {
  const product = mod(D * x * x * y * y);
  return [mod(2n * x * y * inverse(1n + product)), mod((y * y + x * x) * inverse(1n - product))];
}

const bytesOf = (y: bigint, sign = 0n): Buffer =>
  Buffer.from((y | (sign << 255n)).toString(16).padStart(64, '0'), 'hex').reverse();
const pemOf = (point: Buffer): string =>
  createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), point]),
    format: 'der',
    type: 'spki',
  })
    .export({ type: 'spki', format: 'pem' })
    .toString();

const EIGHT = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const SMALL = [1n, P - 1n, 0n, EIGHT, P - EIGHT];

test.each(SMALL)('y = %d is that of a point whose order divides 8, and is refused with either sign', (y) => {
  const point: Point = [abscissa(y), y];
  expect(doubled(doubled(doubled(point)))).toEqual([0n, 1n]);
  for (const sign of [0n, 1n]) {
    expect(isSoundPoint(bytesOf(y, sign))).toBe(false);
    expect(() => readPublicKey(pemOf(bytesOf(y, sign)))).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
  }
});

test('a second name of a point is refused', () => {
  for (const y of [P, P + 1n, P + 18n]) expect(isSoundPoint(bytesOf(y))).toBe(false);
  expect(isSoundPoint(Buffer.alloc(31, 7))).toBe(false);
});

test('a y that belongs to no point is refused', () => {
  const squares = Array.from({ length: 40 }, (_, place) => BigInt(place + 2)).map((y): [bigint, boolean] => {
    const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
    return [y, power(square, (P - 1n) / 2n) === 1n];
  });
  expect(new Set(squares.map(([, isSquare]) => isSquare)).size).toBe(2);
  for (const [y, isSquare] of squares) expect([y, isSoundPoint(bytesOf(y))]).toEqual([y, isSquare]);
});

test('keys that were drawn are taken', () => {
  for (let count = 0; count < 100; count += 1) {
    const der = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
    expect(isSoundPoint(der.subarray(-32))).toBe(true);
  }
  expect(readPublicKey(generateSigningKey().publicKey).asymmetricKeyType).toBe('ed25519');
});
