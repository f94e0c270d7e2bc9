import { TEXTS_FORM } from '../../contracts/formats/manifest.ts';
import { canDraw } from '../../services/pages/drawing.ts';
import type { Publication } from '../../services/publication/publication.ts';
import { auditedPages, releaseMetadata, type TextsOf } from '../../services/publication/release-texts.ts';
import { ensure } from '../../services/publication/verification-check.ts';

/** What only words are in; what else the audit writes is canonical JSON, or a list. */
const WORDS = /\.(md|html|cff)$/;

/**
 * Makes every text again, from the data and the audits and with what made them, and compares the bytes: whoever signs
 * other words signs what does not follow from what is published. A page with figures is made where their library is.
 *
 * @contract C15
 */
export async function checkTexts(publication: Publication, textsOf: TextsOf): Promise<string> {
  const { files, manifest, audits } = publication;
  const { form } = manifest.texts;
  if (form !== TEXTS_FORM)
    return `Words not compared: they are of form ${form}, and this verifier makes form ${TEXTS_FORM}.`;
  const texts = await textsOf(files);
  const isDrawn = await canDraw();
  const made = new Map([
    ...(await auditedPages(manifest, texts, audits, isDrawn)),
    ...releaseMetadata(manifest, texts, manifest.files),
  ]);
  const wrong = [...made].filter(([name, bytes]) => !files.get(name)?.equals(bytes)).map(([name]) => name);
  const rest = [...files.keys()].filter((name) => WORDS.test(name) && !made.has(name));
  const undrawn = isDrawn || !texts.auditPage ? [] : rest.filter((name) => name.endsWith('.html'));
  wrong.push(...rest.filter((name) => !undrawn.includes(name)));
  ensure(wrong.length === 0, `Not what follows from the data and the audits: ${wrong.join(', ')}.`);
  const others = undrawn.length > 0 ? ` Words not compared, for want of a library that draws: ${undrawn.join()}.` : '';
  return `All ${made.size} texts, of form ${form}, follow from the data and the audits.${others}`;
}
