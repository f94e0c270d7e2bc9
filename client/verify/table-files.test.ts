import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { FILES } from '../../contracts/names.ts';
import { rowsOf, tableOf, totalOf } from '../../counts/derive/count-table.ts';
import { PUBLISHED_TABLES, type PublishedTable } from '../../counts/tables/tap-tables.ts';
import { everyTable, everyTableDrawn } from '../../test/support/every-table.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { csvOf, tableOfCsv, tableOfParquet } from '../../test/support/table-forms.ts';
import { TEST_CHAIN } from '../../test/support/trust-files.ts';
import { editParquet, publish, sealAll } from './forgery.fixture.ts';
import { verifyPublication } from './verify-publication.ts';

const FORMS = ['csv', 'parquet'] as const;

const scratch = newFolder();
let honest: string;
let other: string;
beforeAll(async () => {
  honest = await publish(everyTable, everyTableDrawn(7));
  other = await publish(everyTable, everyTableDrawn(8, 1));
}, 240_000);

let copies = 0;
async function copy(): Promise<string> {
  copies += 1;
  const folder = join(scratch, `tables-${copies}`);
  await cp(honest, folder, { recursive: true });
  return folder;
}

/** What the failing checks say of a folder that approvers and publisher have signed as it is. */
async function said(folder: string): Promise<string> {
  await sealAll(folder);
  const { checks } = await verifyPublication(folder, TEST_CHAIN);
  return checks
    .filter(({ ok }) => !ok)
    .map(({ id, sentence }) => `${id}: ${sentence}`)
    .join('\n');
}

/** One more on the last row of a CSV table. */
async function raise(folder: string, name: PublishedTable): Promise<void> {
  const path = join(folder, FILES.table(name));
  const rows = [...rowsOf(tableOfCsv(name, await readFile(path, 'utf8')))];
  rows.at(-1)!.count += 1;
  await writeFile(path, csvOf(name, tableOf(rows)));
}

const raiseTyped = (folder: string, name: PublishedTable) =>
  editParquet(folder, name, (rows) => {
    rows.at(-1)!.count += 1;
  });

test('every table is there as CSV and as Parquet with the same rows, and verifies', async () => {
  expect((await verifyPublication(honest, TEST_CHAIN)).checks.filter(({ ok }) => !ok)).toEqual([]);
  for (const name of PUBLISHED_TABLES) {
    const csv = tableOfCsv(name, await readFile(join(honest, FILES.table(name)), 'utf8'));
    const typed = await tableOfParquet(name, await readFile(join(honest, FILES.table(name, 'parquet'))));
    expect(csv.count.length).toBeGreaterThan(0);
    expect([...rowsOf(typed)]).toEqual([...rowsOf(csv)]);
  }
});

test('statement, summary, data dictionary and data package name the total of every table', async () => {
  const text = (name: string) => readFile(join(honest, name), 'utf8');
  const [statement, dictionary] = [await text(FILES.statement), await text(FILES.dictionary)];
  const summary = JSON.parse(await text(FILES.summary));
  const { resources } = JSON.parse(await text(FILES.dataPackage));
  for (const name of PUBLISHED_TABLES) {
    const total = totalOf(tableOfCsv(name, await text(FILES.table(name))));
    expect(statement).toContain(`| ${name} | ${total} |`);
    for (const file of [FILES.table(name), FILES.table(name, 'parquet')]) {
      expect(summary.files.find((one: { name: string }) => one.name === file)).toMatchObject({ total });
      expect(resources.find(({ path }: { path: string }) => path === file)).toMatchObject({ 'opaline:total': total });
      expect(dictionary).toMatch(new RegExp(`^${file},count,.*add up to ${total}\\.`, 'm'));
    }
  }
});

test('a publication without totals, or without metadata, is not verified', async () => {
  const [bare, undescribed] = [await copy(), await copy()];
  const summary = JSON.parse(await readFile(join(bare, FILES.summary), 'utf8'));
  const files = summary.files.map(({ total: _, ...file }: { total?: number }) => file);
  await writeFile(join(bare, FILES.summary), JSON.stringify({ ...summary, files }));
  expect(await said(bare)).toMatch(/^totals: The counts of .* do not add up to what the summary says/m);
  await rm(join(undescribed, FILES.dataPackage));
  expect(await said(undescribed)).toMatch(/^description: The release has no file datapackage\.json/m);
});

describe.each(PUBLISHED_TABLES.map((name, place) => [name, FORMS[place % 2]!] as const))('%s', (name, form) => {
  test('a changed count is named, in one form and in both', async () => {
    const [one, both] = [await copy(), await copy()];
    if (form === 'csv') await raise(one, name);
    else await raiseTyped(one, name);
    expect(await said(one)).toMatch(new RegExp(`^parquet: .*${name}`, 'm'));
    await raise(both, name);
    await raiseTyped(both, name);
    expect(await said(both)).toMatch(new RegExp(`^totals: .*${name}.parquet`, 'm'));
  });

  test(`${form} that is taken away, or is of another release, is named`, async () => {
    const [gone, swapped] = [await copy(), await copy()];
    await rm(join(gone, FILES.table(name, form)));
    expect(await said(gone)).toMatch(new RegExp(`^(description|metadata): .*${FILES.table(name, form)}`, 'm'));
    await cp(join(other, FILES.table(name, form)), join(swapped, FILES.table(name, form)));
    expect(await said(swapped)).toMatch(new RegExp(`^parquet: .*${name}`, 'm'));
  });
});
