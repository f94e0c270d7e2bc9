import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { commit } from '../../activities/private/commit.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import type { AuditReport } from '../../contracts/audit-report.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { parseRational } from '../../core/rational/rational.ts';
import { marginVariances } from '../../counts/mechanisms/mechanisms.ts';
import { fitRemainder } from '../../counts/mechanisms/remainder.ts';
import { privatizedTableSchema } from '../../kinds/taps/privatized-table.ts';
import { KIND_VERIFICATION } from '../../kinds/verification.ts';
import { walkLedger } from '../../services/ledger/ledger.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import { newestVersion, numberedVersion } from '../../services/trust/trust-chain.ts';
import { talliesOf } from '../support/day-release.ts';
import { newFolder } from '../support/new-folder.ts';
import { publishRelease } from '../support/publish-release.ts';
import { ReleaseBench } from '../support/release-bench.ts';
import { loadSmallSeries, SMALL_DAYS, SMALL_MODES, SMALL_WINDOW, smallKey } from '../support/small-series.ts';
import { approverKey, TEST_APPROVER } from '../support/test-trust.ts';
import { publishedStatement, TEST_CHAIN } from '../support/trust-files.ts';

const PRIVACY = `  mechanism: discrete-gaussian
  unit: card-window
  maxTaps: 8
  neighbours: add-remove
  epsilon: 1
  delta: 1e-6
  split: { time: 2/25, location: 3/25, bounded: 1/25 }
  clamp: 4
  hours: {}
`;

/** The small series for people: a card's window at ε = 1. */
const people = () =>
  loadSmallSeries((yaml) =>
    yaml
      .replace(/ {2}mechanism:[\s\S]*? {2}delta: 1e-6\n/, PRIVACY)
      .replace('  clock: local\n', '  clock: local\n  card: text\n')
      .replace('columns: { mode: mode,', 'columns: { card: card, mode: mode,')
      .replace('minutes: 15', 'minutes: 30')
      .replace('population: small-riders', 'population: demo-people'),
  );

/**
 * Cards of a day: many that ride once, and one that taps on at five stops within half an hour, eight times at one place,
 * and on every day: all bounds are at work.
 */
function objectOf(date: string, mode: string): string {
  const rows = ['card,mode,on_time,on_stop,off_time,off_stop'];
  for (let n = 0; n < 2500; n++)
    rows.push(`${date}-${n},${mode},${date} 08:${10 + (n % 20)}:00,stop-1,${date} 09:10:00,stop-2`);
  for (let n = 0; n < 5; n++) rows.push(`busy,${mode},${date} 07:0${n}:00,stop-${1 + (n % 3)},,`);
  for (let n = 0; n < 8; n++) rows.push(`busy,${mode},${date} 1${n}:00:00,stop-3,,`);
  return `${rows.join('\n')}\n`;
}

let release: ReleaseBench;
let folder: string;
let report: Awaited<ReturnType<typeof verifyPublication>>;
const json = async <T>(name: string): Promise<T> => JSON.parse(await readFile(join(folder, name), 'utf8'));
const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

beforeAll(async () => {
  release = await new ReleaseBench(newFolder(), await people(), SMALL_WINDOW).prepared();
  for (const date of SMALL_DAYS)
    for (const mode of SMALL_MODES) await release.deliver(smallKey(date, mode), gzipSync(objectOf(date, mode)));
  const contexts = release.contexts();
  const run = release.run();
  const drawn = await release.through('privatize', contexts.private);
  expect(drawn.faults).toEqual([]);
  const input = { ...drawn, shadow: await talliesOf(contexts.private, drawn) };
  const basis = {
    trust: numberedVersion(newestVersion(TEST_CHAIN)),
    ledger: tipOf(await walkLedger(contexts.private.releaseStore, release.loaded.series.population)),
    required: 1,
  };
  const manager = { subject: TEST_APPROVER, ...approverKey(TEST_APPROVER) };
  await publishRelease({ context: contexts.public, run, input }, [manager], basis);
  await commit(contexts.private, { ...run, statement: publishedStatement(run) });
  folder = join(release.folder('publication'), run.series, run.window, 'v1');
  report = await verifyPublication(folder, TEST_CHAIN, KIND_VERIFICATION);
}, 300_000);

describe('@contract C8 a week of cards with discrete Gaussian noise, through the real stages', () => {
  test('every check of the audit holds, on cells, margins, left-out taps and the shadow run', async () => {
    const { checks } = await json<AuditReport>('audit.json');
    const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ id, sentence }) => `${id}: ${sentence}`);
    expect(failed).toEqual([]);
    const tried = checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect(tried).toEqual(
      expect.arrayContaining([
        'mechanism-noise',
        'mechanism-margins',
        'mechanism-tail',
        'mechanism-epsilon',
        'margin-noise',
      ]),
    );
  });

  test('a stranger verifies it: the certificate is computed again with other code', async () => {
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    const certificate = await json<Certificate>('certificate.json');
    expect(certificate).toMatchObject({ mechanism: 'discrete-gaussian', place: 2, epsilon: '1', maxTaps: 8 });
    const broken = { ...certificate, rho: '1/1000' };
    const twin = join(newFolder(), 'v1');
    await cp(folder, twin, { recursive: true });
    await writeFile(join(twin, 'certificate.json'), JSON.stringify(broken));
    const { checks } = await verifyPublication(twin, TEST_CHAIN, KIND_VERIFICATION);
    expect(checks.filter(({ ok }) => !ok).map(({ id }) => id)).toContain('certificate');
  });

  test('the ledger charges the certified ε and δ of every day once, in a population that counts them', async () => {
    const ledger = join(release.folder('private'), 'ledger', 'demo-people');
    const entries = await Promise.all((await readdir(ledger)).map((name) => readFile(join(ledger, name), 'utf8')));
    const payload = entries.map((entry) => Buffer.from(JSON.parse(entry).payload, 'base64').toString('utf8')).join();
    const charges = payload.match(/"delta":"1\/1000000","epsilon":"1"/g) ?? [];
    expect(charges.length).toBeGreaterThanOrEqual(SMALL_DAYS.length);
  });

  test('the statement says what a card gets in a week and in a year, who is left out, and what is noise alone', async () => {
    const { rho } = await json<Certificate>('certificate.json');
    const statement = await text('statement.md');
    for (const words of [
      'Who is protected is a card: that is a person where people have one card each, and use it.',
      'at most 8 taps are counted, one in each time bin of a mode, day and end, and 2 at each location',
      'who changes buses within one time bin loses a tap',
      `In numbers of ρ (zero-concentrated differential privacy) a release is ${rho}, about`,
      'For a card that is used in all 122 releases: ρ is at most',
      'On a schedule that is fixed beforehand ε is at most',
      'Some published rows are noise alone: of the ',
      'σ² of the noise: 4697/25',
    ])
      expect(statement).toContain(words);
    expect(await text('README.md')).toContain('ρ');
    for (const page of ['README.md', 'audit.html', 'differential-privacy.md'])
      expect(await text(page)).toContain('can be expected where nobody was');
    expect(parseRational(rho!).numerator > 0n).toBe(true);
  });

  test('readers without our code compute ρ, noise and interval again', () => {
    const script = new URL('../../examples/readers/recompute.mjs', import.meta.url).pathname;
    const { stdout, status } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    expect({ status, wrong: stdout.split('\n').filter((line) => line.startsWith('NO ')) }).toEqual({
      status: 0,
      wrong: [],
    });
  });

  test('@contract C9 the draw is fitted with σ² in place of b²: the audit, which fits again, has the same rows', async () => {
    const { checks } = await json<AuditReport>('audit.json');
    expect(checks.find(({ id }) => id === 'fitted-total')?.verdict).toBe('pass');
    const key = join(
      release.folder('release'),
      'privatized',
      'small',
      SMALL_WINDOW,
      'v1',
      'bus',
      `${SMALL_WINDOW}.json`,
    );
    const table = privatizedTableSchema.parse(JSON.parse(await readFile(key, 'utf8')));
    const { margins, remainder, ...drawn } = table;
    const certificate = await json<Certificate>('certificate.json');
    const fitted = fitRemainder({ ...drawn, margins: margins! }, marginVariances(certificate));
    expect({ time: remainder!.time, location: remainder!.location }).toEqual(fitted);
  });
});
