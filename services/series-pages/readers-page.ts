import { FILES, releasePath } from '../../contracts/names.ts';
import { isCivilDay, weekdayIndex } from '../../core/calendar/civil-day.ts';
import { localDay } from '../calendar/local-time.ts';
import { html, type Markup, tableRegion } from '../pages/markup.ts';
import { barCharts, numeral } from './bar-charts.ts';
import { FILTER_SCRIPT } from './filter-script.ts';
import { seriesPage } from './page-frame.ts';
import { placesSection } from './places.ts';
import { type PublicationState, stateOf } from './publication-state.ts';
import { pageOfRelease, releaseFolder, SERIES_FILES } from './series-files.ts';
import type { SeriesRelease } from './series-release.ts';

/** The page of one release, for readers. */
export function readersPage(one: SeriesRelease, all: readonly SeriesRelease[], generation: number): Buffer {
  const { release, summary } = one;
  const state = stateOf(one, all);
  const { title } = summary;
  const when = daysOf(one);
  return seriesPage({
    title: `${title}, ${when}, version ${release.version}`,
    ways: [
      ['All releases', SERIES_FILES.index],
      ['Changes', SERIES_FILES.changes],
      ['Feed', SERIES_FILES.feed],
    ],
    generation,
    header: html`<p class="kicker">Release <code>${releasePath(release)}</code></p>
<h1>${title}</h1>
<p>${when}, version ${release.version}. Published ${dayOf(one, one.attestation.publishedAt)}.</p>
${banner(one, state)}`,
    script: summary.places ? FILTER_SCRIPT : '',
    main: [
      openingSection(one),
      ...besideEarlier(one, all),
      ...contents(one),
      downloads(one),
      citation(one),
      checkSection(one),
      people(one),
    ],
  });
}

/** The days of a release. */
export const daysOf = ({ summary: { days } }: SeriesRelease): string =>
  days.first === days.last ? days.first : `${days.first} to ${days.last}`;

/** The day of a moment by the clock of the release. */
export const dayOf = ({ summary }: SeriesRelease, moment: string): string => localDay(moment, summary.days.timeZone);

/** Why a release is not to be used, or not the newest; nothing for the current one. */
function banner(one: SeriesRelease, state: PublicationState): Markup[] {
  switch (state.state) {
    case 'current':
      return [];
    case 'superseded':
      return [
        html`<div class="banner attention"><div><p><strong>There is a newer version of these days.</strong> <a href="${pageOfRelease(state.by.release)}">Version ${state.by.release.version}</a> takes the place of this one. Do not add or average the two: they are noisy counts of the same people.</p></div></div>`,
      ];
    case 'retracted':
      return [
        html`<div class="banner fail"><div><p><strong>This release was retracted on ${dayOf(one, state.retractedAt)}. Do not use it.</strong> Reason: ${state.reasons.join(', ')}. ${state.sentences.join(' ')}${state.by ? [html` Take <a href="${pageOfRelease(state.by.release)}">version ${state.by.release.version}</a> instead.`] : []} Its files stay, so that whoever has used it can see what it was.</p></div></div>`,
      ];
  }
}

const LANGUAGES = { python: 'Python, with pandas', r: 'R', sql: 'SQL, with DuckDB' } as const;

/** What a reader has to know before the first number: what is missing, whether it is a trial, and how to begin. */
function openingSection({ release, summary: { opening } }: SeriesRelease): Markup {
  const { missing, purpose, notes, tables, lines } = opening;
  const folder = releaseFolder(release);
  return html`<section><h2>Before the first number</h2>
<ul>
${[...missing, purpose, ...notes.map((note) => `Note: ${note}`)].map((sentence) => html`<li>${sentence}</li>`)}
</ul>
${
  tables.length === 0
    ? []
    : [
        html`<h3>Which table to take</h3>
<dl>
${tables.map(({ question, table }) => html`<dt>${question}</dt><dd><a href="${folder}${FILES.table(table)}"><code>${table}</code></a></dd>`)}
</dl>`,
      ]
}
${
  lines === null
    ? []
    : [
        html`<h3>Lines to begin with</h3>
<p>In the folder of the release:</p>
${Object.entries(LANGUAGES).map(
  ([language, title]) => html`<p>${title}</p>
<pre tabindex="0"><code>${lines[language as keyof typeof LANGUAGES]}</code></pre>`,
)}`,
      ]
}</section>`;
}

const paragraphs = (texts: readonly string[]): Markup[] => texts.map((text) => html`<p>${text}</p>`);

function contents({ release, summary }: SeriesRelease): Markup[] {
  const { reading, versions, description } = summary;
  const folder = releaseFolder(release);
  return [
    html`<section><h2>What this is</h2>${paragraphs([description])}</section>`,
    ...summary.figures.map(
      (figure, place) => html`<section><h2>${figure.heading}</h2>
<p>${figure.sentence}${figure.columns.length > 1 ? ' Each chart has a scale of its own, so that small numbers show beside large ones.' : ''}</p>
${barCharts(figure, place)}
${tableRegion(
  'wide',
  `${figure.heading}, as a table`,
  `${figure.heading}: ${figure.unit}`,
  [figure.rowHeading, ...figure.columns],
  figure.rows.map(({ label, values }) => [label, ...values.map(numeral)]),
)}</section>`,
    ),
    ...(summary.places ? [placesSection(summary.places)] : []),
    ...summary.tables.map(
      ({ heading, sentences, headings, rows }) => html`<section><h2>${heading}</h2>
${paragraphs(sentences)}
${tableRegion('wide', `${heading}, as a table`, heading, headings, rows)}</section>`,
    ),
    html`<section><h2>How to read it</h2>
<h3>What is missing</h3>
<p>${reading.missing}</p>
<h3>How exact a number is</h3>
<p>${reading.interval}</p>
${paragraphs(reading.others)}
<p>More is in <a href="${folder}${FILES.statement}">the statement</a>; what the privacy of the release means is in <a href="${folder}${FILES.guarantee}">answers to the questions of NIST SP 800-226</a>.</p></section>`,
    html`<section><h2>Versions of these days</h2>${paragraphs(versions)}</section>`,
  ];
}

/** At most this many earlier releases are shown beside one. */
const WEEKS_BESIDE = 4;

/** The figures of a release beside those of the same weekday in the current releases before it, newest first. */
function besideEarlier(one: SeriesRelease, all: readonly SeriesRelease[]): Markup[] {
  const before = all
    .filter((other) => other.release.window < one.release.window && stateOf(other, all).state === 'current')
    .toReversed();
  return one.summary.figures.flatMap(({ heading, rowHeading, columns, rows }) => {
    const earlier = before.flatMap(({ summary }) => summary.figures.filter((figure) => figure.heading === heading));
    const beside = rows.flatMap(({ label, values }) => {
      const days = earlier.flatMap((figure) => {
        const row = figure.rows.find(
          (other) => isCivilDay(label) && isCivilDay(other.label) && weekdayIndex(label) === weekdayIndex(other.label),
        );
        return row ? [{ figure, row }] : [];
      });
      return columns.map((column, place) => {
        const others = days.slice(0, WEEKS_BESIDE).map(({ figure, row }) => row.values[figure.columns.indexOf(column)]);
        return { others, cells: [label, column, numeral(values[place]), others.map(numeral).join(', ')] };
      });
    });
    const caption = `${heading}, beside those of the same weekday before`;
    return beside.every(({ others }) => others.length === 0)
      ? []
      : [
          html`<section><h2>${caption}</h2>
<p>Current releases of earlier windows, newest first. How far two numbers may differ by noise alone follows from the notes above.</p>
${tableRegion(
  'wide',
  caption,
  caption,
  [rowHeading, '', 'This release', 'Before'],
  beside.map(({ cells }) => cells),
)}</section>`,
        ];
  });
}

function downloads({ release, manifest, summary }: SeriesRelease): Markup {
  const folder = releaseFolder(release);
  const descriptions = new Map(summary.files.map((file, place) => [file.name, { ...file, place }]));
  const files = manifest.files.map(({ name, sha256, bytes }) => {
    const { title = name, description = '', place = descriptions.size } = descriptions.get(name) ?? {};
    return { name, sha256, bytes, title, description, place };
  });
  return html`<section><h2>Downloads</h2>
<p>All files are below <a href="${folder}${FILES.checksums}"><code>${folder}</code></a>; the list of their digests is <a href="${folder}${FILES.checksums}">${FILES.checksums}</a>.</p>
<dl>
${files
  .toSorted((a, b) => a.place - b.place)
  .map(
    ({ name, sha256, bytes, title, description }) => html`<dt><a href="${folder}${name}">${title}</a></dt>
<dd>${withCode(description)} ${title === name ? '' : [html`<code>${name}</code>, `]}${sizeOf(bytes)}.<br><span class="digest">SHA-256 ${sha256}</span></dd>`,
  )}
</dl></section>`;
}

/** A sentence in which names between backticks are set as such. */
const withCode = (text: string): Markup[] =>
  text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** A size as people read it. */
function sizeOf(bytes: number): string {
  if (bytes < 10_000) return `${numeral(bytes)} bytes`;
  return bytes < 10_000_000
    ? `${numeral(Math.round(bytes / 1000))} kB`
    : `${numeral(Math.round(bytes / 1_000_000))} MB`;
}

function citation({ summary }: SeriesRelease): Markup {
  const { licence, attribution, publisher, contact, homepage } = summary;
  return html`<section><h2>Cite it, and who to ask</h2>
<p>${summary.citation}</p>
<p>Licence: ${licence}.${attribution === null ? '' : ` ${attribution}`}</p>
<p>Published by ${link(publisher.name, publisher.homepage)}.${contact === null ? [] : [html` Contact: ${link(contact, addressOf(contact))}.`]}${homepage === null ? [] : [html` Home page: ${link(homepage, homepage)}.`]}</p></section>`;
}

const addressOf = (contact: string): string => (/^https?:/.test(contact) ? contact : `mailto:${contact}`);

/** A text, with its address where it has one; the schema of a summary takes any text, and no script is an address. */
export const link = (text: string, address: string | null): Markup =>
  address !== null && /^(https?:|mailto:)/.test(address) ? html`<a href="${address}">${text}</a>` : html`${text}`;

function checkSection({ release, manifestDigest }: SeriesRelease): Markup {
  return html`<section><h2>Check it yourself</h2>
<p>Download the whole folder, and check that no file was changed:</p>
<pre tabindex="0"><code>sha256sum -c ${FILES.checksums}</code></pre>
<p>With Opaline and the trust file of the publisher, check signatures, certificate, threshold, order and sums:</p>
<pre tabindex="0"><code>opaline verify ${release.series}/${releaseFolder(release)} --trust trust.json</code></pre>
<p>Digest of the manifest, over which people signed: <span class="digest">${manifestDigest}</span></p></section>`;
}

function people({ attestation, manifest }: SeriesRelease): Markup {
  const names = attestation.approvals.map(({ subject }) => subject);
  const correction = manifest.correction;
  return html`<section><h2>How it came to be</h2>
<p>Approved by ${names.join(', ')}; ${attestation.required} required. They had no access to the data behind it.</p>
${correction ? [html`<p>It corrects version ${correction.of} (${correction.reason}). Drawn again: ${correction.redrawn.join(', ')}; everything else is carried over byte for byte.</p>`] : []}</section>`;
}
