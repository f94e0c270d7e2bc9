import { ceilingOf, type Rational } from './rational.ts';

/** ⌈x·2^bits⌉ for x ≥ 0. */
export const unitsUp = ({ numerator, denominator }: Rational, bits: bigint): bigint =>
  ceilingOf(numerator << bits, denominator);

/** ⌊x·2^bits⌋ for x ≥ 0. */
export const unitsDown = ({ numerator, denominator }: Rational, bits: bigint): bigint =>
  (numerator << bits) / denominator;

/** ⌈a·b/2^bits⌉ for a, b ≥ 0. */
export const productUp = (a: bigint, b: bigint, bits: bigint): bigint => -((-a * b) >> bits);

/** ⌊a·b/2^bits⌋ for a, b ≥ 0. */
export const productDown = (a: bigint, b: bigint, bits: bigint): bigint => (a * b) >> bits;
