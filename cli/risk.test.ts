import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../contracts/errors.ts';
import { openCustodianSide, TRIPS } from '../custodian/risk/risk.fixture.ts';
import { provideDemoTrust } from '../stack/demo-trust.ts';
import { folderDeployments, locateFiles, writeDeployments } from '../stack/embedded-files.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { TEST_TRUST } from '../test/support/test-trust.ts';
import { isOneSentence, run, words } from './process.fixture.ts';
import { readCellColumns, readGoal, readNoise } from './risk-goal.ts';
import { readChoices, readSubject } from './risk-options.ts';

const folder = newFolder();
let custodians: string;
beforeAll(async () => {
  custodians = locateFiles(folder).deployment('private');
  const files = locateFiles(folder);
  const { private: usual, ...others } = folderDeployments(files, {});
  const privateStore = { kind: 'folder' as const, path: join(folder, 'private') };
  await provideDemoTrust(files, TEST_TRUST);
  await writeDeployments(files, { ...others, private: { ...usual, privateStore, memoryMiB: 256 } }, '127.0.0.1:1');
  await writeFile(join(folder, 'trips.csv'), `${TRIPS}\n`);
});

const risk = (line: string) => run(words(`risk ${line}`), { cwd: folder, custodians });

describe('risk', () => {
  test('without a word more it is the report, kept in the private store alone', async () => {
    const { code, stdout, stderr } = await risk('trips.csv --id card --order on_time');
    expect({ code, stderr }).toEqual({ code: EXIT.done, stderr: '' });
    expect(stdout).toMatch(/^Confidential: [\s\S]*PIF \(RIG95\) [\d.]+ bits[\s\S]*Kept in the private store: risk\//);
    expect(stdout).not.toMatch(/CANARY|stop-1|card-1/);
    const kept = await readdir(join(folder, 'private', 'risk'));
    expect(kept.map((name) => name.split('.').at(-1)).sort()).toEqual(['html', 'json']);
    expect(await readdir(folder)).not.toContain('release');
  });

  test('--html goes to a new file that its owner alone reads, and no old one is touched', async () => {
    const { code, stdout } = await risk('report trips.csv --columns mode,on_time --html page.html --json');
    expect(code).toBe(EXIT.done);
    expect(JSON.parse(stdout)).toMatchObject({ format: 'opaline-risk/1', columns: ['mode', 'on_time'], rows: 25 });
    expect((await stat(join(folder, 'page.html'))).mode & 0o777).toBe(0o600);
    const again = await risk('report trips.csv --html page.html');
    expect(again.code).toBe(EXIT.badInput);
    expect(await readFile(join(folder, 'page.html'), 'utf8')).toContain('Confidential');
  });

  test('advise shows the frontier, the lines of a series file, and what the certificate does not cover', async () => {
    const { code, stdout, stderr } = await risk(
      'advise trips.csv --columns on_time,on_stop --try on_time=15|60,on_stop=keep|drop --utility 0.5 --epsilon 8 --delta 1e-6',
    );
    expect({ code, stderr }).toEqual({ code: EXIT.done, stderr: '' });
    expect(stdout).toMatch(/^> .*on_stop/m);
    expect(stdout).toMatch(/^bins:\n {2}minutes: (15|60) # day\.starts/m);
    expect(stdout).toContain('not covered by its certificate (C17)');
  });

  test.each(['none.csv', 'trips --window monday', 'trips.csv --known nobody', 'advise trips.csv --pif 3'])(
    '`%s` ends with 2 and one clear sentence',
    async (line) => {
      const { code, stdout, stderr } = await risk(line);
      expect({ stderr, sentence: isOneSentence(stderr), code, stdout }).toEqual({
        stderr,
        sentence: true,
        code: EXIT.badInput,
        stdout: '',
      });
    },
  );

  test('who has no deployment file of the custodian side is refused', async () => {
    const { code, stderr } = await run(words('risk trips.csv'), { cwd: folder });
    expect(code).toBe(EXIT.badInput);
    expect(stderr).toMatch(/^CONFIGURATION_INVALID: .*custodian side only/);
  });
});

describe('what is asked', () => {
  test('is one goal', () => {
    expect(readGoal({ pif: '12.5' })).toEqual({ kind: 'risk', most: 12.5 });
    expect(readGoal({ utility: '0.9' })).toEqual({ kind: 'utility', least: 0.9 });
    for (const options of [{}, { pif: '3', utility: '0.5' }, { pif: 'many' }, { utility: '1.1' }])
      expect(() => readGoal(options)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  test('is of a table or of a series, never of parts of both', async () => {
    const { context } = await openCustodianSide();
    const refused = expect.objectContaining({ code: 'USAGE' });
    for (const [name, options] of [
      ['trips', {}],
      ['trips', { window: '2026-03-02', id: 'card' }],
      ['trips', { window: '2026-03-02' }],
      ['trips.csv', { window: '2026-03-02' }],
      ['trips.csv', { order: 'on_time' }],
      ['trips.csv', { levels: 'on_stop' }],
      ['trips.csv', { levels: 'on_stop=none.csv' }],
    ] as const)
      await expect(readSubject(context, name, options), `${name} ${JSON.stringify(options)}`).rejects.toEqual(refused);
    expect(await readSubject(context, 'trips.csv', { columns: 'a, b', id: 'c' })).toMatchObject({
      subject: { columns: { measured: ['a', 'b'], id: 'c', order: null } },
      noise: null,
    });
  });

  test('reads choices, and cells of one table or of two', () => {
    expect(readChoices('--try', 'a+b=15|30,c=drop')).toEqual([
      { columns: ['a', 'b'], words: ['15', '30'] },
      { columns: ['c'], words: ['drop'] },
    ]);
    expect(() => readChoices('--try', 'a')).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(readCellColumns('a+b,c')).toEqual([['a', 'b'], ['c']]);
    expect(() => readCellColumns('a,b,c')).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  test('the noise of a trip of two ends is twice that of a tap', () => {
    const asked = { epsilon: '8', delta: '1e-6' };
    expect(readNoise(null, {}, null)).toBeNull();
    expect(readNoise(null, asked, [['a']])!.scale).toBe('1/4');
    expect(readNoise(null, asked, [['a'], ['b']])!.scale).toBe('1/2');
    expect(() => readNoise(null, { epsilon: '8' }, null)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
