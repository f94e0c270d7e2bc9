import { json } from 'node:stream/consumers';
import { type Drawing, drawFigure } from '../services/pages/drawing.ts';
import { DARK_FORM } from '../services/pages/style.ts';

/** A program: drawings come in, and pictures go out, as JSON. Each is a file of its own, with a dark form of its own. */
const STYLE = `<style>${DARK_FORM.replaceAll('figure ', '')}</style>`;
const pictures: string[] = [];
for (const drawing of (await json(process.stdin)) as Drawing[]) {
  const { text } = await drawFigure(drawing);
  pictures.push(text.replace(/^<svg ([^>]*>)/, `<svg xmlns="http://www.w3.org/2000/svg" $1${STYLE}`));
}
process.stdout.write(JSON.stringify(pictures));
