import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';
import { providePython } from '../support/python-environment.ts';
import { cellGains } from './information-gain.ts';

/** Gains of every cell of each table, as piflib 0.1.1 has them. */
const PIFLIB = `
import sys, json, pandas
from piflib.pif_calculator import compute_cigs
answers = []
for rows in json.load(open(sys.argv[1])):
    gains = compute_cigs(pandas.DataFrame(rows))
    answers.append({"gains": gains.values.tolist()})
print(json.dumps(answers))
`;

const folder = newFolder();
let piflib: Awaited<ReturnType<typeof providePython>>;
beforeAll(async () => {
  piflib = await providePython('piflib', ['piflib==0.1.1']);
}, 600_000);

test('the plain way, which the SQL is tested against, agrees with piflib on random tables', async ({ skip }) => {
  if ('missing' in piflib) return skip(piflib.missing);
  const cell = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const tables = fc.sample(
    fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 60 }),
      ),
    { numRuns: 200, seed: 20 },
  );
  const file = join(folder, 'tables.json');
  await writeFile(file, JSON.stringify(tables));
  const answers: { gains: number[][] }[] = JSON.parse(
    execFileSync(piflib.python, ['-c', PIFLIB, file], { encoding: 'utf8' }),
  );
  let told = 0;
  for (const [index, table] of tables.entries()) {
    const own = cellGains(table).flat();
    for (const [at, bits] of answers[index]!.gains.flat().entries()) expect(own[at]!).toBeCloseTo(bits, 9);
    told += own.filter((bits) => bits > 0).length;
  }
  expect(told).toBeGreaterThan(1000);
});
