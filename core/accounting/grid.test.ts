import { describe, expect, test } from 'vitest';
import { parseRational, rational } from '../rational/rational.ts';
import { commonStep } from './grid.ts';

describe('common step', () => {
  test('is the largest number that goes into all', () => {
    const parts = ['9/5', '3/40', '1/8'].map(parseRational);
    expect(commonStep(parts, rational(8n), 400)).toEqual(rational(1n, 40n));
  });
  test('is a part of ε when that would be too many steps', () => {
    const parts = ['1.8001', '1/8'].map(parseRational);
    expect(commonStep(parts, rational(8n), 400)).toEqual(rational(1n, 50n));
  });
});
