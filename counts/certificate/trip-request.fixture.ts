import type { CertificateRequest } from './certify.ts';

/** What most tests certify: counts of trips at ε = 8 and δ = 1/1,000,000, all of ε for the cells. */
export const TRIP_REQUEST: CertificateRequest = {
  mechanism: 'stability-histogram',
  unit: 'trip',
  neighbours: 'replace-one',
  publish: 'on+off',
  epsilon: '8',
  delta: '1/1000000',
  split: {},
};
