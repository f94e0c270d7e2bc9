/** A number to three significant digits, without an exponent for everyday sizes. */
export const short = (value: number): string => String(Number(value.toPrecision(3)));

/** `38.5 %`. What is not certain is never rounded to certainty, and what can happen never to 0. */
export function percent(probability: number): string {
  if (probability > 0 && probability < 1e-4) return 'under 0.01 %';
  if (probability < 1 && Number((100 * probability).toPrecision(3)) >= 100) return 'over 99.9 %';
  return `${short(100 * probability)} %`;
}

/** The number of something with its noun: `1 release`, `2 releases`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `33,000,000`. */
export const inThousands = (integer: number): string => String(integer).replace(/\B(?=(\d{3})+$)/g, ',');

/**
 * `1 in 33,000,000` (two significant digits), `never`, or a percentage when it is not rare. A chance of 1 is one that a
 * double cannot distinguish from 1, and is no more than nearly certain.
 */
export function chanceInWords(probability: number): string {
  if (probability <= 0) return 'never';
  if (probability >= 1) return 'over 99.9 %';
  if (probability >= 0.05) return percent(probability);
  const odds = Number((1 / probability).toPrecision(2));
  return odds < 1e15 ? `1 in ${inThousands(odds)}` : 'practically never';
}
