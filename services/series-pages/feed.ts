import { sha256 } from '../stores/json-objects.ts';
import { newestSummary, seriesAddress } from './index-page.ts';
import { generationMark } from './page-frame.ts';
import { type SeriesEvent, seriesEvents } from './publication-state.ts';
import { pageOfRelease, SERIES_FILES } from './series-files.ts';
import type { SeriesRelease } from './series-release.ts';

/** Entries of a feed; older events are in changes.html. */
const ENTRIES = 200;

/** feed.atom of a series (RFC 4287): an entry for each publication, correction and retraction, newest first. */
export function atomFeed(series: string, releases: readonly SeriesRelease[], generation: number): Buffer {
  const summary = newestSummary(releases);
  const events = seriesEvents(releases);
  const base = seriesAddress(summary);
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom"${base === null ? '' : ` xml:base="${xml(base)}"`}>`,
    `<!-- ${generationMark(generation)} -->`,
    `<id>${urn(`feed of ${series}`)}</id>`,
    `<title>${xml(summary?.title ?? series)}</title>`,
    `<updated>${events[0]?.at ?? '1970-01-01T00:00:00Z'}</updated>`,
    `<author><name>${xml(summary?.publisher.name ?? `Publisher of ${series}`)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${SERIES_FILES.feed}"/>`,
    `<link rel="alternate" type="text/html" href="${SERIES_FILES.index}"/>`,
    ...events.slice(0, ENTRIES).map(entry),
    '</feed>',
    '',
  ];
  return Buffer.from(lines.join('\n'), 'utf8');
}

const entry = ({ kind, at, of, sentence }: SeriesEvent): string =>
  [
    '<entry>',
    `<id>${urn(`${kind} ${at} ${of.manifestDigest}`)}</id>`,
    `<title>${xml(`${of.release.series} ${of.release.window} v${of.release.version}: ${kind}`)}</title>`,
    `<updated>${at}</updated>`,
    `<link rel="alternate" type="text/html" href="${pageOfRelease(of.release)}"/>`,
    `<category term="${kind}"/>`,
    `<summary>${xml(sentence)}</summary>`,
    '</entry>',
  ].join('\n');

/** A name that stays: a UUID of version 8 (RFC 9562) from the digest of what it names. */
function urn(text: string): string {
  const hex = sha256(text);
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text of an XML document; what XML 1.0 has no place for becomes U+FFFD. */
const xml = (text: string): string =>
  text
    .replace(/(?![\t\n\r])\p{Cc}|\p{Cs}|\ufffe|\uffff/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!);
