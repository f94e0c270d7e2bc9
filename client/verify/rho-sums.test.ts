import { expect, test } from 'vitest';
import { epsilonOfRho } from '../../core/accounting/epsilon-of-rho.ts';
import { formatRational, multiply, parseRational, rational } from '../../core/rational/rational.ts';
import { certify } from '../../counts/certificate/certify.ts';
import { type CertifiedLoss, sumInWords } from './rho-sums.ts';

const WEEK = certify({
  mechanism: 'discrete-gaussian',
  unit: 'card-window',
  maxTaps: 8,
  place: 2,
  neighbours: 'add-remove',
  publish: 'on',
  epsilon: '1',
  delta: '1e-6',
  split: { cells: '4/5', time: '1/5' },
  floor: 60,
});
const PURE: CertifiedLoss = { mechanism: 'complete-domain', epsilon: '1/2', neighbours: 'replace-one' };

const charged = (certificate: CertifiedLoss, rho: string, neighbours = certificate.neighbours) => ({
  charge: { release: 'small/2026-03-02/v1', neighbours, rhos: [rho, rho], delta: '1/1000000' },
  certificate,
});

test('@contract C12 a year of weeks adds up to what the ledger says, by other arithmetic', () => {
  const words = sumInWords(Array.from({ length: 53 }, () => charged(WEEK, WEEK.rho!)));
  const [, sum, epsilon] = /ρ adds up to ([\d.]+), and so ε is at most ([\d.]+) at/.exec(words)!;
  const rho = multiply(rational(53n), parseRational(WEEK.rho!));
  expect(Number(sum)).toBeCloseTo(Number(rho.numerator) / Number(rho.denominator), 5);
  expect(Number(epsilon) / Number(epsilonOfRho(rho, parseRational('1e-6')))).toBeCloseTo(1, 2);
});

test('@contract C12 of Laplace noise ε²/2 is charged, and more where the population replaces units', () => {
  expect(sumInWords([charged(PURE, '1/8')])).toContain('ρ adds up to 0.125000');
  expect(sumInWords([charged(PURE, '1/32', 'add-remove')])).toContain('ρ adds up to 0.0312500');
  const twice = formatRational(multiply(rational(2n), parseRational(WEEK.rho!)));
  expect(() => sumInWords([charged(WEEK, twice, 'replace-one')])).not.toThrow();
});

test.each([
  ['half of its ρ', WEEK, formatRational(multiply(rational(1n, 2n), parseRational(WEEK.rho!)))],
  ['the ε of pure noise in place of its ρ', PURE, '1/2'],
])('a release that is charged %s is found', (_, certificate, rho) => {
  expect(() => sumInWords([charged(WEEK, WEEK.rho!), charged(certificate, rho)])).toThrow('does not say');
});

test('a histogram has no ρ', () => {
  expect(() => sumInWords([charged({ ...PURE, mechanism: 'stability-histogram' }, '1/8')])).toThrow('has none');
});
