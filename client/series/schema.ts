import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { CANONICAL_COLUMNS, tapsFileSchema } from '../../kinds/taps/series.ts';
import { FIELD_NOTES } from './field-notes.ts';
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

const MEANINGS = new Map(FIELD_NOTES.map(({ field, meaning }) => [field, meaning]));

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
          ? described(additionalProperties as JsonSchema, `${path}.MODE`)
          : additionalProperties,
    }),
    ...(items && { items: described(items, `${path}[]`) }),
    ...(anyOf && { anyOf: anyOf.map((one) => withoutDescription(described(one, path))) }),
  };
}

/** What a field means is said once, and not again by each of its forms. */
const withoutDescription = ({ description: _, ...rest }: JsonSchema): JsonSchema => rest;

/** What a canonical column holds, by the last part of its name. */
const COLUMN_MEANINGS: Readonly<Record<string, string>> = {
  mode: 'the mode, as the series names it',
  card: 'whose row it is; needed for card units only',
  tap: 'on or off',
  time: 'the time of the tap, as clock says',
  day: 'the day of the tap, YYYY-MM-DD or YYYYMMDD; goes with minute',
  minute: 'minutes after midnight of that day, by the local clock',
  location: 'the place of the tap, as the location list names it',
};

/** Columns of a source by the names that rows of trips and of taps have. */
function columnNames(): JsonSchema {
  const names = new Set<string>([...CANONICAL_COLUMNS.trips, ...CANONICAL_COLUMNS.taps]);
  const properties = [...names].map((name) => {
    const meaning = COLUMN_MEANINGS[name.replace(/^(on|off)_/, '')];
    return [name, { type: 'string', description: `the column that holds ${meaning}` }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

/**
 * JSON Schema of series files for editors (draft 7, which they read best): names, types, patterns, defaults, and what
 * every field means; the rules between fields are told by `opaline` itself.
 */
export function seriesJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(tapsFileSchema, { io: 'input', target: 'draft-7' }) as JsonSchema;
  const { source } = schema.properties as Record<string, JsonSchema>;
  const columns = columnNames();
  source!.properties!.columns = { anyOf: [columns, { type: 'array', items: columns, minItems: 1, maxItems: 20 }] };
  const { $schema, ...rest } = described(schema, '');
  return { $schema, $id: 'urn:opaline:series-file', title: 'Opaline series file', ...rest };
}

// Run as a program it prints the content of examples/series.schema.json, and writes the tables of the page.
if (import.meta.main) {
  const page = new URL('../../docs/series.md', import.meta.url);
  writeFileSync(page, withFields(readFileSync(page, 'utf8')));
  process.stdout.write(`${JSON.stringify(seriesJsonSchema(), null, 2)}\n`);
}
