import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { kindOf } from '../../contracts/kind.ts';
import { USUAL_KIND } from '../../contracts/series.ts';
import { ALLOWED_FUNCTIONS } from '../../core/select/functions.ts';
import type { FieldNote } from '../../kinds/client-kind.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';

/** A page with another text between two marks. Throws RangeError without the marks. */
const between = (page: string, mark: string, end: string, text: string): string => {
  const [start, stop] = [page.indexOf(mark), page.indexOf(end, page.indexOf(mark))];
  if (start < 0 || stop < 0) throw new RangeError(`the page has no ${mark}`);
  return `${page.slice(0, start)}${mark}\n${text}\n${page.slice(stop)}`;
};

/** The page of series files with its tables, and its list of functions, as the code has them. Throws RangeError. */
export function withFields(page: string, notes: readonly FieldNote[]): string {
  const sections = [...new Set(notes.map(({ section }) => section))];
  const whole = sections.reduce((text, section) => {
    const rows = notes
      .filter((note) => note.section === section)
      .map(({ field, usual, meaning }) => `| \`${field}\` | ${usual} | ${meaning} |`);
    const table = ['| field | default | meaning |', '|---|---|---|', ...rows].join('\n');
    return between(text, `<!-- fields: ${section} -->`, '<!-- /fields -->', table);
  }, page);
  return between(whole, '<!-- functions -->', '<!-- /functions -->', functionList());
}

/** Functions with a name in letters; the page describes signs in words. */
const functionList = (): string =>
  [...ALLOWED_FUNCTIONS.keys()]
    .filter((name) => /^\w+$/.test(name))
    .sort()
    .map((name) => `\`${name}\``)
    .join(' ');

/** A JSON Schema, as far as it is looked at here. */
type JsonSchema = {
  description?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  [key: string]: unknown;
};

/** What the files of the usual kind are: pages and editors speak of them first. */
const { fileSchema, fileGuide } = kindOf(CLIENT_KINDS, { kind: USUAL_KIND });
const MEANINGS = new Map(fileGuide?.notes.map(({ field, meaning }) => [field, meaning]));

/** Markdown as a sentence: links are their text. */
const plain = (markdown: string): string => markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '');

/** Gives a schema, and all that is in it, the sentences of their fields. */
function describe(schema: JsonSchema, path: string): void {
  const meaning = MEANINGS.get(path);
  if (meaning !== undefined) schema.description = plain(meaning);
  for (const [name, one] of Object.entries(schema.properties ?? {}))
    describe(one, path === '' ? name : `${path}.${name}`);
  if (schema.items) describe(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === 'object')
    describe(schema.additionalProperties, `${path}.${fileGuide?.key}`);
  for (const form of schema.anyOf ?? []) {
    describe(form, path);
    delete form.description; // said once, and not again by each form
  }
}

/**
 * JSON Schema of series files for editors (draft 7, which they read best): names, types, patterns, defaults, and what
 * every field means; `opaline check` reports the rules between fields.
 */
export function seriesJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(fileSchema, { io: 'input', target: 'draft-7' }) as JsonSchema;
  for (const [field, own] of Object.entries(fileGuide?.schemas ?? {})) {
    const path = field.split('.');
    const holder = path.slice(0, -1).reduce((at, name) => at.properties![name]!, schema);
    holder.properties![path.at(-1)!] = structuredClone(own) as JsonSchema;
  }
  describe(schema, '');
  const { $schema, ...rest } = schema;
  return { $schema, $id: 'urn:opaline:series-file', title: 'Opaline series file', ...rest };
}

// Run as a program it prints the content of examples/series.schema.json, and writes the tables of the page.
if (import.meta.main) {
  const page = new URL('../../docs/series.md', import.meta.url);
  writeFileSync(page, withFields(readFileSync(page, 'utf8'), fileGuide?.notes ?? []));
  process.stdout.write(`${JSON.stringify(seriesJsonSchema(), null, 2)}\n`);
}
