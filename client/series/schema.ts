import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { kindOf } from '../../contracts/kind.ts';
import { USUAL_KIND } from '../../contracts/series.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { withFields } from './series-page.ts';

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
