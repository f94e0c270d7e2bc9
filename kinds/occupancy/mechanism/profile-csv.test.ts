import { describe, expect, test } from 'vitest';
import { OpalineError } from '../../../contracts/errors.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { closedForm } from './closed-form.ts';
import { weightProbabilities } from './exact-delta.ts';
import { checkProfile, weighTable } from './profile-check.ts';
import { formatProfile, parseProfile } from './profile-csv.ts';
import { VDL } from './vehicle-models.fixture.ts';
import { WEIGHT_BITS, weightsOf } from './weights.ts';

const weights = weightsOf(closedForm(VDL, { epsilon: 1, delta: 1e-5 }));

describe('the CSV of a profile', () => {
  const text = formatProfile(['EMPTY', 'a,"b"', 'c', 'd', 'e', 'FULL'], weights);

  test('holds the weights exactly, as text, as floating point, and as what is drawn from', () => {
    const { categories, table } = parseProfile(text);
    expect(categories).toEqual(['EMPTY', 'a,"b"', 'c', 'd', 'e', 'FULL']);
    expect(table).toEqual(weightProbabilities(weights, WEIGHT_BITS));
    const floats = text.split('\r\n')[2]!.split(',').map(Number);
    expect(floats.slice(1)).toEqual(table[1]!.map(toNumber));
    const unit = 1n << BigInt(53 - WEIGHT_BITS);
    expect(weighTable(table)).toEqual(weights.map((row) => row.map((weight) => weight * unit)));
  });

  test('is read with either line end, and a whole probability is 1', () => {
    expect(parseProfile(text.replaceAll('\r\n', '\n')).table).toEqual(parseProfile(text).table);
    expect(formatProfile(['a', 'b'], [[1n << 40n, 0n]])).toBe('passenger_count,a,b\r\n0,1,0\r\n');
    expect(parseProfile('passenger_count,a,b\n0,2.5e-1,0.75').table[0]!.map(toNumber)).toEqual([0.25, 0.75]);
  });

  test.each([
    ['', 'line 1: the header'],
    ['passengers,a,b\n0,1,0\n', 'line 1: the header'],
    ['passenger_count,a\n0,1\n', 'line 1: the header'],
    ['passenger_count,a,a\n0,1,0\n', 'line 1: the header'],
    ['passenger_count,a,b\n', 'line 2: there is no row'],
    ['passenger_count,a,b\n0,1\n', 'line 2: a row has 3 fields'],
    ['passenger_count,a,b\n0,1,0\n0,1,0\n', 'line 3: the passenger_count must be 1'],
    ['passenger_count,a,b\n0,1,much\n', 'line 2: b must be a probability'],
    ['passenger_count,a,b\n0,2,-1\n', 'line 2: b must be a probability'],
    ['passenger_count,a,b\n0,0.5,0.4\n', 'line 2: the probabilities must add up'],
    ['passenger_count,a,b\n0,0,0\n', 'line 2: the probabilities must add up'],
  ])('%j is refused with its line', (bad, sentence) => {
    expect(() => parseProfile(bad)).toThrow(OpalineError);
    expect(() => parseProfile(bad)).toThrow(sentence);
  });
});

describe('the check of anyone’s profile', () => {
  const third = parseProfile('passenger_count,a,b\n0,1/3,2/3\n1,0.3333334,0.6666667\n').table;

  test('says how far rows are from 1, and looks at what is written, at shares, and at what is drawn', () => {
    const check = checkProfile(third, parseRational('0'), parseRational('1e-6'), 1);
    expect(toNumber(check.largestSumError)).toBeCloseTo(1e-7, 12);
    expect(toNumber(check.given.whole) - toNumber(check.given.factor)).toBeCloseTo(1 / 3e7 + 2e-7 / 3, 9);
    expect([check.given.row, check.given.neighbour]).toEqual([1, 0]);
    expect(check.holds).toBe(true);
  });

  test('does not hold when any of the three does not', () => {
    expect(checkProfile(third, parseRational('0'), parseRational('3e-8'), 1).holds).toBe(false);
    const identity = parseProfile('passenger_count,a,b\n0,1,0\n1,0,1\n').table;
    expect(checkProfile(identity, parseRational('1'), parseRational('1e-5'), 1).holds).toBe(false);
  });

  test('finds the weights of thirds a unit apart where nothing may be lost', () => {
    const equal = parseProfile('passenger_count,a,b\n0,1/3,2/3\n1,1/3,2/3\n').table;
    expect(checkProfile(equal, parseRational('0'), parseRational('0'), 1)).toMatchObject({ holds: true });
  });
});
