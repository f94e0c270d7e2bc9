import { expect, test } from 'vitest';
import { checkCertificate } from '../certificate-check/check-certificate.ts';
import { possibleDesigns } from './designs.ts';

const TRIP = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off', epsilon: '8', delta: '1e-6' } as const;

test('the designs of one trip at ε = 8: each has a certificate that holds, of the same ε and unit', () => {
  const designs = possibleDesigns(TRIP, 4);
  expect(designs.map(({ name }) => name)).toEqual([
    'stability histogram',
    'stability histogram, split by its threshold',
    'stability histogram, split 62 : 7 : 11',
    'complete domain with floors',
    'complete domain with floors, split 62 : 7 : 11',
  ]);
  for (const { certificate } of designs) {
    expect(certificate).toMatchObject({ epsilon: '8', unit: 'trip', d1: 4 });
    expect(checkCertificate(certificate)).toEqual([]);
  }
  expect(designs.map(({ certificate }) => certificate.threshold)).toEqual([9, 9, 11, 6, 7]);
  expect(designs.at(-1)!.certificate).toMatchObject({ hours: { floor: 10, bins: 4 }, deltaUpper: '0' });
});

test('what has no certificate is left out, and an hour of one bin has no hour rows', () => {
  const pure = possibleDesigns({ ...TRIP, delta: '0' }, 1);
  expect(pure.map(({ name }) => name)).toEqual([
    'complete domain with floors',
    'complete domain with floors, split 62 : 7 : 11',
  ]);
  expect(pure.every(({ certificate }) => certificate.hours === undefined)).toBe(true);
});

test('an ε that is none is an error, and not a list without designs', () => {
  expect(() => possibleDesigns({ ...TRIP, epsilon: '0' }, 4)).toThrow(
    expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }),
  );
});
