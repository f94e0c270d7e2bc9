import fc from 'fast-check';
import type { Certificate } from '../../contracts/certificate.ts';
import { type CertificateRequest, certify } from './certify.ts';

const shares = fc.constantFrom<Partial<CertificateRequest['split']>[]>(
  ...[{}, { time: '1/10' }, { location: '1/5' }, { time: '2/25', location: '3/25' }, { time: '1/8', location: '1/4' }],
);

/** Designs for people, of a few taps: those of many take seconds each. */
export const gaussianRequests: fc.Arbitrary<CertificateRequest> = fc
  .record({
    unit: fc.constantFrom('card-day', 'card-window'),
    maxTaps: fc.integer({ min: 1, max: 8 }),
    place: fc.constantFrom(1, 2),
    neighbours: fc.constantFrom('replace-one', 'add-remove'),
    publish: fc.constantFrom('on', 'on+off'),
    epsilon: fc.constantFrom('1', '3/2', '2', '4', '8', '20'),
    delta: fc.constantFrom('1e-3', '1e-6', '1e-8', '1/7'),
    split: shares,
    clamp: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  } as const)
  .map(({ clamp, split, ...request }) => ({
    ...request,
    mechanism: 'discrete-gaussian' as const,
    clamp,
    split: { ...split, ...(clamp !== undefined && { bounded: '1/20' }) },
  }));

/** The certificate of a design; where its lattice of losses is too large the example is skipped. */
export function certifyOrSkip(request: CertificateRequest): Certificate {
  try {
    return certify(request);
  } catch (error) {
    fc.pre(!(error instanceof Error && error.message.startsWith('The privacy losses have')));
    throw error;
  }
}
