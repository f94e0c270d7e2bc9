import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TAPS_FIELD_NOTES } from '../../kinds/taps/file/field-notes.ts';
import { readProjectFile } from '../../test/tidy/source-files.ts';
import { seriesJsonSchema, withFields } from './series-schema.ts';

describe('examples/series.schema.json', () => {
  it('is what the code says: else run `node client/series/series-schema.ts > examples/series.schema.json` and format it', () => {
    const stored: unknown = JSON.parse(
      readFileSync(new URL('../../examples/series.schema.json', import.meta.url), 'utf8'),
    );
    expect(stored).toEqual(JSON.parse(JSON.stringify(seriesJsonSchema())));
  });

  it('would be caught when a field were missing', () => {
    const { properties, ...rest } = seriesJsonSchema();
    expect(properties).toHaveProperty('population');
    expect(rest).not.toEqual(seriesJsonSchema());
  });
});

type Described = {
  description?: string;
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
  enum?: string[];
  default?: unknown;
};

describe('the meaning of every field', () => {
  const without = (schema: Described, path: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, one]) => [
      ...(one.description ? [] : [`${path}${name}`]),
      ...[one, ...(one.items ? [one.items] : []), ...(one.anyOf ?? [])].flatMap((each) =>
        without(each, `${path}${name}.`),
      ),
    ]);

  it('is in the schema, where editors look for it', () => {
    const schema = seriesJsonSchema() as Described & { $id?: string };
    expect(schema.$id).toBe('urn:opaline:series-file');
    expect(without(schema, '')).toEqual([]);
    const { clock } = schema.properties!.source!.properties!;
    expect(without({ properties: { clock: { ...clock!, description: '' } } }, '')).toEqual(['clock']);
  });

  it('names every value that a field can have, but weekdays and what it is without', () => {
    const unnamed = (schema: Described, path: string): string[] => [
      ...(schema.enum ?? [])
        .filter((value) => value !== schema.default && !/weekday/i.test(path) && !schema.description?.includes(value))
        .map((value) => `${path}: ${value}`),
      ...[...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap((one) =>
        unnamed({ ...one, description: one.description ?? schema.description }, path),
      ),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => unnamed(one, `${path}.${name}`)),
    ];
    expect(unnamed(seriesJsonSchema() as Described, '')).toEqual([]);
    expect(unnamed({ description: '`a`', enum: ['a', 'b'] }, 'x')).toEqual(['x: b']);
  });

  it('is on the page, from the same place: else run `npm run series-schema`', () => {
    const page = readProjectFile('docs/series.md');
    expect(withFields(page, TAPS_FIELD_NOTES)).toBe(page);
    const [{ meaning } = { meaning: '' }] = TAPS_FIELD_NOTES;
    expect(withFields(page.replace(meaning, 'something else'), TAPS_FIELD_NOTES)).toBe(page);
    expect(() => withFields('nothing', TAPS_FIELD_NOTES)).toThrow(RangeError);
  });
});
