import type { ChanceText } from '../../../contracts/certificate.ts';
import { amountText } from '../../../core/rational/amount-text.ts';
import { parseRational, rational } from '../../../core/rational/rational.ts';
import { facts, lines } from '../../../core/text/paragraphs.ts';
import type { Design } from '../../../counts/certificate/designs.ts';
import { interval } from '../../../counts/readers/count-interval.ts';
import type { ExpectedUtility } from '../../../counts/readers/expected-utility.ts';

/** A design with what it would show of counts such as those of an earlier release, where one is named. */
export type ExpectedDesign = Design & { expected?: ExpectedUtility };

/** Confidence of the width of the noise on totals. */
const CONFIDENCE = rational(19n, 20n);

const upper = ({ upper: text }: ChanceText): string => Number(text).toPrecision(3);

/** 95 % of the noise of one total lie between minus and plus this. */
const within = (scale: string): number => interval(0, CONFIDENCE, parseRational(scale)).highest;

/** Designs side by side, for people: what each publishes, what shows somebody who is alone, and how noisy totals are. */
export function designsText(designs: readonly ExpectedDesign[]): string {
  return designs.map(designText).join('\n\n');
}

function designText({ name, certificate, expected }: ExpectedDesign): string {
  const { split, scale, marginScales, threshold, floor, hours, shown, deltaUpper } = certificate;
  const shares = Object.entries(split).map(([part, share]) => `${amountText(share)} ${part}`);
  const widths = Object.entries(marginScales).map(([part, b]) => ({ part, width: within(b) }));
  const margins = widths.map(({ part, width }) => `${part} ±${width}`).join(', ');
  return lines(
    name,
    facts(15, [
      ['  epsilon', shares.join(' + ')],
      ['  delta', deltaUpper],
      ['  cells', `from ${threshold} on, noise of scale ${scale}`],
      hours && ['  hour rows', `from ${hours.floor} on`],
      ['  lone unit', `shown with a chance ${shown ? `of ${upper(shown.cell.lone)}` : 'within delta'}`],
      ['  empty cell', shown ? `shown with a chance of ${upper(shown.cell.empty)}` : 'never shown'],
      shown?.hour && ['  in an hour', `lone ${upper(shown.hour.lone)}, empty ${upper(shown.hour.empty)}`],
      ['  totals', margins === '' ? 'none; sums of published cells only' : `95 % of the noise of each: ${margins}`],
      margins !== '' && [
        '  totals serve',
        widths.map(({ part, width }) => `a ${part} with well over ${width} taps`).join(', '),
      ],
      ...(expected ? expectedFacts(expected) : []),
      ['  a row proves', floor === undefined ? 'that somebody was there, up to delta' : 'nothing by itself'],
    ]),
  );
}

const percent = (share: number): string => `${(100 * share).toPrecision(3)} %`;

/** Estimates by an earlier release, and a warning for each margin that would be noise for the most part. */
function expectedFacts({ inCells, isAtLeast, errors, tooNoisy }: ExpectedUtility): Parameters<typeof facts>[1] {
  const margins = Object.entries(errors).map(([part, error]) => `${part} ${percent(error)}`);
  return [
    ['  expected', `${isAtLeast ? 'at least ' : 'about '}${percent(inCells)} of taps in fine cells`],
    margins.length > 0 && ['', `mean error of a noisy total by itself: ${margins.join(', ')}`],
    ...tooNoisy.map(
      (part) =>
        [
          '  WARNING',
          `the noise of a ${part} total is more than its taps: totals would be too high, so give ${part} a larger share or none`,
        ] as const,
    ),
  ];
}
