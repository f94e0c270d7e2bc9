import { z } from 'zod';
import type { Certificate } from '../../../contracts/certificate.ts';
import { ONE, parseRational, rational, subtract, toNumber } from '../../../core/rational/rational.ts';
import { gather } from '../../../core/text/paragraphs.ts';
import { cellNoise, type NoiseOfCell } from '../../../counts/certificate/cell-noise.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import { absenceInterval, type ExactNoise, interval } from '../../../counts/mechanisms/count-interval.ts';
import { exactNoise, MECHANISMS, type NoiseOfCount, noiseOfCount } from '../../../counts/mechanisms/mechanisms.ts';
import { hourRowInterval } from '../../../counts/readers/hour-row-interval.ts';

/** How to read the counts of a release, in words and with an example (C17, C19). */
export const readingGuideSchema = z.strictObject({
  publishedCell: z.string(),
  missingCell: z.string(),
  example: z.string(),
  /** The same for each noisy margin that is published. */
  margins: z.array(z.string()),
  /** Under a floor: what a published cell proves, and how hour rows are read. */
  floor: z.array(z.string()),
  /** What is known of the error of fitted remainder rows, by their size. */
  fitted: z.array(z.string()),
  /** How numbers of left-out taps are read. */
  leftOut: z.array(z.string()),
  /** 95 % of all noise on cells is within plus and minus this. */
  noiseHalfWidth95: z.int().nonnegative(),
  /** Chance that a cell with this many people in it is published; empty when every cell is. */
  appearance: z.array(z.strictObject({ people: z.int().positive(), probability: z.string() })),
});

export type ReadingGuide = z.infer<typeof readingGuideSchema>;

/** Group sizes that the assessment of the 2017 release looked at: one person, a small and a larger group. */
const GROUPS = [1, 5, 12] as const;

/** Confidence of the examples. */
const CONFIDENCE = rational(19n, 20n);

/** Bits of the interval arithmetic: the figures are shown with three digits. */
const BITS = 96;

/** The reading guide of a certificate; the same certificate gives the same words. */
export function readingGuide(certificate: Certificate): ReadingGuide {
  const { mechanism, threshold, scale } = certificate;
  const noise = exactNoise(mechanism, scale);
  const { cellInterval, noiseFormula } = MECHANISMS[mechanism];
  const count = (threshold ?? 0) + 100;
  const range = cellInterval(count, CONFIDENCE, noise);
  return {
    publishedCell: `A published count is the true count plus whole-numbered noise x, drawn with a probability proportional to ${noiseFormula} = ${scale}.`,
    missingCell: threshold === null ? NOTHING_MISSING : gapWords(threshold, noise),
    example: `Of a published ${count} the true count lies between ${range.lowest} and ${range.highest}: the chance that a cell is published and this is wrong is at most 5 %.`,
    margins: marginWords(certificate),
    floor: floorWords(certificate),
    fitted: fitWords(certificate),
    leftOut: describeLeftOut(certificate),
    noiseHalfWidth95: interval(0, CONFIDENCE, noise).highest,
    appearance:
      threshold === null
        ? []
        : GROUPS.map((people) => ({
            people,
            probability: appearanceProbability(people, threshold, cellNoise(mechanism, parseRational(scale))),
          })),
  };
}

const NOTHING_MISSING =
  'Every cell of the domain is published; none is missing, and a count of 0 or less is as noisy as any other.';

function gapWords(threshold: number, noise: ExactNoise): string {
  const { highest } = absenceInterval(threshold, CONFIDENCE, noise);
  return `A cell that is not listed is not a zero. Either nobody was there, or the noisy count was below ${threshold}; the data cannot tell which. A true count above ${highest} is missing with a chance of at most 5 %.`;
}

/** What rows under a floor say; none without one. */
function floorWords({ mechanism, floor, hours, shown, unit, scale, marginScales }: Certificate): string[] {
  if (floor === undefined || !shown) return [];
  const chance = (text: string) => Number(text).toPrecision(2);
  return gather(
    `A published cell does not prove that anybody was there: empty cells have noise too. A cell in which nobody was is published with a chance of ${chance(shown.cell.empty.upper)}, one with a single ${unit} with ${chance(shown.cell.lone.upper)}.`,
    hours &&
      shown.hour && [
        `An hour row (hours.csv) is the sum of the noisy counts of that clock hour and place that are below ${floor}, so that cells of the same hour are not in it; it covers two cells or more, and is published from ${hours.floor} on. It has noise of each cell that it covers, and with nobody there it is published with a chance of ${chance(shown.hour.empty.upper)}.${marginScales.time === undefined ? '' : ' It can be larger than the remainder rows of its times together.'}`,
        hourExample(hours.floor + 100, noiseOfCount(mechanism, scale), hours.bins),
      ],
  );
}

function hourExample(count: number, noise: NoiseOfCount, bins: number): string {
  const { lowest, highest } = hourRowInterval(count, 0.95, noise, bins);
  return `Of an hour row of ${count} the cells that it covers hold between ${lowest} and ${highest} taps: the chance that an hour row is published and this is wrong is at most 5 %.`;
}

/** By size: the noise of a row is that of its margin; the fit moves all rows of a day and tap by the same level. */
const fitWords = ({ mechanism, marginScales }: Certificate): string[] =>
  Object.entries(marginScales).map(([margin, scale]) => {
    const { highest: noise } = interval(0, CONFIDENCE, exactNoise(mechanism, scale));
    return `A remainder row of one ${margin} has no interval. One below ${noise} can be noise alone; from ${10 * noise} on, the noise of its margin is less than a tenth of it in 95 % of all draws; between them it is more. The noise of the published cells of that ${margin} comes on top. The fit takes the same level from every row of a day and tap, and none falls below 0.`;
  });

/** What a noisy margin says by itself; fitted remainder rows have no such statement (C19). */
const marginWords = ({ mechanism, marginScales }: Certificate): string[] =>
  Object.entries(marginScales).map(([margin, scale]) => {
    const { lowest, highest } = interval(1000, CONFIDENCE, exactNoise(mechanism, scale));
    return `Of a noisy ${margin} margin of 1000 the true total lies between ${lowest} and ${highest}, with a chance of at most 5 % that this is wrong.`;
  });

/** What a number of left-out taps says; none where they are not counted. */
function describeLeftOut({ mechanism, clamp, rejects, leftOutScale, unit, maxTaps = 0 }: Certificate): string[] {
  if (leftOutScale === undefined) return [];
  const { lowest, highest } = interval(1000, CONFIDENCE, exactNoise(mechanism, leftOutScale));
  const says = (what: string) =>
    `left-out.csv says how many taps of each mode, day and end ${what}, with noise. Of a number of 1000 the true one lies between ${lowest} and ${highest}, with a chance of at most 5 % that this is wrong.`;
  if (rejects)
    return [
      says('could not be read'),
      'A tap that could not be read is in no other number. It counts for the first day that the name of its source object says, and for the first mode and end where its own are not known.',
    ];
  if (clamp === undefined) return [];
  const scope = UNITS[unit].cardScope ?? 'window';
  return [
    says('the bound leaves out'),
    `Of one card and ${scope} at most ${clamp} left-out taps are in these numbers: taps beyond the first ${maxTaps + clamp} are in no number at all, so that counted and left-out taps together are never more than all taps, and may be fewer.`,
  ];
}

/** Upper bound on P[people + X >= T]; from T on it is 1 - P[X >= people - T + 1]. */
function appearanceProbability(people: number, threshold: number, { tail }: NoiseOfCell): string {
  const upper =
    people < threshold ? tail(threshold - people, BITS).upper : subtract(ONE, tail(people - threshold + 1, BITS).lower);
  return toNumber(upper).toPrecision(3);
}
