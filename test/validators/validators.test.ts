import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { Ajv } from 'ajv';
import { HtmlValidate } from 'html-validate';
import { toRDF } from 'jsonld';
import { DataFactory, Parser, Store } from 'n3';
import SHACLValidator from 'rdf-validate-shacl';
import { beforeAll, describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { parse } from 'yaml';
import { remakePages } from '../../client/verify/remake-pages.ts';
import { METADATA_FILES } from '../../services/metadata/metadata-files.ts';
import { publishedTown } from '../browser/town.fixture.ts';
import { providePython } from '../support/python-environment.ts';
import { publishedSeries } from './published-series.fixture.ts';

/**
 * Programs of others judge a publication. Schemas and shapes here are our own, as far as our files go; the official ones
 * are used too when OPALINE_PROFILES names a folder with datapackage….json, dcat-ap….ttl and atom….rng.
 */
const PROFILES = process.env.OPALINE_PROFILES ?? '';
const official = (name: RegExp): string[] =>
  PROFILES === '' ? [] : readdirSync(PROFILES).flatMap((file) => (name.test(file) ? [join(PROFILES, file)] : []));
const own = (name: string): string => new URL(name, import.meta.url).pathname;

let series: string;
let folder: string;
beforeAll(async () => {
  const published = await publishedSeries();
  series = published.folder;
  folder = published.newest;
});

const json = async (path: string): Promise<Record<string, unknown>> => JSON.parse(await readFile(path, 'utf8'));

describe('Data Package v2', () => {
  const SCHEMAS = [own('data-package.schema.json'), ...official(/^datapackage.*\.json$/)];
  /** `propertyOrder` and the like are for forms. */
  const validator = async (schema: string) => new Ajv({ strict: false, allErrors: true }).compile(await json(schema));

  test.each(SCHEMAS)('the package fits %s', async (schema) => {
    const validate = await validator(schema);
    validate(await json(join(folder, 'datapackage.json')));
    expect(validate.errors ?? []).toEqual([]);
  });

  test('broken twin: a package without resources, or with a digest of another form, does not', async () => {
    const validate = await validator(SCHEMAS[0]!);
    const whole = await json(join(folder, 'datapackage.json'));
    const [first] = whole.resources as Record<string, unknown>[];
    expect(validate({ ...whole, resources: [] })).toBe(false);
    expect(validate({ ...whole, resources: [{ ...first, hash: 'md5:1' }] })).toBe(false);
  });
});

/** Errors of each resource, Parquet ones too. */
const FRICTIONLESS = `
import sys
from frictionless import validate
report = validate(sys.argv[1])
for task in report.tasks:
    for error in task.errors:
        print(task.name, error.type, error.note)
for error in report.errors: print(error.type, error.note)
print(len(report.tasks), 'resources')
`;

// Needs PyPI, and half a minute the first time: `npm run validators` asks for it.
test.runIf(process.env.OPALINE_VALIDATORS === 'all')(
  'frictionless has nothing against the package and its tables',
  async () => {
    const packages = ['frictionless[parquet]==5.21.0', 'pandas==3.1.1', 'pyarrow==26.0.1', 'fastparquet==2026.9.0'];
    const environment = await providePython('frictionless', packages);
    if ('missing' in environment) throw new Error(environment.missing);
    const run = promisify(execFile);
    const check = async () => {
      const { stdout } = await run(environment.python, ['-c', FRICTIONLESS, 'datapackage.json'], { cwd: folder });
      return stdout.trim().split('\n');
    };
    expect(await check()).toEqual([expect.stringMatching(/^\d\d resources$/)]);
    const table = join(folder, 'time.csv');
    const text = await readFile(table, 'utf8');
    await writeFile(table, text.replace(/,on,/, ',in,'));
    expect((await check()).length).toBeGreaterThan(1);
    await writeFile(table, text);
  },
  300_000,
);

describe('DCAT-AP', () => {
  const SHAPES = [own('dcat-ap.ttl'), own('dcat-ap-2.ttl'), ...official(/^dcat-ap.*\.ttl$/)];
  /** A release has a record for each of the two generations of the profile. */
  const recordFor = (shapes: string): string => (/dcat-ap-2[^/]*$/.test(shapes) ? 'dcat-ap-2.jsonld' : 'dcat.jsonld');

  const graph = (text: string, format: string): Store => new Store(new Parser({ format }).parse(text));

  /** What the shapes complain of in a JSON-LD document. */
  async function complaints(shapes: string, document: Record<string, unknown>): Promise<string[]> {
    const data = graph(
      await toRDF(document, { format: 'application/n-quads', base: 'https://data.example/open/x/' }),
      'N-Quads',
    );
    const validator = new SHACLValidator(graph(await readFile(shapes, 'utf8'), 'Turtle'));
    const report = await validator.validate(data);
    return report.results
      .filter(({ severity }) => severity?.value.endsWith('Violation'))
      .map(({ path, focusNode, message }) => `${focusNode?.value} ${path?.value} ${message.map(({ value }) => value)}`);
  }

  test.each(SHAPES)('records of a release and of its series fit %s', async (shapes) => {
    for (const record of [join(folder, recordFor(shapes)), join(series, 'dcat.jsonld')])
      expect([record, await complaints(shapes, await json(record))]).toEqual([record, []]);
  });

  test('broken twin: neither record is one for the other generation', async () => {
    expect(await complaints(own('dcat-ap-2.ttl'), await json(join(folder, 'dcat.jsonld')))).not.toEqual([]);
    expect(await complaints(own('dcat-ap.ttl'), await json(join(folder, 'dcat-ap-2.jsonld')))).not.toEqual([]);
  });

  test('broken twin: a record without a publisher, or with a size that is no number, does not', async () => {
    const { 'dct:publisher': _, ...record } = await json(join(folder, 'dcat.jsonld'));
    expect(await complaints(SHAPES[0]!, record)).toHaveLength(1);
    const text = JSON.stringify(await json(join(folder, 'dcat.jsonld')));
    const broken = JSON.parse(text.replace(/"@value":"\d+"/, '"@value":"many"'));
    expect((await complaints(SHAPES[0]!, broken)).length).toBeGreaterThan(0);
  });

  test('the record names files by the address of the series, and its series by the folder above', async () => {
    const quads = graph(
      await toRDF(await json(join(folder, 'dcat.jsonld')), { format: 'application/n-quads', base: 'file:///x/' }),
      'N-Quads',
    );
    const objects = (property: string) =>
      quads.getObjects(null, DataFactory.namedNode(`http://www.w3.org/ns/dcat#${property}`), null);
    expect(objects('inSeries').map(({ value }) => value)).toEqual(['https://data.example/open/demo/']);
    expect(objects('downloadURL').map(({ value }) => value)).toContain(
      'https://data.example/open/demo/2026-03-02/v1/time.csv',
    );
  });
});

describe('HTML', () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard'],
    rules: { 'no-inline-style': 'off', 'long-title': 'off', 'no-trailing-whitespace': 'off' },
  });

  test('every page of the series, and the audit, is valid', async () => {
    const pages = (await readdir(series)).filter((name) => name.endsWith('.html')).map((name) => join(series, name));
    expect(pages).toHaveLength(5);
    for (const page of [...pages, join(folder, 'audit.html'), join(await publishedTown(), '2026-03-02-v1.html')]) {
      const { results } = await validator.validateString(await readFile(page, 'utf8'));
      const problems = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => [ruleId, message, line]),
      );
      expect([page, problems]).toEqual([page, []]);
    }
  });

  test('broken twin: a list in a paragraph is none', async () => {
    expect((await validator.validateString('<p><ul><li>a</li></ul></p>')).valid).toBe(false);
  });
});

describe('Atom', () => {
  /** What xmllint complains of in a feed. */
  async function complaints(schema: string, feed: string): Promise<string[]> {
    const { errors } = await validateXML({ xml: feed, schema: await readFile(schema, 'utf8'), extension: 'relaxng' });
    return errors.map(({ message }) => message);
  }

  test.each([own('atom.rng'), ...official(/^atom.*\.rng$/)])('the feed fits %s', async (schema) => {
    expect(await complaints(schema, await readFile(join(series, 'feed.atom'), 'utf8'))).toEqual([]);
  });

  test('broken twin: a feed that is not closed, or has an entry without its time, does not', async () => {
    const feed = await readFile(join(series, 'feed.atom'), 'utf8');
    const broken = [feed.replace('</feed>', ''), feed.replace(/(<entry>.*?)<updated>.*?<\/updated>/s, '$1')];
    for (const one of broken) expect(await complaints(own('atom.rng'), one)).not.toEqual([]);
  });
});

test('sha256sum takes the checksums of the folder', async () => {
  const { stdout } = await promisify(execFile)('sha256sum', ['-c', '--strict', 'SHA256SUMS'], { cwd: folder });
  expect(
    stdout
      .trim()
      .split('\n')
      .every((line) => line.endsWith(': OK')),
  ).toBe(true);
});

describe('the download of the whole series', () => {
  const made = (publication: string, tables: string) =>
    remakePages('demo', { publication, out: publication, trust: null, tables });

  test('tar unpacks it, sha256sum takes its digests, which are those of the page, and DuckDB reads its partitions', async () => {
    const root = join(series, '..');
    const { tables } = await made(root, join(root, 'demo.tar'));
    const unpacked = join(root, 'unpacked');
    await mkdir(unpacked);
    const run = promisify(execFile);
    await run('tar', ['-xf', join(root, 'demo.tar'), '-C', unpacked]);
    const { stdout } = await run('sha256sum', ['-c', '--strict', 'SHA256SUMS'], { cwd: unpacked });
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((line) => line.endsWith(': OK')),
    ).toHaveLength(tables!);
    expect(await readFile(join(unpacked, 'SHA256SUMS'))).toEqual(await readFile(join(series, 'tables.sha256')));
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const read = await connection.runAndReadAll(
      `SELECT "window"::VARCHAR, count(*)::INT FROM read_parquet('${unpacked}/location/*/*.parquet', hive_partitioning = true) GROUP BY 1 ORDER BY 1`,
    );
    const rows = read.getRowsJS();
    // Of the first window the second version alone.
    expect(rows.map(([window]) => window)).toEqual(['2026-03-02', '2026-03-09']);
    expect(await readdir(join(unpacked, 'location', 'window=2026-03-02'))).toEqual(['v2.parquet']);
    await expect(made(root, join(root, 'demo.tar'))).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('broken twin: a table that is not what was published is refused, and no part of a download stays', async () => {
    const root = await mkdtemp(join(series, '..', 'changed-'));
    await cp(series, join(root, 'demo'), { recursive: true });
    await writeFile(join(root, 'demo', '2026-03-09', 'v1', 'time.parquet'), 'PAR1');
    await expect(made(root, join(root, 'demo.tar'))).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
    expect(await readdir(root)).toEqual(['demo']);
  });
});

test('the citation file is YAML with what the format asks for', async () => {
  const citation = parse(await readFile(join(folder, 'CITATION.cff'), 'utf8'));
  expect(citation).toMatchObject({
    'cff-version': '1.2.0',
    type: 'dataset',
    title: 'Taps of Exampleton',
    authors: [{ name: 'Exampleton Transport' }],
    license: 'CC-BY-4.0',
  });
});

test('the metadata of a release is as it is listed', async () => {
  const files = await readdir(folder);
  expect(METADATA_FILES.filter((name) => !files.includes(name))).toEqual([]);
});
