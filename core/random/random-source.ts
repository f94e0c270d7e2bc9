/**
 * Where random bits come from. Injected everywhere (C7): production workers take `operating-system` and refuse
 * `seeded`, which exists for tests only.
 */
export interface RandomSource {
  readonly kind: 'operating-system' | 'seeded';
  /** 32 independent uniform bits, as an unsigned integer in [0, 2^32). */
  uint32(): number;
  /** Fills every place of the target with 16 independent uniform bits, which no word of uint32() has. */
  fill(target: Uint16Array): void;
}
