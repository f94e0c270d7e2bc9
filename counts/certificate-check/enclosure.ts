/** A fraction with a positive denominator; it need not be in lowest terms. */
export type Fraction = { n: bigint; d: bigint };

/** A real number between low/2^places and high/2^places. */
export type Enclosure = { low: bigint; high: bigint };

/** The sign of a − b. */
export function order(a: Fraction, b: Fraction): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * e^(−x) for a fraction 0 < x ≤ 1, by its alternating series in fixed point. Every term is within 4 units of its true
 * value (it inherits the error before it divided by its index, and x and the term are cut off once each), the rest of the
 * series is at most the term that came out as 0, and 8 units for each term and 8 more cover it all.
 */
function smallExponential({ n, d }: Fraction, places: number): Enclosure {
  const one = 1n << BigInt(places);
  const x = (n << BigInt(places)) / d;
  let [sum, term, index] = [0n, one, 0n];
  while (term > 0n) {
    sum += index % 2n === 0n ? term : -term;
    index += 1n;
    term = (term * x) / (index * one);
  }
  const error = 8n * (index + 1n);
  return { low: sum - error, high: sum + error };
}

/** value^exponent by squaring, rounded outward, for a value from 0 to 1. */
export function integerPower(value: Enclosure, exponent: bigint, places: number): Enclosure {
  const shift = BigInt(places);
  const times = (a: Enclosure, b: Enclosure) => ({
    low: (a.low * b.low) >> shift,
    high: ((a.high * b.high) >> shift) + 1n,
  });
  let [result, square, rest]: [Enclosure, Enclosure, bigint] = [
    { low: 1n << shift, high: 1n << shift },
    { low: value.low < 0n ? 0n : value.low, high: value.high },
    exponent,
  ];
  while (rest > 0n) {
    if (rest % 2n === 1n) result = times(result, square);
    square = times(square, square);
    rest /= 2n;
  }
  return result;
}

/** e^(−x) for a fraction x ≥ 0: the (whole part + 1)-th power of e^(−x/(whole part + 1)). */
export function encloseDecay({ n, d }: Fraction, places: number): Enclosure {
  const one = 1n << BigInt(places);
  if (n === 0n) return { low: one, high: one };
  const parts = n / d + 1n;
  return integerPower(smallExponential({ n, d: d * parts }, places), parts, places);
}

/** A positive fraction cut off (or rounded up) to 20 significant digits, in the notation of certificates. */
export function twentyDigits({ n, d }: Fraction, up: boolean): string {
  if (n === 0n) return '0';
  // ten-power such that n/d·10^(19 − power) has 20 digits before the point
  let power = 0;
  const scale = () => (power <= 19 ? { n: n * 10n ** BigInt(19 - power), d } : { n, d: d * 10n ** BigInt(power - 19) });
  const quotient = () => scale().n / scale().d;
  power = `${n}`.length - `${d}`.length;
  if (`${quotient()}`.length < 20) power -= 1;
  let digits = quotient();
  if (up && digits * scale().d !== scale().n) digits += 1n;
  const text = `${digits}`;
  if (text.length > 20) power += 1;
  const significant = text.replace(/0+$/, '');
  if (power < -6 || power > 20) {
    const point = significant.length > 1 ? `.${significant.slice(1)}` : '';
    return `${significant[0]}${point}e${power > 0 ? '+' : ''}${power}`;
  }
  if (power < 0) return `0.${significant.padStart(significant.length - power - 1, '0')}`;
  const figures = significant.padEnd(power + 1, '0');
  return figures.length > power + 1 ? `${figures.slice(0, power + 1)}.${figures.slice(power + 1)}` : figures;
}

/** A fraction from a decimal as twentyDigits writes it. */
export function fromDecimal(text: string): Fraction {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const power = Number(exponent) - decimals.length;
  const n = BigInt(whole + decimals);
  return power >= 0 ? { n: n * 10n ** BigInt(power), d: 1n } : { n, d: 10n ** BigInt(-power) };
}
