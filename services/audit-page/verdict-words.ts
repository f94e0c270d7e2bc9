import type { FindingVerdict, Verdict } from '../../contracts/audit-report.ts';
import { html, type Markup } from '../pages/markup.ts';

/** The word for the verdict of a whole audit. */
export const VERDICT_WORDS: Record<Verdict, string> = { pass: 'Pass', attention: 'Attention', fail: 'Fail' };

/** The words for one check: whether what is promised held, so that nobody reads of an attack that passed or failed. */
export const FINDING_WORDS: Record<FindingVerdict, string> = {
  pass: 'Held',
  attention: 'To be looked at',
  fail: 'Broken',
  'not-tried': 'Not tried',
};

/** What the verdict means for a release at its gate, and for a publication of any origin, as the heading of the page. */
export const VERDICT_HEADINGS: Record<'release' | 'publication', Record<Verdict, string>> = {
  release: {
    pass: 'Pass: no attack found more than the certificate allows.',
    attention: 'Attention: people have to look at some points before this release can be approved.',
    fail: 'Fail: this release cannot be published. Nobody can approve it.',
  },
  publication: {
    pass: 'Pass: no attack found more than what is declared allows.',
    attention: 'Attention: somebody has to answer for some points.',
    fail: 'Fail: this is not fit to be published.',
  },
};

/** A shape for each, clear without colour: a disc, a triangle, an octagon; a ring for what was not tried. */
const SHAPES: Record<FindingVerdict, Markup> = {
  'not-tried': html`<circle cx="16" cy="16" r="13" fill="none" stroke="currentColor" stroke-width="3.2"/>`,
  pass: html`<circle cx="16" cy="16" r="15" fill="currentColor"/><path d="M8.5 16.5l5 5 10-11" fill="none" stroke="var(--card)" stroke-width="3.2"/>`,
  attention: html`<path d="M16 1.5L31 30H1z" fill="currentColor"/><path d="M16 11v10" stroke="var(--card)" stroke-width="3.2"/><circle cx="16" cy="25.3" r="1.9" fill="var(--card)"/>`,
  fail: html`<path d="M10 1h12l9 9v12l-9 9H10l-9-9V10z" fill="currentColor"/><path d="M10.5 10.5l11 11m0-11l-11 11" stroke="var(--card)" stroke-width="3.2"/>`,
};

/** The shape of a verdict with the word for it, drawn in the colour of the text around it. */
export const verdictShape = (verdict: FindingVerdict, word: string): Markup =>
  html`<svg class="shape" viewBox="0 0 32 32" role="img"><title>${word}</title>${SHAPES[verdict]}</svg>`;
