import { formatRational, multiply, parseRational, rational } from '../../../core/rational/rational.ts';
import { certifiedNoise, drawTableWith } from '../../support/draw-rows.ts';
import { CERTIFICATE, COUNTS, DOMAIN, THRESHOLD } from '../honest-release.fixture.ts';
import { knowing, type Mutant, redrawn } from './mutant.fixture.ts';

const HALF_SCALE = formatRational(multiply(parseRational(CERTIFICATE.scale), rational(1n, 2n)));

/** What is promised, and what the ledger was charged for. */
export const CERTIFICATE_MUTANTS: Mutant[] = [
  {
    check: 'certificate',
    name: 'a certificate for another ε than that of the series',
    subject: (subject) => ({ ...subject, parameters: { ...subject.parameters, epsilon: '3' } }),
  },
  {
    check: 'certificate',
    name: 'a certificate for another δ than that of the series',
    subject: (subject) => ({ ...subject, parameters: { ...subject.parameters, delta: '1/1000' } }),
  },
  {
    check: 'certificate',
    name: 'a scale for a unit with half as many taps',
    draw: (random) => (partition) => {
      const certificate = { ...CERTIFICATE, scale: HALF_SCALE };
      return drawTableWith(certifiedNoise(certificate, random), partition, COUNTS, DOMAIN, certificate);
    },
    subject: (subject) => ({ ...subject, certificate: { ...subject.certificate, scale: HALF_SCALE } }),
  },
  {
    check: 'presence',
    name: 'a δ that does not cover one person',
    subject: (subject) => ({ ...subject, certificate: { ...subject.certificate, deltaUpper: '1e-9' } }),
  },
  {
    check: 'presence',
    name: 'a threshold in the certificate that is one too low',
    subject: (subject) => ({ ...subject, certificate: { ...subject.certificate, threshold: THRESHOLD - 1 } }),
  },
  {
    check: 'accumulation',
    name: 'a ledger that is over its cap',
    subject: (subject) => knowing({ ledger: { ...subject.knowledge.ledger!, chances: 400 } })(subject),
  },
  {
    check: 'dependence',
    name: 'a second draw under one charge',
    subject: (subject) =>
      knowing({
        ledger: {
          ...subject.knowledge.ledger!,
          charges: { get: () => 1 },
        },
      })(subject),
  },
  {
    check: 'dependence',
    name: 'draws that nobody was charged for',
    subject: (subject) => knowing({ ledger: { ...subject.knowledge.ledger!, charges: new Map() } })(subject),
  },
  {
    check: 'threshold',
    name: 'a cell just under the threshold',
    draw: redrawn(({ cells }) => ({
      cells: cells.map((cell, index) => (index === 0 ? [cell[0], cell[1], cell[2], THRESHOLD - 1] : cell)),
    })),
  },
];
