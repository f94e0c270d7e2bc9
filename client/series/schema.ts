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
  additionalProperties?: unknown;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  [key: string]: unknown;
};

/** What the files of the usual kind are: pages and editors speak of them first. */
const { fileSchema, fileGuide } = kindOf(CLIENT_KINDS, { kind: USUAL_KIND });
const MEANINGS = new Map(fileGuide?.notes.map(({ field, meaning }) => [field, meaning]));

/** Markdown as a sentence: links are their text. */
const plain = (markdown: string): string => markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '');

/** The schema with the sentence of every field. */
function described(schema: JsonSchema, path: string): JsonSchema {
  const { properties, additionalProperties, items, anyOf, ...rest } = schema;
  const meaning = MEANINGS.get(path);
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  return {
    ...rest,
    ...(meaning !== undefined && { description: plain(meaning) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, described(one, at(name))])),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object'
          ? described(additionalProperties as JsonSchema, `${path}.${fileGuide?.key}`)
          : additionalProperties,
    }),
    ...(items && { items: described(items, `${path}[]`) }),
    ...(anyOf && { anyOf: anyOf.map((one) => withoutDescription(described(one, path))) }),
  };
}

/** What a field means is said once, and not again by each of its forms. */
const withoutDescription = ({ description: _, ...rest }: JsonSchema): JsonSchema => rest;

/**
 * JSON Schema of series files for editors (draft 7, which they read best): names, types, patterns, defaults, and what
 * every field means; the rules between fields are told by `opaline` itself.
 */
export function seriesJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(fileSchema, { io: 'input', target: 'draft-7' }) as JsonSchema;
  for (const [field, own] of Object.entries(fileGuide?.schemas ?? {})) {
    const path = field.split('.');
    const holder = path.slice(0, -1).reduce((at, name) => at.properties![name]!, schema);
    holder.properties![path.at(-1)!] = own as JsonSchema;
  }
  const { $schema, ...rest } = described(schema, '');
  return { $schema, $id: 'urn:opaline:series-file', title: 'Opaline series file', ...rest };
}

// Run as a program it prints the content of examples/series.schema.json, and writes the tables of the page.
if (import.meta.main) {
  const page = new URL('../../docs/series.md', import.meta.url);
  writeFileSync(page, withFields(readFileSync(page, 'utf8'), fileGuide?.notes ?? []));
  process.stdout.write(`${JSON.stringify(seriesJsonSchema(), null, 2)}\n`);
}
