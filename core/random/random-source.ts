/**
 * Where random bits come from. Injected everywhere (C7): production workers take `operating-system` and refuse
 * `seeded`, which exists for tests only.
 */
export interface RandomSource {
  readonly kind: 'operating-system' | 'seeded';
  /** 32 independent uniform bits, as an unsigned integer in [0, 2^32). */
  uint32(): number;
  /** Fills every word of the target with 32 independent uniform bits: the same as uint32(), many at a time. */
  fill(target: Uint32Array): void;
}
