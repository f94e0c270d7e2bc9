import { describe, expect, test } from 'vitest';
import { MECHANISM_NAMES } from '../../contracts/certificate.ts';
import { tapsFileSchema } from '../../kinds/taps/series.ts';
import { certifiedNoise } from '../../test/support/draw-rows.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { certify } from '../certificate/certify.ts';
import { MECHANISMS } from './mechanisms.ts';

const certificateOf = (mechanism: (typeof MECHANISM_NAMES)[number]) =>
  certify({
    mechanism,
    ...(MECHANISMS[mechanism].shares === 'of ρ' ? { unit: 'card-day', maxTaps: 4, place: 2 } : { unit: 'trip' }),
    neighbours: 'replace-one',
    publish: 'on+off',
    epsilon: '8',
    delta: MECHANISMS[mechanism].delta === 'zero' ? '0' : '1e-6',
    split: {},
  });

describe.each(MECHANISM_NAMES)('@contract C8 %s', (mechanism) => {
  const { threshold, whyNotReleased, drawnNoise, publishedNoise } = MECHANISMS[mechanism];

  test('stands in a series file only when releases are drawn by it', () => {
    const file = tapsFileSchema.shape.privacy.shape.mechanism.safeParse(mechanism);
    expect(file.success).toBe(whyNotReleased === null);
  });

  test('has noise that can be drawn unless it is real', () => {
    const certificate = certificateOf(mechanism);
    const draw = () => certifiedNoise(certificate, seededSource(1)).cell('on', '08:00', 'Central');
    if (drawnNoise !== 'real-laplace') expect(Number.isInteger(draw())).toBe(true);
    else expect(draw).toThrow(expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }));
    if (whyNotReleased === null) expect(publishedNoise).toBe(drawnNoise);
  });

  test('has a threshold in its certificate unless every cell is published', () => {
    expect(certificateOf(mechanism).threshold === null).toBe(threshold === 'floor');
  });
});
