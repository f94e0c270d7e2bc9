/** Colours and inks of the dark form. */
export const DARK_FORM = `@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e8ebee; --soft: #b4bdc6; --line: #3d464f; --paper: #15191d; --card: #1e2429; --bar: #6aaede; --link: #8cc4f5;
    --pass: #6fce9a; --attention: #e9b35c; --fail: #ff9c94; }
  figure [fill="#1c2126"], figure [fill="#8a3a00"] { fill: var(--ink); } figure [fill="#4a545e"] { fill: var(--soft); }
  figure [fill="#0b4f8a"] { fill: var(--bar); } figure [fill="#cfdfee"], figure [fill="#9dbddb"] { fill: #2f5573; }
  figure [stroke="#1c2126"], figure [stroke="#8a3a00"] { stroke: var(--ink); } figure [stroke="#0b4f8a"] { stroke: var(--bar); }
  figure [stroke="#e4e7eb"], figure [stroke="#8a949e"] { stroke: var(--line); }
}`;

/**
 * The style sheet of every page: one column that fits a phone, a dark form, and black on white on paper. The inks of a
 * drawing are attributes, which the dark form replaces one by one.
 */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2126; --soft: #4a545e; --line: #d5dae0; --paper: #f4f5f7; --card: #fff; --bar: #2f6f9f; --link: #0b4f8a;
  --pass: #14633a; --attention: #7a4b00; --fail: #a01818; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.0625rem; margin: 0 0 .25rem; }
p { margin: .4rem 0; }
.kicker, .soft, caption, footer { color: var(--soft); }
.kicker { margin: 0 0 .75rem; }
.banner { display: flex; gap: 1rem; align-items: flex-start; padding: 1.25rem 1rem; background: var(--card); border: 1px solid var(--line); border-left: .5rem solid; border-radius: .25rem; }
.banner > div { color: var(--ink); min-width: 0; }
.shape { flex: none; display: block; width: 1.5rem; height: 1.5rem; margin-top: .05rem; }
.banner .shape { width: 3.25rem; height: 3.25rem; }
.pass { color: var(--pass); } .attention { color: var(--attention); } .fail { color: var(--fail); } .not-tried { color: var(--soft); }
.box { background: var(--card); border: 1px solid var(--line); border-radius: .25rem; padding: 1rem; margin: 1rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: 1rem 0; }
figure svg { display: block; width: 100%; max-width: 34rem; height: auto; }
figcaption { font-size: .9375rem; font-weight: 600; margin-bottom: .35rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-size: .875rem; padding-bottom: .35rem; }
th, td { padding: .3rem .5rem .3rem 0; border-top: 1px solid var(--line); text-align: right; vertical-align: top; }
.box th, .box td, .wide th, .wide td { overflow-wrap: normal; }
th { font-weight: 600; } th:first-child { text-align: left; } td:last-child, th:last-child { padding-right: 0; }
div.wide { overflow-x: auto; margin-top: 1rem; }
.wide th.long[scope=row] { min-width: 12rem; }
.checks { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: .25rem; }
.checks > li { display: flex; gap: .75rem; padding: .85rem 1rem; border-top: 1px solid var(--line); }
.checks > li:first-child { border-top: 0; }
.checks > li > div { color: var(--ink); min-width: 0; }
.checks p { margin: .15rem 0; }
.word { font-weight: 600; }
.pass .word { color: var(--pass); } .attention .word { color: var(--attention); } .fail .word { color: var(--fail); }
.numbers { font-size: .875rem; color: var(--soft); }
code { font-family: ui-monospace, monospace; font-size: .9em; }
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
footer { padding-top: 1.5rem; padding-bottom: 2.5rem; font-size: .875rem; }
.box th[scope=row] { white-space: nowrap; padding-right: .75rem; }
.box th.long[scope=row], th.long[scope=row] { white-space: normal; overflow-wrap: anywhere; min-width: 5.5rem; }
@media (max-width: 30rem) { h1 { font-size: 1.3rem; } table { font-size: .875rem; } .banner .shape { width: 2.5rem; height: 2.5rem; } }
${DARK_FORM}
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #333; --line: #999; --paper: #fff; --card: #fff; --link: #000; }
  html { font-size: 10pt; }
  @page { margin: 16mm; }
  header, main, footer { max-width: none; padding: 0; }
  h2, h3, dt, figcaption { break-after: avoid; }
  h2 { margin-top: 1.5rem; }
  .checks > li, .banner, figure, table, dd { break-inside: avoid; }
  figure svg { max-width: 115mm; }
  a { color: inherit; text-decoration: none; }
}
`;
