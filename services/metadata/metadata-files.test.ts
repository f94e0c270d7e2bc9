import { expect, test } from 'vitest';
import { summarySchema } from '../../contracts/formats/summary.ts';
import { FILES } from '../../contracts/names.ts';
import { csvFields, csvRecords } from '../../core/text/csv.ts';
import { makeInput } from './made-up-release.fixture.ts';
import { METADATA_FILES, metadataFiles } from './metadata-files.ts';
import { FILES_OF_EVERY_RELEASE } from './readme.ts';

const textsOf = (...change: Parameters<typeof makeInput>): Map<string, string> =>
  new Map(metadataFiles(makeInput(...change)));
const plain = { title: 'Gates', licence: 'Our own terms', notes: [], frequency: 'weekly' as const };

test('C18: equal releases have equal metadata, and no file of it has a time of the clock', () => {
  expect(metadataFiles(makeInput())).toEqual(metadataFiles(makeInput()));
  for (const [name, text] of metadataFiles(makeInput())) expect([name, /T\d\d:\d\d/.test(text)]).toEqual([name, false]);
});

test('the README names every file that every release has, and the metadata names no file that is not there', () => {
  const readme = textsOf().get(FILES.readme)!;
  const named = FILES_OF_EVERY_RELEASE.map(([name]) => name);
  for (const name of [...named, 'counts.csv', 'privacy.json']) expect(readme).toContain(`- \`${name}\`: `);
  expect([...METADATA_FILES].filter((name) => name !== FILES.readme && !named.includes(name))).toEqual([]);
  for (const [name, text] of metadataFiles(makeInput())) expect([name, text.includes('absent')]).toEqual([name, false]);
});

test('the README says first what is missing, whether it is a trial, the notes, which table to take, and how', () => {
  const publication = { ...plain, notes: ['Made up.'], purpose: 'trial' as const };
  const files = ['counts.csv', 'counts.parquet'].map((name) => ({ name, sha256: 'ab'.repeat(32), bytes: 1 }));
  const text = textsOf({ publication, files }).get(FILES.readme)!;
  const places = [
    'north is missing (OBJECT_MISSING) on 2026-03-04.',
    'This is a trial.',
    'Note: Made up.',
    'People of a gate: `counts`',
    'pd.read_parquet("counts.parquet")',
    '## What this is',
  ].map((part) => text.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const { purpose: _, ...silent } = publication;
  expect(textsOf({ publication: silent }).get(FILES.readme)).toContain('does not say whether this is a trial');
});

test('every file of metadata names the publisher', () => {
  const named = [
    FILES.guarantee,
    FILES.citation,
    FILES.dataPackage,
    FILES.catalogue,
    FILES.schemaOrg,
    FILES.readme,
    FILES.summary,
  ];
  for (const name of named)
    expect([name, textsOf().get(name)]).toEqual([name, expect.stringContaining('Exampleton Transport')]);
});

test('the data dictionary has every column of every table once', () => {
  const [header, ...rows] = [...csvRecords(textsOf().get(FILES.dictionary)!)].map((record) => csvFields(record));
  expect(header).toEqual(['file', 'column', 'position', 'type', 'description', 'values']);
  expect(rows.map(([file, column, place]) => `${file} ${place} ${column}`)).toEqual([
    'counts.csv 1 date',
    'counts.csv 2 gate',
    'counts.csv 3 count',
  ]);
  expect(rows[1]).toContain('north|south');
});

test('a series that says nothing of itself has metadata with what can be said', () => {
  const texts = textsOf({ publication: plain });
  const dataPackage = JSON.parse(texts.get(FILES.dataPackage)!);
  expect(dataPackage).toMatchObject({
    id: 'gates/2026-03-02/v2',
    licenses: [{ name: 'other', title: 'Our own terms' }],
  });
  const catalogue = JSON.parse(texts.get(FILES.catalogue)!);
  expect(catalogue['@context']).not.toHaveProperty('@base');
  expect(catalogue).toMatchObject({ '@id': './', 'dct:publisher': { 'foaf:name': 'Publisher of gates' } });
  expect(texts.get(FILES.citation)).not.toContain('license');
  expect(texts.get(FILES.readme)).toContain('How many people pass each gate.');
});

test('addresses are those below the base of the series, whatever slash it ends with', () => {
  const base = (baseUrl: string) =>
    JSON.parse(textsOf({ publication: { ...plain, baseUrl } }).get(FILES.catalogue)!)['@context']['@base'];
  expect(base('https://data.example/open')).toBe('https://data.example/open/gates/2026-03-02/v2/');
  expect(base('https://data.example/open//')).toBe('https://data.example/open/gates/2026-03-02/v2/');
});

test('a citation of the series has the name of the release in it', () => {
  const publication = { ...plain, citation: 'Exampleton ({release}), doi 10.1/x.' };
  const summary = summarySchema.parse(JSON.parse(textsOf({ publication }).get(FILES.summary)!));
  expect(summary.citation).toBe('Exampleton (gates/2026-03-02/v2), doi 10.1/x.');
});

test('every question on the guarantee has an answer, and names the earlier versions', () => {
  const page = textsOf().get(FILES.guarantee)!;
  const parts = page.split(/^### .*$/m).slice(1);
  expect(parts.length).toBeGreaterThan(15);
  for (const answer of parts) expect(answer.replace(/^## .*$/m, '').trim()).not.toBe('');
  expect(page).toContain('Charged before, for the same window: version 1.');
});

test('the summary is of its schema, with digests nowhere but in the manifest', () => {
  const text = textsOf().get(FILES.summary)!;
  const summary = summarySchema.parse(JSON.parse(text));
  expect(summary).toMatchObject({ nextExpected: '2026-04-01', frequency: 'weekly', days: { last: '2026-03-08' } });
  expect(text).not.toContain('abab');
});

test('a tab, a line end or a quote in a title breaks no file', () => {
  const title = 'A "quoted"\n- key: value # x';
  const texts = textsOf({ publication: { ...plain, title } });
  expect(JSON.parse(texts.get(FILES.dataPackage)!).title).toBe(title);
  expect(texts.get(FILES.citation)).toContain(`title: ${JSON.stringify(title)}\n`);
  expect(texts.get(FILES.readme)!.split('\n')[0]).toBe('# A "quoted" - key: value \\# x');
});
