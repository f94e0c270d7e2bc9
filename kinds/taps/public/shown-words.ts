import type { Certificate, ShownChance } from '../../../contracts/certificate.ts';
import { BOUNDING_OF } from '../../../contracts/certificate-statements.ts';
import { gather } from '../../../core/text/paragraphs.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import type { NoisyTotal, ShownTaps, TapShare } from '../../../counts/readers/shown-taps.ts';
import type { ShownTable } from '../../../services/audit-page/page-subject.ts';

/** How many rows a release could have: cells of its public domain, and hours of its places. */
export type PossibleRows = { cells: number; hours: number };

/** The words for what a release shows. With card units they speak of counted taps, and of nothing else. */
export function tapsWords(
  modes: readonly ShownTaps[],
  leftOut: NoisyTotal | null,
  certificate: Certificate,
): ShownTable {
  const { unit, maxTaps } = certificate;
  const isCounted = UNITS[unit].cardScope !== null;
  const isTotalKnown = modes.some(({ noisy }) => noisy);
  return {
    sentences: gather(
      `These figures are estimated from the published rows alone. Rows of the source that could not be read are in none of them.${describeRejects(leftOut, certificate)}`,
      isCounted &&
        `All of them are of counted taps. ${BOUNDING_OF[unit](maxTaps)} ${describeLeftOut(leftOut, certificate)} Nothing here is a figure, or an interval, of all taps.`,
      isTotalKnown
        ? `For each mode the interval misses the exact number of ${isCounted ? 'counted taps' : 'taps'} with a chance of at most 5 %; the interval of a share misses when that of the number does. A share is that of the published counts in the exact number.`
        : 'Nobody can say how many taps no cell shows, so that neither totals nor shares are known.',
    ),
    headings: [
      'Mode',
      isCounted ? 'Counted taps, noisy total and its 95 % interval' : 'Noisy total and its 95 % interval',
      'In fine cells',
      ...(certificate.hours ? ['In hour rows'] : []),
    ],
    rows: modes.map(({ mode, noisy, inCells, inHours }) => [
      mode,
      noisy ? `${noisy.total} (${noisy.lowest} to ${noisy.highest})` : UNKNOWN,
      percent(inCells),
      ...(certificate.hours ? [percent(inHours)] : []),
    ]),
  };
}

/** Under a floor: how many rows can be expected that are noise alone, if there were nobody at all. */
export function rowsOfNobody({ shown }: Certificate, { cells, hours }: PossibleRows): string[] {
  if (!shown) return [];
  const estimate = (rows: number, { empty }: ShownChance): string =>
    `of the ${rows} ${rows === cells ? 'cells' : 'rows of hours'} of the public domain at most about ${Number((rows * Number(empty.upper)).toPrecision(2))}`;
  const of = [estimate(cells, shown.cell), ...(shown.hour ? [estimate(hours, shown.hour)] : [])];
  return [`Some published rows are noise alone: ${of.join(', and ')} can be expected where nobody was.`];
}

/** How many taps the bound leaves out, as far as a series counts it. */
function describeLeftOut(leftOut: NoisyTotal | null, { unit, clamp }: Certificate): string {
  if (!leftOut) return 'How many taps this leaves out is not known.';
  return `It leaves out ${inWords(leftOut)}, where at most ${clamp} left-out taps of one card and ${UNITS[unit].cardScope} are counted: those beyond are in no number, so that more may be left out.`;
}

/** How many taps could not be read, where a series counts them. */
const describeRejects = (leftOut: NoisyTotal | null, { rejects }: Certificate): string =>
  rejects && leftOut ? ` They held ${inWords(leftOut)}.` : '';

/** A number that noise has taken below 0 says how many there are at most. */
const inWords = ({ total, lowest, highest }: NoisyTotal): string =>
  total > 0
    ? `about ${total} taps (${lowest} to ${highest}, which misses the exact number with a chance of at most 5 %)`
    : `at most ${Math.max(0, highest)} taps (which misses the exact number with a chance of at most 5 %)`;

const UNKNOWN = '–';

/** Its ends are rounded outward. */
function percent(figure: TapShare | null): string {
  if (figure === null) return UNKNOWN;
  const [lowest, highest] = [Math.floor(1000 * figure.lowest) / 10, Math.ceil(1000 * figure.highest) / 10];
  return `${(100 * figure.share).toFixed(1)} % (${lowest.toFixed(1)} to ${highest.toFixed(1)})`;
}
