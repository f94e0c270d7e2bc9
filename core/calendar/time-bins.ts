/** Wall-clock minutes that the clock jumps over: from `start` to before `end`, minutes after midnight of the day. */
export type ClockGap = { start: number; end: number };

/** Minutes after midnight of `HH:MM`; a traffic day counts on past 24:00. Throws RangeError on other text. */
export function clockMinutes(time: string): number {
  const match = /^(\d{2}):([0-5]\d)$/.exec(time);
  if (!match) throw new RangeError('a time is written HH:MM');
  return Number(match[1]) * 60 + Number(match[2]);
}

/** `HH:MM` of minutes after midnight; past 24:00 it counts on: 1710 is 28:30. */
export const clockLabel = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The clock hour `HH:00` in which a bin with the label `HH:MM` begins; a bin belongs to that hour. */
export const hourOf = (label: string): string => `${label.slice(0, 2)}:00`;

/**
 * Labels of the time bins of one day (C4: a public domain), in order: from `starts` to before `ends`, every
 * `binMinutes`. A bin is left out when the clock jumps over all of its minutes. An hour that the clock shows twice
 * has its labels once, and its counts are summed.
 */
export function binLabels(starts: string, ends: string, binMinutes: number, gaps: readonly ClockGap[]): string[] {
  const labels: string[] = [];
  for (let minute = clockMinutes(starts); minute < clockMinutes(ends); minute += binMinutes) {
    const inGap = gaps.some((gap) => gap.start <= minute && minute + binMinutes <= gap.end);
    if (!inGap) labels.push(clockLabel(minute));
  }
  return labels;
}
