/** A number to three significant digits, without an exponent for everyday sizes. */
export const short = (value: number): string => String(Number(value.toPrecision(3)));

/** `38.5 %` */
export const percent = (probability: number): string => `${short(100 * probability)} %`;

const grouped = (integer: number): string => String(integer).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 in 33,000,000` (two significant digits), `never`, or a percentage when it is not rare. */
export function chanceInWords(probability: number): string {
  if (probability <= 0) return 'never';
  if (probability >= 0.05) return percent(probability);
  const odds = Number((1 / probability).toPrecision(2));
  return odds < 1e15 ? `1 in ${grouped(odds)}` : 'practically never';
}
