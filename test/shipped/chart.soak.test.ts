import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { provideTool } from '../../infra/provision/tools.mjs';
import { ROOT } from '../package/package.fixture.ts';
import { readProjectFile } from '../tidy/source-files.ts';

const CHART = join(ROOT, 'infra/helm/opaline');
const VALUES = [[], ['--values', join(CHART, 'values-medium.yaml')], ['--values', join(CHART, 'values-cloud.yaml')]];

const run = promisify(execFile);
let helm: string;
let schemas: Awaited<ReturnType<typeof provideTool<'schemas'>>>;
let swagger: { definitions: Record<string, Definition> };
beforeAll(async () => {
  [helm, schemas] = await Promise.all([provideTool('helm'), provideTool('schemas')]);
  swagger = JSON.parse(await readFile(schemas['swagger.json'], 'utf8'));
}, 900_000);

type Definition = {
  type?: string;
  properties?: Record<string, object>;
  additionalProperties?: unknown;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
};
type Resource = { apiVersion: string; kind: string; metadata: { name: string; namespace?: string }; spec: never };

async function rendered(words: readonly string[]): Promise<Resource[]> {
  const { stdout } = await run(helm, ['template', 'opaline', CHART, '--kube-version', '1.34.0', ...words]);
  return parseAllDocuments(stdout).flatMap((document) => document.toJS() ?? []);
}

/** What Kubernetes' own schema says against a resource; fields that it does not know are mistakes. */
function mistakes(resource: Resource): string[] {
  const [version, group = ''] = resource.apiVersion.split('/').reverse() as [string, string?];
  const isOf = (one: Definition) =>
    one['x-kubernetes-group-version-kind']?.some(
      (is) => is.group === group && is.version === version && is.kind === resource.kind,
    );
  const [name] = Object.entries(swagger.definitions).find(([, definition]) => isOf(definition)) ?? [];
  if (!name) return [`Kubernetes has no ${resource.kind} of ${resource.apiVersion}`];
  const strict = Object.fromEntries(
    Object.entries(swagger.definitions).map(([key, one]) => [
      key,
      one.properties && one.additionalProperties === undefined ? { ...one, additionalProperties: false } : one,
    ]),
  );
  // Whole numbers and texts are one type there: quantities and ports.
  for (const key of Object.keys(strict))
    if (/\.(Quantity|IntOrString)$/.test(key)) strict[key] = { type: ['string', 'number'] } as never;
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
  const validate = ajv.compile({ definitions: strict, $ref: `#/definitions/${name}` });
  validate(resource);
  return (validate.errors ?? []).map(
    (one) => `${resource.kind} ${resource.metadata.name}${one.instancePath} ${one.message}`,
  );
}

describe('the chart', () => {
  test.each(VALUES.map((words) => ({ words })))('passes helm lint with $words', async ({ words }) => {
    const { stdout } = await run(helm, ['lint', '--strict', CHART, ...words]);
    expect(stdout).toContain('0 chart(s) failed');
  });

  test.each(VALUES.map((words) => ({ words })))('renders what Kubernetes takes with $words', async ({ words }) => {
    const resources = await rendered(words);
    expect(resources.flatMap(mistakes)).toEqual([]);
    expect(resources.map(({ kind }) => kind).sort()).toEqual([
      'Deployment',
      'Job',
      'Namespace',
      'Namespace',
      'NetworkPolicy',
      'NetworkPolicy',
      'Service',
      'Service',
      'StatefulSet',
    ]);
  });

  test('fields and kinds that Kubernetes does not have are caught', async () => {
    const [first] = (await rendered([])).filter(({ kind }) => kind === 'StatefulSet');
    const changed = structuredClone(first!) as unknown as { spec: Record<string, unknown>; kind: string };
    changed.spec.replica = 2;
    expect(mistakes(changed as never)).toEqual([expect.stringContaining('must NOT have additional properties')]);
    expect(mistakes({ ...first!, kind: 'StatefulSets' })).toEqual([expect.stringContaining('Kubernetes has no')]);
  });

  test('values that it does not know, or of another form, are refused', async () => {
    for (const wrong of ['private.replicas=-1', 'private.secrets=x', 'image.tag=latest', 's3.cidr=everywhere'])
      await expect(rendered(['--set', wrong]), wrong).rejects.toThrow();
  });

  test('no side reads the other one’s secret, each has a namespace, and nobody has rights', async () => {
    for (const resource of await rendered([])) {
      const text = JSON.stringify(resource);
      const { namespace = resource.metadata.name } = resource.metadata;
      if (namespace === 'opaline-custodian') expect(text).not.toMatch(/opaline-public|opaline-client/);
      if (namespace === 'opaline-public') expect(text).not.toMatch(/opaline-private|"opaline-custodian"/);
      if (!text.includes('"containers"')) continue;
      for (const wanted of [
        '"runAsNonRoot":true',
        '"readOnlyRootFilesystem":true',
        '"drop":["ALL"]',
        '"automountServiceAccountToken":false',
      ])
        expect(text).toContain(wanted);
    }
  });
});

test('docker-compose.yml fits the schema of the Compose specification, and a mistake does not', async () => {
  const schema = JSON.parse(await readFile(schemas['compose-spec.json'], 'utf8'));
  const make = /2020-12|2019-09/.test(schema.$schema ?? '') ? Ajv2020 : Ajv;
  const validate = new make({ strict: false, validateFormats: false, logger: false }).compile(schema);
  const compose = parse(readProjectFile('docker-compose.yml'), { merge: true });
  validate(compose);
  expect(validate.errors ?? []).toEqual([]);
  compose.services.private.comand = [];
  expect(validate(compose)).toBe(false);
});
