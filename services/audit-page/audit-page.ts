import { type AuditCheck, type AuditReport, FINDINGS } from '../../contracts/audit-report.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { short } from '../../core/text/wording.ts';
import type { TableNoise } from '../../counts/audit/checks/declared-noise.ts';
import { mapAtOnce } from '../at-once.ts';
import { type AuditFigure, drawFigure } from '../pages/drawing.ts';
import { html, htmlTable, type Markup, numberText, sentenceText, tableRegion } from '../pages/markup.ts';
import { pageHead } from '../pages/page-head.ts';
import { typicalCountFigure } from './figures/counts-figure.ts';
import { differencesFigure } from './figures/differences-figure.ts';
import { suppressionFigure } from './figures/missing-figure.ts';
import { accumulationFigure, presenceFigure } from './figures/people-figure.ts';
import { scaleFigure } from './figures/scale-figure.ts';
import {
  type AuditPageSubject,
  DAYS_HEADING,
  type DrawnTable,
  SHOWN_HEADING,
  type ShownTable,
} from './page-subject.ts';
import { FINDING_WORDS, VERDICT_HEADINGS, VERDICT_WORDS, verdictShape } from './verdict-words.ts';

/**
 * The audit for people: audit.html of a release, and the page of any other publication. The verdict comes first, then
 * what has to be looked at, what an attacker learns with figures, and every attack in a sentence. One file that loads
 * nothing and runs nothing; it holds no clock, no host and no count of the source, and equal input gives equal bytes.
 *
 * @contract C18
 */
export async function auditPage(report: AuditReport, subject: AuditPageSubject): Promise<string> {
  const { kind, title, cover, certificate } = subject;
  const figures = await mapAtOnce(auditFigures(report, subject), 1, figureSection);
  const open = (['fail', 'attention'] as const).flatMap((word) =>
    report.checks.filter(({ verdict }) => verdict === word),
  );
  return html`${pageHead(`${VERDICT_WORDS[report.verdict]}: audit of ${report.release}`)}
<body>
<header>
${kind === 'release' ? html`<p class="kicker">Audit of ${title}, release <code>${report.release}</code></p>` : html`<p class="kicker">Audit of ${title}</p>`}
<div class="banner ${report.verdict}">
${verdictShape(report.verdict, VERDICT_WORDS[report.verdict])}
<div>
<h1>${VERDICT_HEADINGS[kind][report.verdict]}</h1>
<p>${tallyInWords(report.checks)} ${cover}</p>
</div>
</div>
</header>
<main>
${open.length === 0 ? [] : [html`<section><h2>What has to be looked at</h2>${checkList(open)}${kind === 'release' && report.verdict === 'attention' ? [ACKNOWLEDGEMENT] : []}</section>`]}
${subject.shown ? [tableSection(SHOWN_HEADING, 'Taps of each mode, from the published rows', subject.shown)] : []}
${subject.days ? [tableSection(DAYS_HEADING, 'Taps of each day and of its weekday in the weeks before', subject.days)] : []}
<section>
<h2>What can be learnt from this ${kind}</h2>
${certificate?.threshold === null ? [EVERY_CELL] : []}
${figures}
</section>
<section>
<h2>Everything that was tried</h2>
${report.checks.length === 0 ? html`<p>No attack is recorded.</p>` : checkList(report.checks)}
</section>
<section>
<h2>What protects the ${kind}</h2>
${certificate ? parameterTable(certificate) : tablesTable(subject.drawn)}
</section>
<section>
<h2>What this audit cannot show</h2>
<p>${kind === 'release' ? RESTS_ON : NOT_LEARNT}</p>
<ul>
${subject.gaps.map((gap) => html`<li>${gap}</li>`)}
</ul>
</section>
</main>
${kind === 'release' ? [FOOTER] : []}
</body>
</html>
`.text;
}

const tableSection = (
  heading: string,
  caption: string,
  { sentences, headings, rows }: ShownTable,
): Markup => html`<section>
<h2>${heading}</h2>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${tableRegion('box wide', caption, caption, headings, rows)}
</section>`;

const EVERY_CELL = html`<p>Every cell of the public domain is published, empty ones too: a cell says nothing by being there, and none is missing.</p>`;

const RESTS_ON =
  'The attacks saw what is released, public parameters and, where the mechanism itself was tried, invented counts; none of them ' +
  'saw the truth. They can refute the promise, not prove it: the proof is the certificate. It rests on what the publisher ' +
  'attests and nobody outside can check:';

const NOT_LEARNT =
  'The attacks saw the files, what is declared of them, and public knowledge; none of them saw the truth. They can refute a promise, ' +
  'not prove one. Not to be learnt from these files:';

const FOOTER = html`<footer><p>The same findings for programs are in <code>audit.json</code>; how to read the data is in <code>statement.md</code>.</p></footer>`;

/** `23 attacks and checks: 18 held, 2 to be looked at, 0 broken, 3 not tried.` */
function tallyInWords(checks: readonly AuditCheck[]): string {
  const [passes, attention, fails, skips] = FINDINGS.map(
    (word) => checks.filter(({ verdict }) => verdict === word).length,
  );
  return `${checks.length} attacks and checks: ${passes} held, ${attention} to be looked at, ${fails} broken, ${skips} not tried.`;
}

const ACKNOWLEDGEMENT = html`<p class="soft">Whoever approves has to acknowledge each of these points by its name.</p>`;

const checkList = (checks: readonly AuditCheck[]): Markup => html`<ol class="checks">
${checks.map(
  (check) => html`<li class="${check.verdict}">${verdictShape(check.verdict, FINDING_WORDS[check.verdict])}<div>
<h3>${check.attack}</h3>
<p><span class="${check.verdict}"><span class="word">${FINDING_WORDS[check.verdict]}.</span></span> ${sentenceText(check.sentence)}</p>
<p class="numbers">${numbersOf(check)}</p>
</div></li>`,
)}
</ol>`;

/** The name of a check and the numbers that it has. */
function numbersOf({ id, statistic, bound, interval, pValue }: AuditCheck): Markup {
  const numbers = [
    ...(statistic === null ? [] : [`found ${numberText(statistic)}`]),
    ...(bound === null ? [] : [`bound ${numberText(bound)}`]),
    ...(interval === null ? [] : [`interval ${numberText(interval[0])} to ${numberText(interval[1])}`]),
    ...(pValue === null ? [] : [`p-value ${numberText(pValue)}`]),
  ];
  return html`<code>${id}</code>${numbers.map((number) => html` · ${number}`)}`;
}

const figureSection = async (figure: AuditFigure): Promise<Markup> => html`<div class="box">
<h3>${figure.heading}</h3>
<p>${sentenceText(figure.sentence)}</p>
<figure>
<figcaption>${figure.title}</figcaption>
${await drawFigure(figure)}
</figure>
${htmlTable(figure.caption, figure.headings, figure.rows)}
</div>`;

function parameterTable(certificate: Certificate): Markup {
  const { mechanism, unit, neighbours, epsilon, delta, deltaUpper, threshold, scale } = certificate;
  return htmlTable(
    'Parameters of the certificate',
    ['Parameter', 'Value'],
    [
      ['Mechanism', mechanism],
      ['What is protected', unit],
      ['Neighbours', neighbours],
      ['ε', epsilon],
      ['δ, asked for', delta],
      ['δ, proved: at most', roundUp(deltaUpper)],
      ['Threshold', threshold ?? 'none'],
      ['Scale of the noise on cells', scale],
    ],
  );
}

/** A bound in decimals to three digits, rounded up; all of its digits are in the certificate. */
function roundUp(bound: string): string {
  const [, mantissa, exponent] = /^(\d\.\d+)(e-\d+)$/.exec(bound) ?? [];
  return mantissa === undefined ? bound : `${(Math.ceil(100 * Number(mantissa)) / 100).toFixed(2)}${exponent}`;
}

/** What is declared about tables without a common certificate, or shows in them. */
function tablesTable(tables: readonly DrawnTable[]): Markup {
  const scale = ({ least, most }: TableNoise): string =>
    least === most ? short(least) : `${short(least)} to ${short(most)}`;
  return htmlTable(
    'What is known of the noise of each table',
    ['Table', 'Threshold', 'Scale', 'Known by', 'δ'],
    tables.map(({ name, noise, delta }) => [
      name ?? 'cells',
      noise.threshold ?? 'none',
      scale(noise),
      KNOWN_BY[noise.knownBy],
      delta ?? 'not said',
    ]),
  );
}

const KNOWN_BY: Record<TableNoise['knownBy'], string> = {
  certificate: 'certificate',
  declaration: 'what is declared',
  pairs: 'equal counts',
  threshold: 'smallest count',
};

/**
 * The figures of the audit page. They follow from what is known of the noise and from the report alone; what a
 * publication does not have (missing cells where every cell is published), or nobody knows, has no figure.
 */
export function auditFigures({ checks }: AuditReport, subject: AuditPageSubject): AuditFigure[] {
  const checkOf = (id: string) => checks.find((check) => check.id === id) ?? null;
  return [
    presenceFigure(subject),
    accumulationFigure(subject, checkOf('accumulation')),
    differencesFigure(subject.differences),
    suppressionFigure(subject),
    typicalCountFigure(subject.drawn),
    scaleFigure(subject, checkOf('scale')),
  ].filter((figure) => figure !== null);
}
