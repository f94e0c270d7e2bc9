import { expect, test } from 'vitest';
import { storeSetupSchema } from '../../client/stores/bucket-policies.ts';
import {
  clientDeploymentSchema,
  consoleDeploymentSchema,
  privateDeploymentSchema,
  publicDeploymentSchema,
} from '../../contracts/deployment.ts';
import { storeConfigurationSchema } from '../../contracts/store-configuration.ts';
import { readProjectFile } from './source-files.ts';

const SCHEMAS = {
  private: privateDeploymentSchema,
  public: publicDeploymentSchema,
  client: clientDeploymentSchema,
  console: consoleDeploymentSchema,
};

const text = readProjectFile('docs/operations.md');
const blocks = [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].map((match) => match[1]!);

/** The JSON block after the name of a file: a whole deployment file. */
function fileOf(side: keyof typeof SCHEMAS): object {
  const after = text.slice(text.indexOf(`\`${side}.json\`,`));
  return JSON.parse(/^```json\n([\s\S]*?)^```/m.exec(after)![1]!);
}

/** A block that shows one field of a deployment file. */
function fieldOf(name: string): object {
  const block = blocks.find((one) => one.startsWith(`"${name}":`));
  return JSON.parse(`{${block}}`);
}

test.each(['private', 'public', 'client', 'console'] as const)(
  'operations.md has a %s.json that its process takes',
  (side) => {
    expect(SCHEMAS[side].safeParse(fileOf(side)).error?.issues ?? []).toEqual([]);
  },
);

test.each([
  ['observe', 'private'],
  ['observe', 'public'],
  ['warnings', 'private'],
  ['notices', 'public'],
] as const)('what it shows of %s is taken in %s.json', (field, side) => {
  const whole = { ...fileOf(side), ...fieldOf(field) };
  expect(SCHEMAS[side].safeParse(whole).error?.issues ?? []).toEqual([]);
});

test('what is told to custodians cannot be configured on the public side, nor the other way round', () => {
  expect(publicDeploymentSchema.safeParse({ ...fileOf('public'), ...fieldOf('warnings') }).success).toBe(false);
  expect(privateDeploymentSchema.safeParse({ ...fileOf('private'), ...fieldOf('notices') }).success).toBe(false);
});

test('every kind of store is shown', () => {
  const kinds: string[] = storeConfigurationSchema.options.map(({ shape }) => shape.kind.value);
  const unshown = (all: string[]) => all.filter((kind) => !text.includes(`{"kind": "${kind}"`));
  expect(unshown(kinds)).toEqual([]);
  expect(unshown([...kinds, 'tape'])).toEqual(['tape']);
});

test('every field of a deployment file and of a store is told, and every warning and notice has its runbook', () => {
  const schemas = [...Object.values(SCHEMAS), ...storeConfigurationSchema.options];
  const fields = schemas.flatMap((schema) => Object.keys(schema.shape));
  expect([...new Set(fields)].filter((name) => !text.includes(`\`${name}\``) && !text.includes(`"${name}"`))).toEqual(
    [],
  );
  const runbooks = readProjectFile('docs/runbooks.md');
  for (const heading of [
    'The audit warns of the data',
    'The private worker warns of a source',
    'Notices are not delivered',
  ])
    expect(runbooks).toContain(`\n## ${heading}\n`);
});

test('the file for whoever sets up buckets is one that the command takes', () => {
  const block = blocks.find((one) => one.includes('"buckets"'));
  expect(storeSetupSchema.safeParse(JSON.parse(block!)).error?.issues ?? []).toEqual([]);
});
