import { short } from '../../core/text/wording.ts';
import { type Drawing, drawFigure } from '../../services/pages/drawing.ts';
import { html } from '../../services/pages/markup.ts';
import type { RiskAdvice, Tried } from './advice.ts';
import { confidentialPage, wideTable } from './confidential-page.ts';
import type { AdviceGoal } from './measures/frontier.ts';

const BLUE = '#0b4f8a';
const GREY = '#8a949e';

/** A goal in words: `a PIF of at most 12 bits`. */
export const goalInWords = (goal: AdviceGoal): string =>
  goal.kind === 'risk'
    ? `a PIF of at most ${short(goal.most)} bits`
    : `at least ${short(100 * goal.least)} % of the information kept`;

/** The bins of a point that are not as they were: `on_time 15 minutes, mode dropped`. */
export const binsInWords = (columns: readonly string[], { rules, words }: Tried): string => {
  const changed = columns.flatMap((name, column) =>
    rules[column]!.kind === 'keep' ? [] : [`${name} ${words[column]}`],
  );
  return changed.length === 0 ? 'as it is' : changed.join(', ');
};

/** `12.3 %`, or a dash for what nobody knows. */
export const shareText = (share: number | null): string => (share === null ? '–' : `${short(100 * share)} %`);

/** The advice for people: what was tried, what is worth a thought, and what was chosen. */
export async function advicePage(advice: RiskAdvice, title: string): Promise<string> {
  const { columns, frontier, chosen, snippet, tried, goal } = advice;
  return confidentialPage({
    title: `advice on the bins of ${title}`,
    kicker: `Advice on the bins of ${title}: ${advice.rows} rows, ${tried.length} choices tried`,
    heading: chosen === null ? `Nothing that was tried reaches ${goalInWords(goal)}` : binsInWords(columns, chosen),
    main: html`<section>
<h2>What to do with it</h2>
<p><strong>${advice.warning}</strong></p>
<p>${`The goal was ${goalInWords(goal)}. The table as it is has a PIF of ${short(advice.original)} bits.`}</p>
${snippet === null ? [] : [html`<pre><code>${snippet}</code></pre>`]}
</section>
<section>
<h2>Risk against use</h2>
<div class="box"><figure>
<figcaption>Every choice that was tried; filled ones are beaten by no other</figcaption>
${await drawFigure(frontierDrawing(advice))}
</figure>
${wideTable(
  'Choices that no other beats in both; published is the part of the taps that the mechanism would publish in cells',
  ['Bins', 'PIF, bits', 'Kept', 'Shared information lost, bits', 'Published'],
  frontier.map((one) => [
    binsInWords(columns, one),
    short(one.risk),
    shareText(one.utility),
    short(one.loss),
    shareText(one.published),
  ]),
)}</div>
</section>`,
  });
}

/** Utility across, risk up: each choice a ring, those of the frontier filled. */
function frontierDrawing({ tried, frontier, columns }: RiskAdvice): Drawing {
  const best = new Set(frontier);
  const values = tried.map((one) => ({ kept: one.utility, risk: one.risk, best: best.has(one) }));
  return {
    id: 'frontier',
    title: 'Risk against utility of every choice that was tried',
    description: frontier
      .map((one) => `${binsInWords(columns, one)}: ${short(one.risk)} bits, ${shareText(one.utility)} kept`)
      .join('; '),
    height: 200,
    left: 42,
    spec: {
      data: { values },
      encoding: {
        x: {
          field: 'kept',
          type: 'quantitative',
          scale: { zero: false },
          axis: { title: 'part of the information of the rows that is kept', format: '%', tickCount: 5 },
        },
        y: {
          field: 'risk',
          type: 'quantitative',
          scale: { zero: true },
          axis: { title: 'PIF in bits', tickCount: 5 },
        },
      },
      layer: [
        { mark: { type: 'point', size: 50, color: GREY } },
        {
          transform: [{ filter: 'datum.best' }],
          mark: { type: 'point', filled: true, size: 80, color: BLUE, opacity: 1 },
        },
      ],
    },
  };
}
