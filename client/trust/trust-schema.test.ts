import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { trustJsonSchema } from './trust-schema.ts';

test('examples/trust-version.schema.json is what the code says: else run `npm run trust-schema`', () => {
  const path = new URL('../../examples/trust-version.schema.json', import.meta.url);
  const stored: unknown = JSON.parse(readFileSync(path, 'utf8'));
  expect(stored).toEqual(JSON.parse(JSON.stringify(trustJsonSchema())));
  const { properties, ...rest } = trustJsonSchema();
  expect(properties).toHaveProperty('publishers');
  expect(rest).not.toEqual(stored);
});
