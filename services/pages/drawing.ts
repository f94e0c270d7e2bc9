import type { TopLevelSpec } from 'vega-lite';
import { html, Markup } from './markup.ts';

/** Width of a drawing with its labels: on a phone a unit is about a pixel. */
const WIDTH = 350;

/** Room around the plot, fixed: no canvas is there to measure text with. */
const ROOM = { top: 10, right: 16, bottom: 38 };

/** A drawing with the words that say what it shows to whoever does not see it. */
export type Drawing = {
  /** Letters only; makes the ids of the title and the description. */
  id: string;
  title: string;
  description: string;
  /** Height of the plot, and room beside it for labels, in the units of the drawing. */
  height: number;
  left: number;
  right?: number;
  spec: TopLevelSpec;
};

/** One thing that an attacker, or a reader, can learn, with a drawing of it and the numbers behind the drawing. */
export type AuditFigure = Drawing & {
  heading: string;
  /** What it comes to, in a sentence or two. */
  sentence: string;
  /** Of the table of the numbers. */
  caption: string;
  headings: string[];
  rows: (string | number)[][];
};

export const BLUE = '#0b4f8a';
const INK = '#1c2126';
const SOFT = '#4a545e';

const CONFIG: TopLevelSpec['config'] = {
  aria: false,
  font: 'system-ui, sans-serif',
  background: 'transparent',
  view: { stroke: null },
  axis: {
    labelColor: SOFT,
    titleColor: SOFT,
    titleFontWeight: 'normal',
    labelFontSize: 11,
    titleFontSize: 11,
    labelOverlap: false,
  },
  axisQuantitative: { gridColor: '#e4e7eb', domainColor: '#8a949e', tickColor: '#8a949e' },
  text: { fontSize: 11.5, color: INK },
};

/** The picture has one name as a whole: parts with a role and without a name would be read out as nothing. */
const ROLES_OF_MARKS = / role="graphics-(?:symbol|object)" aria-roledescription="[^"]*"/g;

/** A Vega-Lite specification as SVG; its marks have no roles. */
export async function svgOf(spec: TopLevelSpec): Promise<string> {
  const [{ compile }, { parse, View }] = await Promise.all([import('vega-lite'), import('vega')]);
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return svg.replace(ROLES_OF_MARKS, '');
}

/** Are the libraries here? The packed verifier is without. */
export const canDraw = (): Promise<boolean> =>
  Promise.all([import('vega-lite'), import('vega')]).then(Boolean, () => false);

/**
 * Draws a Vega-Lite specification as SVG that is part of a page: fluid, without width, height or namespace. Equal
 * drawings give equal markup. The libraries are loaded when they are first needed: they take longer than the rest of
 * the worker's start.
 */
export async function drawFigure(drawing: Drawing): Promise<Markup> {
  const { id, title, description, height, left, right = ROOM.right, spec } = drawing;
  const size = { width: WIDTH - left - right, height, autosize: 'none', padding: { ...ROOM, left, right } } as const;
  const svg = await svgOf({ ...spec, ...size, config: CONFIG });
  const [box] = /viewBox="[\d. -]+"/.exec(svg) ?? [];
  const marks = svg.slice(svg.indexOf('>') + 1);
  if (box === undefined) throw new TypeError('a drawing has a view box');
  return html`<svg ${new Markup(box)} role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title>
<desc id="${id}-text">${description}</desc>
${new Markup(marks)}`;
}
