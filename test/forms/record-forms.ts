import { writeFile } from 'node:fs/promises';
import { publishedKind, RELEASED_KINDS } from '../support/published-kinds.ts';
import { formsBelow } from './forms.ts';

/**
 * Writes forms.json: the form of every object that a release, its correction and a retraction of each kind store. Usage:
 * node test/forms/record-forms.ts. A form that has changed needs another name first; forms.test.ts looks at that.
 */
const forms: Record<string, Record<string, string>> = {};
for (const kind of RELEASED_KINDS) {
  const made = await publishedKind(kind);
  await made.publish(1);
  await made.publish(2);
  await made.takeBack(2);
  forms[kind] = await formsBelow(made.root);
}
await writeFile(new URL('forms.json', import.meta.url), `${JSON.stringify(forms, null, 2)}\n`);
