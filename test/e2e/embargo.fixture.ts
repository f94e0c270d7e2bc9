import { Temporal } from 'temporal-polyfill';
import { SMALL_DAYS } from '../support/small-series.ts';

/**
 * The small series, whose file ends with `publication`, with an embargo that ends with the first full minute from a
 * moment on: it is written in days after the window and wall-clock time. In UTC, where no wall-clock time comes twice.
 */
export function withEmbargo(text: string, from: Temporal.Instant): string {
  const end = from.toZonedDateTimeISO('UTC').round({ smallestUnit: 'minute', roundingMode: 'ceil' });
  const days = Temporal.PlainDate.from(SMALL_DAYS.at(-1)!).until(end.toPlainDate()).days;
  const time = end.toPlainTime().toString({ smallestUnit: 'minute' });
  return `${text.replace('timeZone: Australia/Sydney', 'timeZone: UTC')}  at: { daysAfterWindow: ${days}, time: "${time}" }\n`;
}
