import type { Certificate } from '../../../contracts/certificate.ts';
import type { ReportIssue } from '../../../contracts/series-issue.ts';
import { binLabels, clockLabel, clockMinutes } from '../../../core/calendar/time-bins.ts';
import { mostDays } from '../../../core/calendar/window.ts';
import { ENDS_PUBLISHED, UNITS } from '../../../counts/certificate/units.ts';
import { MECHANISMS } from '../../../counts/mechanisms/mechanisms.ts';
import type { LoadedList } from '../../client-kind.ts';
import { parseDictionary } from '../location-dictionary.ts';
import type { TapsFile, TapsSeries } from '../series.ts';

/** A complete domain of more cells takes minutes to draw, and shows little but noise. */
const MOST_CELLS = 20_000_000;

/** The taps of cards are counted in lists of all cells: with both ends and a day on each side fewer than 2^32. */
const MOST_CELLS_OF_CARDS = 500_000_000;

/** What decides how many cells a release has. */
type DomainRule = Pick<TapsSeries, 'modes' | 'window' | 'day'> & {
  bins: Pick<TapsFile['bins'], 'minutes' | 'locations'>;
  privacy: Pick<TapsSeries['privacy'], 'publish'>;
};

/**
 * Cells of the public domain of one release: days times taps times time bins times locations, added up over the modes.
 * `listOf` gives the dictionary of a mode. A day on which the clock is put forward has a few fewer.
 */
export function domainCells(
  { modes, window, day, bins, privacy }: DomainRule,
  listOf: (mode: string) => LoadedList | undefined,
): number {
  const times = binLabels(day.starts, day.ends, bins.minutes, []).length;
  const ofDay = times * ENDS_PUBLISHED[privacy.publish] * mostDays({ window });
  return modes.reduce((sum, mode) => sum + ofDay * locationsOf(mode), 0);

  function locationsOf(mode: string): number {
    const list = listOf(mode);
    const published = list ? parseDictionary(list.bytes).values() : [];
    return new Set([...published, bins.locations[mode]?.unknown]).size;
  }
}

/** How large a complete domain is, and how many of its rows will be noise alone; nothing of other mechanisms. */
export function domainInWords({ mechanism, shown }: Certificate, cells: number): string[] {
  if (MECHANISMS[mechanism].emptyCells === 'never published') return [];
  const fromEmpty = Math.round(cells * (shown ? Number(shown.cell.empty.upper) : 1));
  return [
    `The public domain has ${cells} cells, and each gets noise; at most about ${fromEmpty} published cells will be ones in which nobody was.`,
  ];
}

const DAY = 24 * 60;

/** The size of a domain is known before anything is drawn. */
export function domainRule(
  { modes, window, bins, privacy, day }: Partial<TapsFile>,
  lists: ReadonlyMap<string, LoadedList>,
  report: ReportIssue,
): void {
  if (!modes || !window || !bins || !privacy || !day) return;
  const drawnWhole = MECHANISMS[privacy.mechanism].threshold === 'floor';
  if (!drawnWhole && UNITS[privacy.unit].cardScope === null) return;
  const ends = day.ends ?? clockLabel(clockMinutes(day.starts) + DAY);
  const rule = { modes, window, bins, privacy, day: { starts: day.starts, ends } };
  const cells = domainCells(rule, (mode) => lists.get(mode));
  const [what, most] = drawnWhole ? ['A complete domain', MOST_CELLS] : ['A window of cards', MOST_CELLS_OF_CARDS];
  if (cells > most)
    report(
      ['privacy', 'mechanism'],
      `${what} has at most ${most} cells, and this one has ${cells}; take longer bins or shorter windows.`,
    );
}
