import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { policySchema } from '../../contracts/formats/policy.ts';
import { policyJsonSchema } from './policy-schema.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('examples/policy.schema.json is what the code says: else run `npm run policy-schema`', () => {
  const stored: unknown = JSON.parse(read('examples/policy.schema.json'));
  expect(stored).toEqual(JSON.parse(JSON.stringify(policyJsonSchema())));
  const { properties, ...rest } = policyJsonSchema();
  expect(properties).toHaveProperty('populations');
  expect(rest).not.toEqual(stored);
});

test('the policy that docs/policy.md shows is one, and the schema has every field of it', () => {
  const shown: unknown = parse(/```yaml\n([^`]*)```/.exec(read('docs/policy.md'))![1]!);
  const policy = policySchema.parse(shown);
  const { properties, required, additionalProperties } = policyJsonSchema() as {
    properties: Record<string, unknown>;
    required: string[];
    additionalProperties: boolean;
  };
  expect(Object.keys(properties).sort()).toEqual(Object.keys(policy).sort());
  expect(required).toEqual(['format', 'number', 'keys', 'populations']);
  expect(additionalProperties).toBe(false);
});
