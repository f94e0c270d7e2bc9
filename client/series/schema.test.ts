import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seriesJsonSchema } from './schema.ts';

describe('examples/series.schema.json', () => {
  it('is what the code says: else run `node client/series/schema.ts > examples/series.schema.json` and format it', () => {
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
