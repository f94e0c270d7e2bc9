import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import type { AuditReport } from '../../contracts/audit-report.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { parseRational } from '../../core/rational/rational.ts';
import { marginVariances } from '../../counts/mechanisms/mechanisms.ts';
import { fitRemainder } from '../../counts/mechanisms/remainder.ts';
import { privatizedTableSchema } from '../../kinds/taps/privatized-table.ts';
import { KIND_VERIFICATION } from '../../kinds/verification.ts';
import { newFolder } from '../support/new-folder.ts';
import type { ReleaseBench } from '../support/release-bench.ts';
import { SMALL_DAYS, SMALL_WINDOW } from '../support/small-series.ts';
import { TEST_CHAIN } from '../support/trust-files.ts';
import { people, publishedWindow } from './people.fixture.ts';

let release: ReleaseBench;
let folder: string;
let report: Awaited<ReturnType<typeof verifyPublication>>;
const json = async <T>(name: string): Promise<T> => JSON.parse(await readFile(join(folder, name), 'utf8'));
const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

beforeAll(async () => {
  release = await publishedWindow(newFolder(), await people(), SMALL_DAYS);
  const { series, window } = release.run();
  folder = join(release.folder('publication'), series, window, 'v1');
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
