import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS, EXIT } from '../contracts/errors.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../contracts/names.ts';
import { readMutable } from '../services/stores/mutable-json.ts';
import {
  SMALL_WINDOW,
  type SmallSeries,
  smallTrips,
  writeSmallSeries,
  writeTrips,
  writeTruncatedTrips,
} from '../test/support/small-series.ts';
import { startSmallStack } from '../test/support/small-stack.ts';
import { STACK_BUILD } from '../test/support/stack-build.ts';
import { reaches, type TestStack } from '../test/support/test-stack.ts';
import { run, start, words } from './process.fixture.ts';

let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
  await writeFile(join(stack.root, 'me.pem'), series.key.privateKey);
});
afterAll(() => stack?.end());

/** Runs a command against the stack, in its folder; `{file}` stands for the series file. */
const opaline = (line: string) =>
  run(
    words(line).map((word) => word.replace('{file}', series.file)),
    { cwd: stack.root, deployment: stack.files.deployment('client') },
  );

/** What a command prints with --json, and its exit code. */
async function json(line: string) {
  const { code, stdout, stderr } = await opaline(`${line} --json`);
  expect(stderr).toBe('');
  return { code, value: JSON.parse(stdout) };
}

const refused = (code: keyof typeof ERRORS, ending: { code: number | null; stderr: string }) => {
  expect(ending.stderr).toMatch(new RegExp(`^${code}: `));
  expect(ending.code).toBe(ERRORS[code].exit);
};

const FIRST = { series: 'small', window: SMALL_WINDOW, version: 1 };
const RELEASE = releasePath(FIRST);

describe('a release from run to publication', () => {
  test('nothing is there, and a dry run leaves it so', async () => {
    expect(await json('status')).toEqual({ code: EXIT.done, value: { releases: [] } });
    const plan = await json(`run {file} --window ${SMALL_WINDOW} --dry-run`);
    expect(plan).toMatchObject({ code: EXIT.done, value: { release: RELEASE, partitions: 6, overCap: null } });
    expect((await opaline('ledger show')).stdout).toBe('No ledger yet: nothing was ever charged.\n');
    refused('WINDOW_INVALID', await opaline('run {file} --window 2099-03-02 --dry-run'));
  });

  test('run shows progress, stops at the gate, and ends with 3', async () => {
    const { code, stdout, stderr } = await opaline(`run {file} --window ${SMALL_WINDOW}`);
    expect(code).toBe(EXIT.waiting);
    expect(stderr).toContain(`${RELEASE}  waiting`);
    expect(stdout).toContain(`Release ${RELEASE} is waiting.`);
    expect(stdout).toContain(`approve ${RELEASE}`);
    const applied = await readMutable(stack.client.releaseStore, RELEASE_KEYS.appliedSeries('small'));
    const other = await writeSmallSeries(join(stack.root, 'other'), { yearEpsilon: '99' });
    refused('RELEASE_EXISTS', await opaline(`run ${other.file} --window ${SMALL_WINDOW}`));
    refused('RELEASE_EXISTS', await opaline(`run ${other.file} --window ${SMALL_WINDOW} --dry-run`));
    expect(await readMutable(stack.client.releaseStore, RELEASE_KEYS.appliedSeries('small'))).toEqual(applied);
  });

  test('status and show say where it stands', async () => {
    const { code, stdout } = await opaline('status');
    expect(code).toBe(EXIT.done);
    expect(stdout).toMatch(new RegExp(`^${RELEASE} +waiting `, 'm'));
    expect((await opaline('status --state cancelled')).stdout).toContain('No release is like that');
    expect(await json(`show ${RELEASE}`)).toMatchObject({ code: EXIT.done, value: { state: 'waiting' } });
    const audit = join(stack.files.store('release'), RELEASE_KEYS.staged(FIRST, STACK_BUILD, FILES.auditPage));
    const opened = await opaline(`show ${RELEASE} --open audit`);
    const path = opened.stdout.trimEnd();
    expect(opened.stderr).toMatch(/^There is no screen here [^\n]*\n$/);
    expect(path).not.toBe(audit);
    expect(await readFile(path, 'utf8')).toBe(await readFile(audit, 'utf8'));
    refused('OBJECT_MISSING', await opaline('show nothing/2026-03-02/v1 --open audit'));
    refused('RELEASE_UNKNOWN', await opaline('show nothing/2026-03-02/v1'));
  });

  test('show tells whoever decides where the audit lies, what it costs, who is missing and what cannot be undone', async () => {
    const { stdout } = await opaline(`show ${RELEASE}`);
    expect(stdout).toContain(`  npm run opaline -- show ${RELEASE} --open audit\n`);
    expect(stdout).toContain(`  npm run opaline -- show ${RELEASE} --open statement\n`);
    expect(stdout).toContain('No release of this series was published before it.');
    expect(stdout).toContain('Privacy: this release costs ε = 8, δ = 1e-6.');
    expect(stdout).toContain('This window has cost ε = 8, δ = 1e-6 in its one version.');
    expect(stdout).toMatch(/Left: ε = 92 for these days, for ever; ε = 992 over the fullest 365 days/);
    expect(stdout).toMatch(/Approved by nobody yet; 1 needed\.\n {2}1 missing, until .*\. Could sign: .*@/);
    expect(stdout).toContain(`\`npm run opaline -- retract ${RELEASE}\` marks it as not to be used.`);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Approve it: npm run opaline -- approve/);
    const { value } = await json(`show ${RELEASE}`);
    const { all, held, untried } = value.briefing.checks;
    expect(held + untried).toBe(all);
    expect(held).toBeGreaterThan(untried);
  });

  test('what the gate does not offer, and who may not decide, is refused with 4', async () => {
    refused('ACTION_NOT_OFFERED', await opaline(`retry ${RELEASE}`));
    await opaline('keygen stranger.pem');
    refused('SUBJECT_UNKNOWN', await opaline(`approve ${RELEASE} --key stranger.pem --reason mine`));
    const answer = await json(`retry ${RELEASE}`);
    expect(answer).toMatchObject({ code: EXIT.refused, value: { accepted: false, code: 'ACTION_NOT_OFFERED' } });
  });

  test('approve publishes it', async () => {
    const { code, stdout } = await opaline(`approve ${RELEASE} --key me.pem --reason read`);
    expect({ code, stdout }).toEqual({ code: EXIT.done, stdout: `Your approval of ${RELEASE} is recorded.\n` });
    await reaches(stack.client, { series: 'small', window: SMALL_WINDOW, version: 1 }, ['published']);
    const shown = await opaline(`show ${RELEASE}`);
    expect(shown.stdout).toContain('Published at ');
    refused('ACTION_NOT_OFFERED', await opaline(`approve ${RELEASE} --key me.pem --reason again`));
  });

  test('verify accepts what was published, and ends with 5 when a byte was changed', async () => {
    const published = join(stack.files.publication, 'small', SMALL_WINDOW, 'v1');
    const trust = `--trust ${stack.files.trust}`;
    const verified = { verified: true, tiedTo: 'demo keys' };
    expect(await json(`verify ${published} ${trust}`)).toMatchObject({ code: EXIT.done, value: verified });
    const alone = { verified: true, tiedTo: 'nobody' };
    expect(await json(`verify ${published}`)).toMatchObject({ code: EXIT.waiting, value: alone });
    // What we publish ourselves is found to be sound by our own attacks of strangers' publications.
    expect(await json(`audit ${published}`)).toMatchObject({ code: EXIT.done, value: { verdict: 'pass' } });
    const copy = join(stack.root, 'tampered');
    await cp(published, copy, { recursive: true });
    const table = join(copy, 'time-location.csv');
    await writeFile(
      table,
      (await readFile(table, 'utf8')).replace(/\d(?=\r?\n$)/, (digit) => String((Number(digit) + 1) % 10)),
    );
    const { code, stdout } = await opaline(`verify ${copy} ${trust}`);
    expect(code).toBe(EXIT.verificationFailed);
    expect(stdout).toContain('NOT VERIFIED');
  });
});

describe('other ends of a release', () => {
  test('reject ends it, and its charge stays', { tags: 'soak' }, async () => {
    const text = await readFile(series.file, 'utf8');
    await writeFile(series.file, text.replace('epsilon: 8', 'epsilon: 6'));
    const { stdout: told } = await opaline(`run {file} --window ${SMALL_WINDOW} --release-version 2 --yes`);
    await writeFile(series.file, text);
    // Whoever decides sees what differs from the version before.
    expect(told).toContain(`Since ${RELEASE}, the last one that was published:`);
    expect(told).toContain('privacy.epsilon: "8" → "6"');
    expect(told).toContain('This window has cost ε = 14, δ = 2e-6 in its 2 versions together.');
    const release = `small/${SMALL_WINDOW}/v2`;
    const { code } = await opaline(`reject ${release} --key me.pem --reason no --code not-needed`);
    expect(code).toBe(EXIT.done);
    await reaches(stack.client, { series: 'small', window: SMALL_WINDOW, version: 2 }, ['rejected']);
    const { stdout } = await opaline('ledger show small-riders');
    expect(stdout).toMatch(new RegExp(`^${release} +(withheld|reserved) +ε = 6, δ = 1e-6 `, 'm'));
    expect(stdout).toMatch(/^6 blocks .*ε 14 of 10000 /m);
  });

  test('failed partitions end run and retry with 3, until the cause is mended', { tags: 'soak' }, async () => {
    await writeTruncatedTrips(stack.source, '2026-03-04', 'ferry');
    const failed = await opaline(`run {file} --window ${SMALL_WINDOW} --release-version 3`);
    expect(failed.code).toBe(EXIT.waiting);
    expect(failed.stdout).toContain('ferry/2026-03-04: OBJECT_UNREADABLE in 2026-03-04/ferry.csv.gz');
    const release = `small/${SMALL_WINDOW}/v3`;
    refused('USAGE', await opaline(`retry ${release} --partition bus/2026-03-04`));
    expect(failed.stdout).toContain('of the store trips');
    const still = await opaline(`retry ${release} --partition ferry/2026-03-04`);
    expect(still.code).toBe(EXIT.waiting);
    expect(still.stdout).toMatch(/^The retry has failed again for 1 of 6 partitions\./);
    await writeTrips(stack.source, '2026-03-04', 'ferry', smallTrips('2026-03-04', 'ferry'));
    expect(await json(`retry ${release}`)).toMatchObject({ code: EXIT.waiting, value: { state: 'waiting' } });
  });

  test('C5: the custodian sees exactly what was read and left out, and nobody else has the file that it takes', {
    tags: 'soak',
  }, async () => {
    const asCustodian = (line: string) =>
      run(words(line), { cwd: stack.root, custodians: stack.files.deployment('private') });
    const { code, stdout } = await asCustodian(`rejects ${RELEASE}`);
    expect(code).toBe(EXIT.done);
    expect(stdout).toMatch(/^CONFIDENTIAL: /);
    // Ninety trips of two taps, and a lone one; half of a trip is absent and no reject.
    expect(stdout).toMatch(/^2026-03-02\/bus\.csv\.gz +91 +0 +181 +0 +0$/m);
    expect(stdout).toContain('Every partition has data.');
    refused('CONFIGURATION_INVALID', await run(words(`rejects ${RELEASE}`), { cwd: stack.source }));
    await writeTrips(stack.source, '2026-03-03', 'bus', 'mode,on_time,on_stop,off_time,off_stop\n');
    const odd = 'bus,yesterday,stop-1,2026-03-04 09:00:00,stop-9\n';
    await writeTrips(stack.source, '2026-03-04', 'bus', `${smallTrips('2026-03-04', 'bus')}${odd.repeat(40)}x\n`);
    await opaline(`run {file} --window ${SMALL_WINDOW} --release-version 9 --yes`);
    const second = await asCustodian(`rejects small/${SMALL_WINDOW}/v9 --rows 2`);
    for (const day of ['2026-03-03', '2026-03-04']) await writeTrips(stack.source, day, 'bus', smallTrips(day, 'bus'));
    expect(second.stdout).toContain('! 2026-03-03/bus.csv.gz holds no row.');
    expect(second.stdout).toContain('! No row belongs to bus/2026-03-03.');
    expect(second.stdout).toMatch(/^! 15\.6 % of 2026-03-04\/bus\.csv\.gz was rejected\.$/m);
    expect(second.stdout).toMatch(/^2026-03-04\/bus\.csv\.gz +131 +1 +221 +time-unreadable 40 +40$/m);
    expect(second.stdout.match(/yesterday/g)).toHaveLength(2);
    // None of it is on the public side.
    expect((await opaline(`show small/${SMALL_WINDOW}/v9`)).stdout).not.toMatch(/yesterday|15\.6|131|221/);
  });

  test('C15: a wrong declaration is corrected once, at no cost, and both verdicts are kept', {
    tags: 'soak',
  }, async () => {
    const wrong = await writeSmallSeries(join(stack.root, 'wrong'), { series: 'wrong' });
    const text = await readFile(wrong.file, 'utf8');
    const service = 'audit: { equalTruth: [{ mode: bus, from: "2001", to: "2000", minutes: 30 }] }\n';
    await writeFile(wrong.file, `${text}${service}`);
    const release = `wrong/${SMALL_WINDOW}/v1`;
    const ran = await opaline(`run ${wrong.file} --window ${SMALL_WINDOW} --yes`);
    expect(ran.code).toBe(EXIT.waiting);
    expect(ran.stdout).toContain('Verdict of the audit: fail.');
    expect(ran.stdout).toMatch(/^✗ [a-z-]+: /m);
    expect((await opaline(`explain ${release}`)).stdout).toContain(`reaudit ${release} --series`);
    refused('VERDICT_FAIL', await opaline(`approve ${release} --key me.pem --reason hoping`));
    await writeFile(wrong.file, `${text.replace('epsilon: 8', 'epsilon: 7')}`);
    refused('SERIES_INVALID', await opaline(`reaudit ${release} --series ${wrong.file}`));
    await writeFile(wrong.file, text);
    const again = await opaline(`reaudit ${release} --series ${wrong.file}`);
    expect(again).toMatchObject({ code: EXIT.done, stderr: '' });
    expect(again.stdout).toContain('The first audit said fail. Under the corrected declaration its verdict is pass');
    expect(again.stdout).toMatch(/--open audit\n.*--open second-audit\n/);
    refused('ACTION_NOT_OFFERED', await opaline(`reaudit ${release} --series ${wrong.file}`));
    expect((await json('ledger show small-riders')).value.populations[0].charges.length).toBeGreaterThan(0);
    expect((await opaline(`approve ${release} --key me.pem --reason corrected`)).code).toBe(EXIT.done);
    await reaches(stack.client, { series: 'wrong', window: SMALL_WINDOW, version: 1 }, ['published']);
    const published = join(stack.files.publication, 'wrong', SMALL_WINDOW, 'v1');
    const verified = await opaline(`verify ${published} --trust ${stack.files.trust}`);
    expect(verified.code).toBe(EXIT.done);
    expect(verified.stdout).toContain('An earlier audit said fail; the declaration was corrected.');
    expect(await readFile(join(published, 'statement.md'), 'utf8')).toMatch(
      /## It was audited twice[\s\S]*audit\.equalTruth\.0\.from: "2001" → –/,
    );
  });

  test('Ctrl-C ends the watching with 130, and the release goes on', async () => {
    const line = `run ${series.file} --window ${SMALL_WINDOW} --release-version 4`;
    const { child, ending } = start(words(line), { cwd: stack.root, deployment: stack.files.deployment('client') });
    await once(child.stderr, 'readable');
    child.kill('SIGINT');
    const interruptedAt = Date.now();
    const { code, stdout, stderr } = await ending;
    // A client that is closed asks no more; it used to go on for half a minute.
    expect(Date.now() - interruptedAt).toBeLessThan(20_000);
    expect({ code, stdout }).toEqual({ code: EXIT.interrupted, stdout: '' });
    expect(stderr).toContain(
      `The release goes on; \`npm run opaline -- show small/${SMALL_WINDOW}/v4\` says where it is.`,
    );
    await reaches(stack.client, { series: 'small', window: SMALL_WINDOW, version: 4 }, ['waiting']);
  });

  test('over a cap it ends with 4, as the plan had said', { tags: 'soak' }, async () => {
    const changes = { series: 'dear', population: 'dear-riders', yearEpsilon: '12' };
    series = await writeSmallSeries(join(stack.root, 'dear'), changes);
    await opaline(`run {file} --window ${SMALL_WINDOW}`);
    const dry = await json(`run {file} --window ${SMALL_WINDOW} --release-version 2 --dry-run`);
    expect(dry.code).toBe(EXIT.refused);
    expect(dry.value.overCap).toContain('over 12, the cap over 365 days of data');
    const { code, value } = await json(`run {file} --window ${SMALL_WINDOW} --release-version 2`);
    expect({ code, cause: value.ending.code }).toEqual({ code: EXIT.refused, cause: 'BUDGET_EXCEEDED' });
    const shown = await opaline('ledger show dear-riders');
    expect(shown.stdout).toContain(`dear/${SMALL_WINDOW}/v2: BUDGET_EXCEEDED (over-cap), asked by releaseWorkflow`);
  });

  test('C13: a correction over a cap is refused before anything is started, as its dry run says', {
    tags: 'soak',
  }, async () => {
    await opaline(`withdraw dear/${SMALL_WINDOW}/v1 --key me.pem`);
    await reaches(stack.client, { series: 'dear', window: SMALL_WINDOW, version: 1 }, ['withdrawn']);
    const line = `correct dear/${SMALL_WINDOW}/v1 --partition bus/${SMALL_WINDOW} --reason object-late`;
    // A partition that is named twice is drawn, and charged, once.
    const dry = await json(`${line} --dry-run --partition bus/${SMALL_WINDOW}`);
    expect(dry).toMatchObject({ code: EXIT.refused, value: { release: `dear/${SMALL_WINDOW}/v3`, partitions: 6 } });
    expect(dry.value.input.correction.partitions).toEqual([{ part: 'bus', day: SMALL_WINDOW }]);
    expect(dry.value).toMatchObject({ cost: { epsilon: '8' }, overCap: expect.stringContaining('over 12, the cap') });
    refused('BUDGET_EXCEEDED', await opaline(line));
    refused('RELEASE_UNKNOWN', await opaline(`show dear/${SMALL_WINDOW}/v3`));
  });
});

describe('the ledger', () => {
  test('plan says what runs would cost, and when a cap refuses one', { tags: 'soak' }, async () => {
    const { code, value } = await json(`ledger plan {file} --window ${SMALL_WINDOW} --releases 3`);
    expect(code).toBe(EXIT.done);
    expect(value).toMatchObject({
      population: 'dear-riders',
      firstRefused: 'dear/2026-03-09/v1',
      total: { epsilon: '0' },
    });
    expect(value.releases.map(({ charged }: { charged: boolean }) => charged)).toEqual([true, false, false]);
    const { stdout } = await opaline(`ledger plan {file} --window ${SMALL_WINDOW} --releases 3`);
    expect(stdout).toContain(
      'A cap is reached at dear/2026-03-09/v1 (days 2026-03-09 to 2026-03-11). One unit would reach',
    );
  });

  test('show and verify go over every population, and a changed byte ends verify with 5', {
    tags: 'soak',
  }, async () => {
    const shown = await json('ledger show');
    expect(shown.value.populations.map(({ population }: { population: string }) => population)).toEqual([
      'dear-riders',
      'small-riders',
    ]);
    expect(await json('ledger verify')).toMatchObject({ code: EXIT.done, value: { verified: true } });
    const entry = join(stack.files.store('release'), RELEASE_KEYS.ledgerEntry('dear-riders', 2));
    const { payload, ...envelope } = JSON.parse(await readFile(entry, 'utf8'));
    const cheaper = Buffer.from(payload, 'base64').toString().replace('"epsilon":"8"', '"epsilon":"1"');
    await writeFile(entry, JSON.stringify({ ...envelope, payload: Buffer.from(cheaper).toString('base64') }));
    const broken = await opaline('ledger verify');
    expect(broken.code).toBe(EXIT.verificationFailed);
    expect(broken.stdout).toMatch(/^✗ dear-riders: LEDGER_BROKEN: /m);
    expect(broken.stdout).toMatch(/^✓ small-riders: the chain of \d+ entries is whole/m);
    refused('LEDGER_BROKEN', await opaline('ledger show dear-riders'));
    expect((await opaline('ledger verify small-riders')).code).toBe(EXIT.done);
  });
});
