import { html, Markup } from '../pages/markup.ts';
import { pageHead } from '../pages/page-head.ts';
import { SERIES_FILES } from './series-files.ts';

/** What the pages of a series have besides the style of every page: a dark form, bars, and lists of downloads. */
const SERIES_STYLE = `
:root { color-scheme: light dark; --paper: #f4f5f7; --card: #fff; --bar: #2f6f9f; --link: #0b4f8a; }
body { background: var(--paper); }
.banner, .box { background: var(--card); }
a { color: var(--link); }
nav { max-width: 46rem; margin: 0 auto; padding: 1rem 1rem 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0; }
nav a { display: inline-block; padding: .25rem 0; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem; }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.chart { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; margin: 1rem 0; }
.chart figure { margin: 0; }
.chart svg { max-width: none; }
.chart rect { fill: var(--bar); }
.chart text { fill: var(--soft); font-size: 10px; font-family: system-ui, sans-serif; }
.chart line { stroke: var(--line); }
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
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebee; --soft: #b4bdc6; --line: #3d464f; --paper: #15191d; --card: #1e2429; --bar: #6aaede;
    --link: #8cc4f5; --pass: #6fce9a; --attention: #e9b35c; --fail: #ff9c94; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #333; --line: #999; --paper: #fff; --card: #fff; --link: #000; }
  nav, .skip { display: none; }
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
};

/** Marks a page with the generation that it is of, so that an older one never replaces a newer one. */
export const generationMark = (generation: number): string => `opaline-generation: ${generation}`;

/** The generation of the bytes of a page or file of a series; null for what has none. */
export function generationOf(bytes: Uint8Array): number | null {
  const text = Buffer.from(bytes).toString('utf8');
  const found = /opaline-generation: (\d{1,15})|"generation":(\d{1,15})/.exec(text);
  return found ? Number(found[1] ?? found[2]) : null;
}

/** A whole page: one file that loads nothing and runs nothing. Equal input gives equal bytes. */
export function seriesPage({ title, ways, generation, header, main }: SeriesPage): Buffer {
  const mark = new Markup(`\n<!-- ${generationMark(generation)} -->`);
  const links = html`
<link rel="alternate" type="application/atom+xml" title="Changes" href="${SERIES_FILES.feed}">`;
  const { text } = html`${pageHead(title, { mark, links, style: SERIES_STYLE })}
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
</body>
</html>
`;
  return Buffer.from(text, 'utf8');
}
