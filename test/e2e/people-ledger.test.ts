import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { updatePages } from '../../activities/public/update-pages.ts';
import { seriesAt } from '../../client/verify/place.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { verifySeries } from '../../client/verify/verify-series.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { epsilonOfRho } from '../../core/accounting/epsilon-of-rho.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { burnDown } from '../../core/ledger/burn-down.ts';
import { upperText } from '../../core/rational/amount-text.ts';
import {
  formatRational,
  multiply,
  parseRational,
  type Rational,
  rational,
  toNumber,
} from '../../core/rational/rational.ts';
import { walkLedger } from '../../services/ledger/ledger.ts';
import { newFolder } from '../support/new-folder.ts';
import type { ReleaseBench } from '../support/release-bench.ts';
import { SMALL_DAYS } from '../support/small-series.ts';
import { ordered, testPolicy } from '../support/test-custody.ts';
import { widePopulation } from '../support/test-trust.ts';
import { TEST_CHAIN } from '../support/trust-files.ts';
import { people, publishedWindow } from './people.fixture.ts';

/** Two weeks of people in a population that counts ρ, as the custodian's policy says. */
const CAPS = { block: { rho: '3/50' }, year: { rho: '8/5' } };
const DELTA = '1/1000000';
const policy = testPolicy({
  populations: {
    'demo-people': widePopulation(['trips'], {
      unit: 'card-window',
      neighbours: 'add-remove',
      mechanisms: ['discrete-gaussian'],
      accounting: 'rho',
      release: { epsilon: '1', delta: DELTA, rho: '3/50' },
      caps: CAPS,
    }),
  },
});
const inRho = (yaml: string): string =>
  yaml.replace(/ {4}block: .*\n {4}year: .*\n/, '    block: { rho: 3/50 }\n    year: { rho: 8/5 }\n');

let release: ReleaseBench;
let certificate: Certificate;
beforeAll(async () => {
  const [root, series] = [newFolder(), await people(inRho)];
  for (const days of [SMALL_DAYS, SMALL_DAYS.map((day) => addDays(day, 7))])
    release = await publishedWindow(root, series, days, { policy });
  await updatePages(release.contexts().public, release.run());
  const { series: name, window } = release.run();
  const path = join(release.folder('publication'), name, window, 'v1', 'certificate.json');
  certificate = JSON.parse(await readFile(path, 'utf8'));
}, 600_000);

const times = (count: number, rho: string): Rational => multiply(rational(BigInt(count)), parseRational(rho));
const ledger = () => walkLedger(release.store('release'), 'demo-people');

test('@contract C12 each week charges the ρ of its certificate to every day, and the ledger adds them up', async () => {
  const { accounting, charges } = burnDown((await ledger()).entries);
  expect(accounting).toBe('rho');
  expect(charges).toHaveLength(2);
  for (const [before, charge] of charges.entries()) {
    const sum = times(before + 1, certificate.rho!);
    expect(charge).toMatchObject({
      rho: certificate.rho,
      year: { rho: formatRational(sum), at: { epsilon: epsilonOfRho(sum, parseRational(DELTA)), delta: DELTA } },
    });
  }
});

test('@contract C12 the folder of the series verifies, and `charges` says what the ledger does by other arithmetic', async () => {
  const knowledge = { trust: TEST_CHAIN, seen: null, today: '2026-04-01' };
  const folder = join(release.folder('publication'), 'small');
  const { verified, checks } = await verifySeries((await seriesAt(folder))!, knowledge);
  expect({ verified, wrong: checks.filter(({ ok }) => !ok) }).toEqual({ verified: true, wrong: [] });
  const { sentence } = checks.find(({ id }) => id === 'charges')!;
  const [, releases, rho, epsilon] = /^(\d+) releases .* ρ adds up to ([\d.]+), and so ε is at most ([\d.]+) at/.exec(
    sentence,
  )!;
  const sum = times(2, certificate.rho!);
  expect(Number(releases)).toBe(2);
  expect(Number(rho)).toBeCloseTo(toNumber(sum), 6);
  const ofLedger = Number(epsilonOfRho(sum, parseRational(DELTA)));
  expect(Number(epsilon) - ofLedger).toBeGreaterThan(-0.001);
  expect(Number(epsilon) - ofLedger).toBeLessThan(0.011);
});

test('@contract C12 the release itself names the caps in ρ that it was charged under, and ε beside them', async () => {
  const folder = release.folder('publication');
  const at = join(folder, 'small', release.window, 'v1');
  const statement = await readFile(join(at, 'statement.md'), 'utf8');
  const beside = (rho: string) => upperText(parseRational(epsilonOfRho(parseRational(rho), parseRational(DELTA))!));
  for (const [cap, where] of [
    ['3/50', 'one block, for ever'],
    ['8/5', 'one unit over any 365 consecutive days of data'],
  ] as const)
    expect(statement).toContain(`ρ = ${cap}, at most ε = ${beside(cap)} at δ = ${DELTA}, for ${where}`);
  const { verified, checks } = await verifyPublication(at, TEST_CHAIN);
  expect({ verified, wrong: checks.filter(({ ok }) => !ok) }).toEqual({ verified: true, wrong: [] });
});

test('@contract C12 C13 a correction of one partition charges the whole ρ to every day, up to the cap of a block and no further', async () => {
  const { private: own } = release.contexts();
  const partitions = [release.partitions[0]!];
  const correction = { reason: 'object-late' as const, partitions };
  const correct = async (version: number) => {
    const run = release.run(version);
    await ordered(release.store('release'), run, { ...correction, of: version - 1 });
    return createPrivateActivities(own).reserve({ ...run, partitions, correction: { ...correction, of: version - 1 } });
  };
  const others = (await ledger()).entries.length;
  await correct(2);
  const charge = burnDown((await ledger()).entries).charges.at(-1)!;
  expect(charge).toMatchObject({ rho: certificate.rho, blocks: SMALL_DAYS.length });
  expect(charge.year).toMatchObject({ rho: formatRational(times(3, certificate.rho!)) });
  await expect(correct(3)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED', message: expect.stringContaining('3/50') });
  expect((await ledger()).entries.slice(others).map(({ kind }) => kind)).toEqual(['reserve', 'refuse']);
});
