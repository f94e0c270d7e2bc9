import type { Certificate } from '../../../contracts/certificate.ts';
import type { ReportIssue } from '../../../contracts/series-issue.ts';
import { DAY_MINUTES } from '../../../core/calendar/day-ends.ts';
import { binLabels, clockLabel, clockMinutes } from '../../../core/calendar/time-bins.ts';
import { mostDays } from '../../../core/calendar/window.ts';
import { ENDS_PUBLISHED, UNITS } from '../../../counts/certificate/units.ts';
import { MECHANISMS } from '../../../counts/mechanisms/mechanisms.ts';
import type { CountedGrid } from '../../../counts/readers/expected-utility.ts';
import { domainCells, MOST_LISTED_CELLS } from '../../../counts/readers/proposed-design.ts';
import type { LoadedList } from '../../client-kind.ts';
import { parseDictionary } from '../location-dictionary.ts';
import type { TapsFile, TapsSeries } from '../series.ts';

/** The taps of cards are counted in lists of all cells: with both ends and a day on each side fewer than 2^32. */
const MOST_CELLS_OF_CARDS = 500_000_000;

/** What decides how many cells a release has. */
export type DomainRule = Pick<TapsSeries, 'modes' | 'window' | 'day'> & {
  bins: Pick<TapsFile['bins'], 'locations'>;
  privacy: Pick<TapsSeries['privacy'], 'publish'>;
};

/**
 * The public grid of one release, with bins of `minutes` minutes. `listOf` gives the bytes of the dictionary of a mode. A
 * day on which the clock is put forward has a few bins fewer.
 */
export const buildGrid = (
  { modes, window, day, bins, privacy }: DomainRule,
  listOf: (mode: string) => Buffer | undefined,
  minutes: number,
): CountedGrid => ({
  days: mostDays({ window }),
  ends: ENDS_PUBLISHED[privacy.publish],
  minutes,
  times: binLabels(day.starts, day.ends, minutes, []).map(clockMinutes),
  places: modes.map((mode) => {
    const list = listOf(mode);
    const locations = list ? parseDictionary(list).values() : [];
    return new Set([...locations, bins.locations[mode]?.unknown]).size;
  }),
});

/** The grid of a series, with its own bins or others; `lists`: those that it names. */
export const gridOfSeries = (
  taps: TapsSeries,
  lists: readonly LoadedList[],
  minutes: number = taps.bins.minutes,
): CountedGrid => {
  const digestOf = (mode: string) => taps.bins.locations[mode]?.dictionary;
  return buildGrid(taps, (mode) => lists.find(({ digest }) => digest === digestOf(mode))?.bytes, minutes);
};

/** How large a complete domain is, and how many of its rows will be noise alone; nothing of other mechanisms. */
export function domainInWords({ mechanism, shown }: Certificate, cells: number): string[] {
  if (MECHANISMS[mechanism].emptyCells === 'never published') return [];
  const fromEmpty = Math.round(cells * (shown ? Number(shown.cell.empty.upper) : 1));
  return [
    `The public domain has ${cells} cells, and each gets noise; at most about ${fromEmpty} published cells will be ones in which nobody was.`,
  ];
}

/** Cells of the public domain of a release, by the lists of a file; null while a part of the file is no good. */
export function cellsOfFile(
  { modes, window, bins, privacy, day }: Partial<TapsFile>,
  lists: ReadonlyMap<string, LoadedList>,
): number | null {
  if (!modes || !window || !bins || !privacy || !day) return null;
  if (window.months === undefined && (window.days === undefined || window.firstWeekday === undefined)) return null;
  const ends = day.ends ?? clockLabel(clockMinutes(day.starts) + DAY_MINUTES);
  const rule = { modes, window, bins, privacy, day: { starts: day.starts, ends } };
  return domainCells(buildGrid(rule, (mode) => lists.get(mode)?.bytes, bins.minutes));
}

/** The size of a domain is known before anything is drawn. */
export function domainRule(file: Partial<TapsFile>, lists: ReadonlyMap<string, LoadedList>, report: ReportIssue): void {
  const { privacy } = file;
  if (!privacy) return;
  const drawnWhole = MECHANISMS[privacy.mechanism].threshold === 'floor';
  if (!drawnWhole && UNITS[privacy.unit].cardScope === null) return;
  const cells = cellsOfFile(file, lists);
  if (cells === null) return;
  const [what, most] = drawnWhole
    ? ['A complete domain', MOST_LISTED_CELLS]
    : ['A window of cards', MOST_CELLS_OF_CARDS];
  if (cells > most)
    report(
      ['privacy', 'mechanism'],
      `${what} has at most ${most} cells, and this one has ${cells}; take longer bins or shorter windows.`,
    );
}
