import { html, Markup } from '../pages/markup.ts';
import { pageHead } from '../pages/page-head.ts';
import { SERIES_FILES } from './series-files.ts';

/** What the pages of a series have besides the style of every page: ways, bars, maps, a filter and lists of downloads. */
const SERIES_STYLE = `
header, main, footer { max-width: 66rem; }
p, dl, pre { max-width: 46rem; }
nav { max-width: 66rem; margin: 0 auto; padding: 1rem 1rem 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0; }
nav a { display: inline-block; padding: .25rem 0; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem; }
.chart { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 1.25rem 1.5rem; margin: 1rem 0; }
.chart figure { margin: 0; }
.chart svg { max-width: none; }
.chart rect { fill: var(--bar); }
.chart text { fill: var(--soft); font-size: 11px; font-family: system-ui, sans-serif; }
.chart line { stroke: var(--line); }
.scale { display: block; font-size: .8125rem; font-weight: 400; color: var(--soft); }
.map svg { overflow: visible; }
.map rect { fill: var(--card); stroke: var(--line); }
.map circle { fill: var(--bar); fill-opacity: .4; stroke: var(--bar); stroke-width: .75; }
.map text { fill: var(--ink); paint-order: stroke; stroke: var(--card); stroke-width: 2px; }
.map path { fill: none; stroke: var(--soft); }
[hidden] { display: none !important; }
fieldset { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; min-width: 0; margin: 1rem 0; padding: .5rem 1rem .85rem; background: var(--card); border: 1px solid var(--line); border-radius: .25rem; }
legend { font-weight: 600; padding: 0 .25rem; }
label { display: grid; font-size: .875rem; color: var(--soft); }
select, input { font: inherit; font-size: 1rem; min-height: 2.5rem; min-width: 8rem; max-width: 100%; padding: 0 .5rem; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: .25rem; }
output { font-size: .875rem; line-height: 2.5rem; }
.tall { max-height: 30rem; overflow-y: auto; border-bottom: 1px solid var(--line); }
.tall table { font-size: .875rem; border-collapse: separate; border-spacing: 0; }
.tall td, .tall th { white-space: nowrap; padding-right: .65rem; }
.tall th:first-child { position: sticky; left: 0; background: var(--paper); white-space: normal; min-width: 8rem; max-width: 14rem; }
.tall thead th { position: sticky; top: 0; background: var(--paper); z-index: 1; }
.tall thead th:first-child { z-index: 2; }
.tall td:nth-child(2), .tall th:nth-child(2) { text-align: left; }
.state { font-weight: 600; white-space: nowrap; }
.words th, .words td { text-align: left; white-space: nowrap; }
.words th[scope=row], .words td .reason { white-space: normal; }
.words { position: relative; }
.day { white-space: nowrap; }
@media (max-width: 30rem) { .words table { font-size: .8125rem; } .words th, .words td { padding-right: .25rem; } }
.unseen { position: absolute; left: 0; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
section > h3 { margin-top: 1.25rem; }
dl { margin: .4rem 0; }
dt { font-weight: 600; margin-top: .75rem; }
dd { margin: 0; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .25rem; padding: .75rem; overflow-x: auto; }
.digest { font-size: .8125rem; color: var(--soft); word-break: break-all; }
@media print {
  nav, .skip, fieldset { display: none; }
  .tall { max-height: none; overflow: visible; }
  .tall table { font-size: 7pt; break-inside: auto; }
  .tall td, .tall th { padding-right: .3rem; }
  .tall tr { break-inside: avoid; }
  .tall tr > :nth-child(n+11) { display: none; }
  .chart figure { break-inside: avoid; }
}
`;

/** A page of a series as it is asked for. */
export type SeriesPage = {
  title: string;
  /** Links of the head of the page: title and address, beginning with where it belongs. */
  ways: readonly (readonly [text: string, address: string])[];
  generation: number;
  header: Markup;
  main: Markup | readonly Markup[];
  /** What runs at the end of the page, where scripts run at all. */
  script?: string;
};

/** Marks a page with the generation that it is of, so that an older one never replaces a newer one. */
export const generationMark = (generation: number): string => `opaline-generation: ${generation}`;

/** The generation of the bytes of a page or file of a series; null for what has none. */
export function generationOf(bytes: Uint8Array): number | null {
  const text = Buffer.from(bytes).toString('utf8');
  const match = /opaline-generation: (\d{1,15})|"generation":(\d{1,15})/.exec(text);
  return match ? Number(match[1] ?? match[2]) : null;
}

/** A whole page: one file that loads nothing, and runs nothing but its script. Equal input gives equal bytes. */
export function seriesPage({ title, ways, generation, header, main, script = '' }: SeriesPage): Buffer {
  const mark = new Markup(`\n<!-- ${generationMark(generation)} -->`);
  const links = html`
<link rel="alternate" type="application/atom+xml" title="Changes" href="${SERIES_FILES.feed}">`;
  const { text } = html`${pageHead(title, { mark, links, style: SERIES_STYLE, script })}
<body>
<a class="skip" href="#main">Skip to the content</a>
<nav aria-label="This series">
<ul>
${ways.map(([name, address]) => html`<li><a href="${address}">${name}</a></li>`)}
</ul>
</nav>
<header>
${header}
</header>
<main id="main">
${main}
</main>
${script === '' ? [] : [html`<script>${new Markup(script)}</script>`]}
</body>
</html>
`;
  return Buffer.from(text, 'utf8');
}
