import { short } from '../../core/text/wording.ts';
import { html, type Markup } from '../../services/pages/markup.ts';
import { type ConfidentialContent, confidentialPage, figure, shareText, wideTable } from './confidential-page.ts';
import { bandsDrawing, gainsDrawing } from './drawings.ts';
import type { Matrix } from './measures/utility.ts';
import { DEPTH, type RiskReport } from './risk-report.ts';
import { range } from './sql/coded-table.ts';

/** Headings of the quantiles of a column, and of their mean. */
const BANDS = {
  minimum: 'Least',
  lowerQuartile: 'Quarter',
  median: 'Half',
  upperQuartile: 'Three quarters',
  percentile95: '95 %',
  maximum: 'Most',
  mean: 'Mean',
} as const;

const bands = Object.keys(BANDS) as (keyof typeof BANDS)[];

/**
 * The risk report for people who decide: one file that loads nothing and runs nothing. It is as confidential as the raw
 * data, and says so first.
 */
export const riskPage = async (report: RiskReport, title: string): Promise<string> =>
  confidentialPage({ title: `risk of ${title}`, ...(await riskContent(report, title)) });

/** The same, for a page that frames it. */
export async function riskContent(report: RiskReport, title: string): Promise<ConfidentialContent> {
  const { columns, risk, rows, missing, shared, trajectories, changed } = report;
  return {
    kicker: `Risk report of ${title}: ${rows} rows, ${columns.length} columns`,
    heading: `${short(risk.rows.percentile95)} bits: how much a row tells`,
    main: html`<section>
<h2>What the number says</h2>
<p>${meaning(report)}</p>
<p>${attacker(report)}</p>
${missing.length === 0 ? [] : html`<p>${`${missing.length === 1 ? 'One object of the window is' : `${missing.length} objects of the window are`} missing; the report is of the others.`}</p>`}
</section>
<section>
<h2>Where the risk lies</h2>
<div class="box">${await figure('What a cell tells, by column, from the least exposed rows to the most', gainsDrawing(report))}
<p class="soft">Darker cells tell more. Each step across is a twentieth of the rows where gains differ enough to part them.</p></div>
<div class="box">${await figure('What the cells of each column tell', bandsDrawing(columns, risk))}
${wideTable(
  'Bits that a cell of the column tells: quantiles over the rows, and the mean',
  ['Column', ...Object.values(BANDS)],
  risk.columns.map(({ gain }, column) => [columns[column]!, ...bands.map((band) => gain[band])]),
)}
${wideTable(
  'Values of each column; the entropy is the most that the mean above can be',
  ['Column', 'Different values', 'Entropy'],
  risk.columns.map(({ values, entropy }, column) => [columns[column]!, String(values), entropy]),
)}</div>
</section>
<section>
<h2>The most exposed rows</h2>
<div class="box">
<p>Names are hashes under a key that is thrown away: they tell the rows of this page apart, and nothing else.</p>
${wideTable(
  'Bits by cell, and their sum',
  ['Row', 'Equal rows', ...columns, 'Sum'],
  report.exposed.map(({ name, rows: equal, gains, total }) => [name, String(equal), ...gains, total]),
)}</div>
</section>
${trajectories === null ? [] : trajectorySection(trajectories, columns)}
${changed === null ? [] : changeSection(report, changed)}
<section>
<h2>What columns tell of each other</h2>
<div class="box">${matrixTable('Shared information of two columns in bits; of a column with itself, its entropy', columns, shared)}</div>
</section>
<section>
<h2>What this report cannot show</h2>
<ul>
<li>It measures one table against itself. What somebody knows from elsewhere can make a row tell more.</li>
<li>A low number is no promise. What protects people in a release is differential privacy, whatever this page says.</li>
<li>Bins that were chosen by looking at this window are not covered by the certificate of a release of this window. Choose them on a period that is never released.</li>
</ul>
</section>`,
  };
}

/** A part of a report that is there. */
type Found<Part extends 'trajectories' | 'changed'> = NonNullable<RiskReport[Part]>;

function matrixTable(caption: string, columns: readonly string[], matrix: Matrix): Markup {
  const rows = columns.map((name, column) => [name, ...matrix[column]!]);
  return wideTable(caption, ['Column', ...columns], rows);
}

/** A bit in words: how many times fewer rows are left. */
function meaning({ rows, risk }: RiskReport): string {
  const { percentile95, median, maximum } = risk.rows;
  return (
    `A bit is the answer to one question of yes or no. Somebody who knows all about a person but one cell learns, over all cells of the row, ` +
    `at most ${short(percentile95)} bits for 95 of 100 rows (the personal information factor, RIG95), ` +
    `${short(median)} for half of them, and ${short(maximum)} for the most exposed one. ` +
    `A single cell tells at most ${short(Math.log2(rows))} bits, as many as it takes to find one of ${rows} rows; cells overlap in what they tell, so that their sum can be more.`
  );
}

function attacker({ columns, known }: RiskReport): string {
  if (known.length === columns.length)
    return 'The attacker of this page is the strongest one: for each cell, all others of the row are known.';
  return `The attacker of this page knows ${known.length === 0 ? 'no column' : known.join(', ')}; more knowledge tells more.`;
}

function trajectorySection(
  { steps, columns: readings, ids, known }: Found<'trajectories'>,
  columns: readonly string[],
): Markup {
  const share = (part: number, whole: number): string => shareText(whole === 0 ? null : part / whole);
  const longest = Math.max(0, ...known.map(({ length }) => length));
  const [every, own] = [readings['every-sequence'], readings['own-step']];
  return html`<section>
<h2>What the rows of one person tell together</h2>
<div class="box">
${wideTable(
  `The first rows of everybody in their order, taken together; ${DEPTH} at most`,
  ['Rows', 'People with that many', 'Alone with theirs', 'Part'],
  steps.map((one) => [...[one.step, one.ids, one.unique].map(String), share(one.unique, one.ids)]),
)}
${wideTable(
  'People whom a few values of one column tell from all others, when their order is known and not what lies between',
  ['Column', ...range(longest).map((index) => `${index + 1} known`)],
  columns.map((name, column) => [name, ...known[column]!.map(({ exposed }) => share(exposed, ids))]),
)}
${wideTable(
  'Depth information gain in bits: the most that a cell tells, alone or in a sequence. The two columns of a kind are the two readings of its definition: every sequence that the cell is part of, or the one that ends with it',
  ['Column', 'Half, every', 'Half, own', 'Most, every', 'Most, own'],
  columns.map((name, i) => [name, every[i]!.median, own[i]!.median, every[i]!.maximum, own[i]!.maximum]),
)}</div>
</section>`;
}

const changeSection = (
  { columns, risk }: RiskReport,
  { rules, risk: after, kept, keptOfRows, loss }: Found<'changed'>,
): Markup => html`<section>
<h2>What the chosen bins change</h2>
<div class="box">
<p>${`95 of 100 rows tell at most ${short(after.rows.percentile95)} bits with these bins, and ${short(risk.rows.percentile95)} without. ${keptOfRows === null ? '' : `${shareText(keptOfRows)} of the information of the rows is kept.`} ${short(loss.total)} bits of shared information are lost over all pairs of columns.`}</p>
${wideTable(
  'Mean bits of a cell, and the part of its information that the column keeps',
  ['Column', 'Bins', 'Before', 'After', 'Kept'],
  columns.map((name, i) => {
    const [before, then] = [risk, after].map((one) => one.columns[i]!.gain.mean);
    return [name, rules[i]!, before!, then!, shareText(kept[i]!)];
  }),
)}
${matrixTable('Shared information that is lost, in bits: columns as they were down, as they are then across', columns, loss.matrix)}</div>
</section>`;
