import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Neighbours } from '../../../contracts/certificate.ts';
import { add, compare, multiply, parseRational, rational } from '../../../core/rational/rational.ts';
import type { SyntheticCertificate } from '../certified-rows.ts';
import { type CertifiedSynthesis, certifySynthetic } from './synthetic-certificate.ts';
import { syntheticProblems } from './synthetic-check.ts';
import { epsilonUnder } from './synthetic-privacy.ts';

const asked = (neighbours: Neighbours, change: Partial<CertifiedSynthesis> = {}): CertifiedSynthesis => ({
  unit: 'trip',
  neighbours,
  epsilon: parseRational('3'),
  partitions: 7,
  rounds: 10,
  rowsShare: neighbours === 'add-remove' ? parseRational('1/2') : null,
  chosenOn: undefined,
  ...change,
});

describe('C10: the certificate of synthetic data', () => {
  test('spreads ε over the number of rows, choices and measurements', () => {
    expect(certifySynthetic(asked('add-remove'))).toMatchObject({
      epsilon: '3',
      partition: { epsilon: '3' },
      rows: { epsilon: '1/2', scale: '2' },
      selection: { epsilon: '1/8' },
      measurement: { epsilon: '1/8', scale: '8' },
    });
    expect(certifySynthetic(asked('replace-one'))).toMatchObject({
      epsilon: '3',
      partition: { epsilon: '3/2' },
      rows: null,
      selection: { epsilon: '3/40' },
      measurement: { epsilon: '3/40', scale: '40/3' },
    });
    expect(certifySynthetic(asked('replace-one', { partitions: 1 })).partition).toEqual({ epsilon: '3' });
  });

  test('what the steps lose adds up, of whatever is asked', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Neighbours>('replace-one', 'add-remove'),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 80 }),
        (neighbours, partitions, rounds, tenths) => {
          const one = asked(neighbours, {
            partitions,
            rounds,
            epsilon: rational(BigInt(tenths), 10n),
            rowsShare: null,
          });
          const share = neighbours === 'add-remove' ? rational(BigInt(tenths), 30n) : null;
          const certificate = certifySynthetic({ ...one, rowsShare: share });
          const each = add(
            parseRational(certificate.selection.epsilon),
            parseRational(certificate.measurement.epsilon),
          );
          const spent = add(multiply(each, rational(BigInt(rounds))), share ?? rational(0n));
          const twice = neighbours === 'replace-one' && partitions > 1 ? 2n : 1n;
          expect(compare(multiply(spent, rational(twice)), one.epsilon)).toBe(0);
        },
      ),
    );
  });

  test('of another relation, ε is that of what was drawn', () => {
    expect(epsilonUnder(asked('replace-one'), 'add-remove')).toEqual(parseRational('3/2'));
    expect(epsilonUnder(asked('add-remove'), 'replace-one')).toEqual(parseRational('6'));
    expect(epsilonUnder(asked('add-remove', { partitions: 1 }), 'replace-one')).toEqual(parseRational('3'));
  });

  test('C17: says what parameters were chosen on', () => {
    const sentence = 'Parameters were chosen with uncharged access to data of two weeks of 2016.';
    const certificate = certifySynthetic(asked('replace-one', { chosenOn: 'two weeks of 2016' }));
    expect(certificate.assumptions).toContain(sentence);
    expect(certifySynthetic(asked('replace-one')).assumptions).not.toContain(sentence);
  });

  test.each<[string, Partial<CertifiedSynthesis>]>([
    ['a share of all that there is', { rowsShare: parseRational('3') }],
    ['a share beyond it', { rowsShare: parseRational('7/2') }],
    ['a share of nothing', { rowsShare: parseRational('0') }],
    ['noise that nobody can draw', { epsilon: parseRational('1/100000') }],
    ['too many rounds', { rounds: 201 }],
    ['no partitions', { partitions: 0 }],
  ])('%s is refused', (_, change) => {
    const neighbours = change.rowsShare ? 'add-remove' : 'replace-one';
    expect(() => certifySynthetic(asked(neighbours, change))).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }),
    );
  });

  const good = certifySynthetic(asked('add-remove'));
  const chosen = certifySynthetic(asked('replace-one', { chosenOn: 'two weeks of 2016' }));
  test.each<[string, SyntheticCertificate]>([
    ['less ε than is spent', { ...good, epsilon: '2' }],
    ['less ε of a partition', { ...good, partition: { epsilon: '2' } }],
    ['one round less than is spent', { ...good, rounds: 9 }],
    ['choices for nothing', { ...good, selection: { epsilon: '0' } }],
    ['less noise', { ...good, measurement: { ...good.measurement, scale: '7' } }],
    ['less noise of the rows', { ...good, rows: { epsilon: '1/2', scale: '1' } }],
    ['rows that come and go for nothing', { ...good, rows: null }],
    ['a row in one partition alone', { ...chosen, epsilon: chosen.partition.epsilon }],
    ['one partition', { ...chosen, partitions: 1 }],
    ['other neighbours', { ...good, neighbours: 'replace-one' }],
    ['a choice hushed up', { ...chosen, chosenOn: undefined } as unknown as SyntheticCertificate],
    ['a choice for nothing', { ...good, chosenOn: 'data of 2016' }],
    ['a choice denied', { ...chosen, assumptions: [...chosen.assumptions, ...good.assumptions] }],
  ])('broken twin: %s is found', (_, certificate) => {
    expect(syntheticProblems(certificate)).not.toEqual([]);
  });

  test('nothing is found in what is right', () => {
    expect(syntheticProblems(good)).toEqual([]);
    expect(syntheticProblems(chosen)).toEqual([]);
  });
});
