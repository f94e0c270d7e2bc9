import { describe, expect, test } from 'vitest';
import { NEIGHBOURS, PUBLISHED_TAPS, UNIT_NAMES } from '../../contracts/certificate.ts';
import { BOUNDING_OF } from '../../contracts/certificate-statements.ts';
import { checkCertificate } from '../certificate-check/check-certificate.ts';
import { certify } from './certify.ts';
import { UNITS } from './units.ts';

describe.each(UNIT_NAMES)('@contract C1 %s', (unit) => {
  const maxTaps = UNITS[unit].taps === 'maxTaps' ? { maxTaps: 3 } : {};
  const certificates = NEIGHBOURS.flatMap((neighbours) =>
    PUBLISHED_TAPS.map((publish) =>
      certify({
        mechanism: 'stability-histogram',
        unit,
        ...maxTaps,
        neighbours,
        publish,
        epsilon: '8',
        delta: '1e-6',
        split: {},
      }),
    ),
  );

  test('changes the counts by what the checker makes of it, which reads the contract by itself', () => {
    expect(certificates.flatMap(checkCertificate)).toEqual([]);
  });

  test('broken twin: one tap too few is a problem', () => {
    for (const certificate of certificates)
      expect(checkCertificate({ ...certificate, d1: certificate.d1 - 1 })).not.toEqual([]);
  });

  test('is bounded by k exactly when its taps are chosen', () => {
    expect(UNITS[unit].taps === 'maxTaps').toBe(UNITS[unit].cardScope !== null);
    expect(UNITS[unit].mayMeet).toBe(UNITS[unit].cardScope !== null);
    expect(BOUNDING_OF[unit](7).includes('7')).toBe(UNITS[unit].cardScope !== null);
    expect(UNITS[unit].protects(7).includes('7')).toBe(UNITS[unit].cardScope !== null);
  });
});
