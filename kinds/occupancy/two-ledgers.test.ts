import { expect, test } from 'vitest';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { policySchema } from '../../contracts/formats/policy.ts';
import { overCap } from '../../core/ledger/budget.ts';
import { epsilonIn } from '../../core/ledger/entries.fixture.ts';
import { checkCertificate } from '../../counts/certificate-check/check-certificate.ts';
import { chargeOf } from '../../services/ledger/charge.ts';
import { releaseCertificate } from '../taps/public/release-certificate.ts';
import { tapsSeries } from '../taps/series.ts';
import { RIDE_ASSUMPTIONS } from './mechanism/ride-certificate.ts';
import { occupancyKind } from './series-kind.ts';

const example = (name: string) => loadSeriesFile(`examples/${name}.yaml`);

test('C12: the same people may have a ledger of taps and one of rides; both certificates say that losses add', async () => {
  const [taps, rides] = [(await example('demo')).series, (await example('occupancy')).series];
  expect([taps.population, taps.privacy.unit]).toEqual(['demo-riders', 'trip']);
  expect([rides.population, rides.privacy.unit]).toEqual(['demo-rides', 'ride']);
  const certificate = releaseCertificate(tapsSeries(taps), null);
  for (const assumptions of [certificate.assumptions, RIDE_ASSUMPTIONS])
    expect(assumptions.filter((sentence) => sentence.startsWith('Losses add up'))).toHaveLength(1);
  expect(checkCertificate(certificate)).toEqual([]);
});

test('C12: a policy can name the unit and the mechanisms of rides for a population of its own', () => {
  const amounts = { epsilon: '8', delta: '0' };
  const population = {
    sources: ['occupancy'],
    unit: 'ride',
    neighbours: 'replace-one',
    mechanisms: ['tree', 'each-stop'],
    release: amounts,
    caps: { block: amounts, year: amounts },
    lateDays: 30,
  };
  const pem =
    '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAiLf5ZsoJuc7uxyk/T97j4e2F3WIyfyLwU2W+5bNFthY=\n-----END PUBLIC KEY-----\n';
  const policy = {
    format: 'opaline-policy/2',
    number: 1,
    keys: [{ name: 'custodian', key: pem, may: ['series'] }],
    populations: { 'demo-rides': population },
  };
  expect(policySchema.parse(policy).populations['demo-rides']).toMatchObject({ unit: 'ride' });
});

test('C12: every scheduled part and day is reserved, whatever happens on it, and blocks are those of parts', async () => {
  const { series } = await example('occupancy');
  const partitions = ['line-23', 'line-54'].map((part) => ({ part, day: '2026-03-02' }));
  const charge = chargeOf(occupancyKind, series, ['2026-03-02'], partitions, null);
  expect(charge.blocks.map((block) => `${block.part} ${epsilonIn(block)}`)).toEqual(['line-23 8', 'line-54 8']);
  expect(overCap([], charge)).toBeNull();
});

test('C12: a population that counts by the other relation is charged what was drawn, certified anew', async () => {
  const { series } = await example('occupancy');
  const cost = (drawn: string, relation: string) =>
    occupancyKind.cost({ ...series, privacy: { ...series.privacy, neighbours: drawn } }, relation);
  expect(cost('replace-one', 'replace-one')).toEqual({ epsilon: '8', delta: '0', rho: null });
  expect(cost('replace-one', 'add-remove')).toEqual({ epsilon: '4', delta: '0', rho: null });
  expect(cost('add-remove', 'replace-one')).toEqual({ epsilon: '16', delta: '0', rho: null });
  expect(() => cost('add-remove', 'swap')).toThrow(expect.objectContaining({ code: 'POLICY_REFUSED' }));
});
