import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../contracts/errors.ts';
import { parseProfile } from '../kinds/occupancy/mechanism/profile-csv.ts';
import { casesOf } from '../kinds/occupancy/mechanism/vehicle-models.fixture.ts';
import { sha256 } from '../services/stores/json-objects.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { ROOT } from '../test/tidy/source-files.ts';
import { isOneSentence, run, words } from './process.fixture.ts';

const CONFIGURATION = join(ROOT, 'examples', 'occupancy', 'configuration.yaml');
const VDL = 'out/vdl-cites-lle-120-255';

const folder = newFolder();
beforeAll(async () => {
  const made = await run(['occupancy', 'profile', CONFIGURATION, '--output', 'out', '--json'], { cwd: folder });
  expect(made).toMatchObject({ code: EXIT.done, stderr: '' });
  expect(JSON.parse(made.stdout).profiles).toHaveLength(2);
});

const opaline = (line: string) => run(words(`occupancy ${line}`), { cwd: folder });
const read = (name: string) => readFile(join(folder, name), 'utf8');

describe('opaline occupancy profile', () => {
  test('writes profile and certificate of each vehicle model, and they belong together', async () => {
    const [csv, certificate] = await Promise.all([`${VDL}.csv`, `${VDL}.certificate.json`].map(read));
    const stated = JSON.parse(certificate!);
    expect(stated).toMatchObject({
      format: 'opaline-occupancy-profile/1',
      sha256: sha256(csv!),
      method: 'closed form',
    });
    const { categories, table } = parseProfile(csv!);
    expect([categories.length, table.length]).toEqual([6, 78]);
  });

  test('keeps files that are there, wants a folder, and refuses costs that do not fit', async () => {
    const before = await read(`${VDL}.csv`);
    const wrong = [
      '--output out',
      '',
      '--output other --objective distance --costs 1,2',
      '--output other --costs 0,1',
      '--output none/deep',
    ];
    const endings = await Promise.all(
      wrong.map((line) => run(['occupancy', 'profile', CONFIGURATION, ...words(line)], { cwd: folder })),
    );
    for (const { code, stderr, stdout } of endings)
      expect({ stderr, code, stdout, sentence: isOneSentence(stderr) }).toEqual({
        stderr,
        code: EXIT.badInput,
        stdout: '',
        sentence: true,
      });
    expect(await read(`${VDL}.csv`)).toBe(before);
  });
});

describe('opaline occupancy check', () => {
  test('holds for the profiles that were made, with the δ of their certificates', async () => {
    const { code, stdout } = await opaline(`check ${VDL}.csv --epsilon 1 --delta 1e-5 --json`);
    const { largestDelta } = JSON.parse(await read(`${VDL}.certificate.json`));
    expect(code).toBe(EXIT.done);
    expect(JSON.parse(stdout)).toMatchObject({
      holds: true,
      largestSumError: '0',
      given: largestDelta,
      sampled: largestDelta,
    });
  });

  test('gives the exact δ of the profile that is printed in the source, between 17 and 18 passengers', async () => {
    const [[, { in: printed }]] = casesOf('table-check') as [ReturnType<typeof casesOf<'table-check'>>[number]];
    const records = printed.table.map((row, passengers) => [passengers, ...row].join(','));
    await writeFile(join(folder, 'printed.csv'), ['passenger_count,a,b,c,d,e,f', ...records, ''].join('\n'));
    const held = await opaline('check printed.csv --epsilon 1 --delta 1e-5');
    expect(held.code).toBe(EXIT.done);
    expect(held.stdout).toMatch(/0\.0000099884718398246054\d+ +18 against 17 passengers/);
    const broken = await opaline('check printed.csv --epsilon 1 --delta 9.98e-6');
    expect(broken.code).toBe(EXIT.verificationFailed);
    expect(broken.stdout).toContain('DOES NOT HOLD');
  });

  test.each([
    'check none.csv --epsilon 1 --delta 0',
    'check bad.csv --epsilon 1 --delta 0',
    'check bad.csv --epsilon much --delta 0',
    'sample bad.csv --passengers 3',
    'compare none.yaml',
  ])('`%s` is one clear sentence', async (line) => {
    await writeFile(join(folder, 'bad.csv'), 'passenger_count,a,b\n0,1,1\n');
    const { code, stdout, stderr } = await opaline(line);
    expect({ code, stdout, sentence: isOneSentence(stderr) }).toEqual({
      code: EXIT.badInput,
      stdout: '',
      sentence: true,
    });
  });
});

describe('opaline occupancy sample', () => {
  test('draws statuses with the probabilities of the row; more passengers than it has are the last row', async () => {
    const { stdout } = await opaline(`sample ${VDL}.csv --passengers 54 --count 20000 --json`);
    const statuses: string[] = JSON.parse(stdout).statuses;
    const share = statuses.filter((status) => status === 'STANDING_ROOM_ONLY').length / 20_000;
    // 73.1 %, and 20,000 draws are off by more than 2.2 points once in 10^11 runs.
    expect(Math.abs(share - 0.731)).toBeLessThan(0.022);
    expect((await opaline(`sample ${VDL}.csv --passengers 5000`)).stdout).toBe('FULL\n');
    expect((await opaline(`sample ${VDL}.csv --passengers -1`)).code).toBe(EXIT.badInput);
  });
});

describe('opaline occupancy compare', () => {
  test('prints a row for each mechanism and vehicle model', async () => {
    const line = ['occupancy', 'compare', CONFIGURATION, '--departures', '12', '--runs', '40', '--epsilon', '8'];
    const { code, stdout } = await run([...line, '--json'], { cwd: folder });
    expect(code).toBe(EXIT.done);
    const { compared } = JSON.parse(stdout);
    expect(compared.map(({ outcomes }: { outcomes: unknown[] }) => outcomes.length)).toEqual([3, 3]);
    for (const { outcomes } of compared) expect(outcomes[2].rightShare).toBeGreaterThan(outcomes[0].rightShare);
    expect((await run(line, { cwd: folder })).stdout).toMatch(/best tree +\d\d\.\d\d %/);
  });
});
