import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { cellInformation, type Distribution } from '../../../test/oracles/cell-information.ts';
import {
  cellGains,
  columnOf,
  countsOf,
  countsOfCounts,
  entropyOf,
  quantile,
  rowGains,
  type SmallTable,
  sharedInformation,
} from '../../../test/oracles/information-gain.ts';
import vectors from '../../../test/vectors/pif.json' with { type: 'json' };
import { entropy } from './entropy.ts';
import { informationLoss, informationShare } from './utility.ts';

/** Vectors have twenty digits. */
const NEAR = 12;

const ofKind = <T>(kind: string): T[] => vectors.cases.filter((one) => one.kind === kind) as unknown as T[];
const asText = (rows: readonly (readonly unknown[])[]): string[][] => rows.map((row) => row.map(String));

function expectNear(actual: readonly number[], expected: readonly (string | number)[]): void {
  expect(actual).toHaveLength(expected.length);
  for (const [index, value] of expected.entries()) expect(actual[index]!).toBeCloseTo(Number(value), NEAR);
}

type Cig = {
  id: string;
  in: { rows: unknown[][] };
  out: {
    cig: string[][];
    rig: string[];
    fig: string[];
    fig_mean: string[];
    RIG95: string;
    RIG50: string;
    RIGmax: string;
    entropy: string[];
    conditional_entropy_given_rest: string[];
  };
};
type Prior = {
  id: string;
  in: { rows: unknown[][]; column: number; prior: Record<string, string>; accuracy?: string };
  out: { cig_column: string[] };
};
type Utility = {
  id: string;
  in: { rows: unknown[][]; protected: unknown[][] };
  out: {
    mu: string[];
    mu_whole_row: string;
    mi: string[][];
    mmi: string[][];
    mmi_loss: string[][];
    mmi_loss_total: string;
    RIG95_original: string;
    RIG95_protected: string;
  };
};
type Kl = { id: string; in: { posterior: string[]; prior: string[] }; out: { bits: string } };
type Printed = {
  id: string;
  in: { cig: string[][] };
  out: { rig: string[]; fig: string[]; RIG95: string; RIGmax: string };
};

const rig95 = (table: SmallTable): number => quantile(rowGains(cellGains(table)), 0.95);
const distribution = (weights: readonly string[]): Distribution =>
  new Map(weights.map((weight, index) => [String(index), toNumber(parseRational(weight))]));
const positive = (each: Distribution): Distribution => new Map([...each].filter(([, weight]) => weight > 0));

describe('information gain', () => {
  test.each(ofKind<Cig>('cig'))('of cells, rows and columns is that of the vector $id', ({ in: input, out }) => {
    const table = asText(input.rows);
    const gains = cellGains(table);
    const rows = rowGains(gains);
    expectNear(gains.flat(), out.cig.flat());
    expectNear(rows, out.rig);
    const columns = out.fig.map((_, column) => columnOf(gains, column).reduce((sum, bits) => sum + bits, 0));
    expectNear(columns, out.fig);
    expectNear(
      columns.map((bits) => bits / table.length),
      out.fig_mean,
    );
    expectNear(
      [0.95, 0.5, 1].map((level) => quantile(rows, level)),
      [out.RIG95, out.RIG50, out.RIGmax],
    );
    const all = out.fig.map((_, column) => column);
    expectNear(
      all.map((column) => entropyOf(table, [column])),
      out.entropy,
    );
    const rest = all.map(
      (column) =>
        entropyOf(table, all) -
        entropyOf(
          table,
          all.filter((other) => other !== column),
        ),
    );
    expectNear(rest, out.conditional_entropy_given_rest);
  });

  test.each(ofKind<Prior>('cig-given-prior'))('under a prior from elsewhere is that of $id', ({ in: input, out }) => {
    const { rows, column, prior, accuracy } = input;
    const weights = Object.entries(prior).map(([value, weight]) => [value, toNumber(parseRational(weight))] as const);
    const given = {
      column,
      distribution: new Map(weights),
      ...(accuracy !== undefined && { accuracy: toNumber(parseRational(accuracy)) }),
    };
    expectNear(columnOf(cellGains(asText(rows), null, given), column), out.cig_column);
  });

  test.each(ofKind<Kl>('kl'))('of a belief is that of $id', ({ in: { posterior, prior }, out }) => {
    expectNear([cellInformation(positive(distribution(posterior)), distribution(prior))], [out.bits]);
  });

  test.each(ofKind<Printed>('printed-cig-table'))('of a printed table adds up as in $id', ({ in: { cig }, out }) => {
    const gains = cig.map((row) => row.map(Number));
    const rows = rowGains(gains);
    expectNear(rows, out.rig);
    expectNear(
      out.fig.map((_, column) => columnOf(gains, column).reduce((sum, bits) => sum + bits, 0)),
      out.fig,
    );
    expectNear([quantile(rows, 0.95), quantile(rows, 1)], [out.RIG95, out.RIGmax]);
  });

  test('of a column, a row on average, is H(f) − H(f | rest)', () => {
    const cell = fc.constantFrom('a', 'b', 'c');
    const tables = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }),
      );
    fc.assert(
      fc.property(tables, (table) => {
        const gains = cellGains(table);
        const all = [...table[0]!.keys()];
        for (const column of all) {
          const rest =
            entropyOf(table, all) -
            entropyOf(
              table,
              all.filter((other) => other !== column),
            );
          const mean = columnOf(gains, column).reduce((sum, bits) => sum + bits, 0) / table.length;
          expect(mean).toBeCloseTo(entropyOf(table, [column]) - rest, NEAR);
        }
      }),
    );
  });

  test('is refused where the prior leaves a value out', () => {
    expect(() => cellInformation(new Map([['a', 1]]), new Map([['b', 1]]))).toThrow(RangeError);
  });
});

describe('utility', () => {
  test.each(ofKind<Utility>('utility-mmi'))('is that of the vector $id', ({ in: { rows, protected: after }, out }) => {
    const [before, coarse] = [asText(rows), asText(after)];
    const own = sharedInformation(before, before);
    const shared = sharedInformation(before, coarse);
    const loss = informationLoss(own, shared);
    expectNear(own.flat(), out.mi.flat());
    expectNear(shared.flat(), out.mmi.flat());
    expectNear(loss.matrix.flat(), out.mmi_loss.flat());
    expectNear([loss.total], [out.mmi_loss_total]);
    const kept = out.mu.map((_, column) => informationShare(shared[column]![column]!, entropyOf(before, [column]))!);
    expectNear(kept, out.mu);
    const whole = [...before[0]!.keys()];
    expectNear([informationShare(entropyOf(coarse, whole), entropyOf(before, whole))!], [out.mu_whole_row]);
    expectNear([rig95(before), rig95(coarse)], [out.RIG95_original, out.RIG95_protected]);
  });

  test('of a column with one value is not defined', () => expect(informationShare(0, 0)).toBeNull());
});

describe('entropy', () => {
  test('is that of the counts, however they are grouped, and 0 without rows', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 }), (values) => {
        const shares = [...countsOf(values).values()].map((count) => count / values.length);
        const plain = shares.reduce((sum, share) => sum - share * Math.log2(share), 0);
        expect(entropy(countsOfCounts(values))).toBeCloseTo(plain, NEAR);
      }),
    );
    expect(entropy([])).toBe(0);
  });

  test('of n different values is log2 n', () => {
    type Log2 = { in: { printed: string; decimals: number }; out: { n_if_rounded: [number, number] } };
    for (const {
      in: { printed, decimals },
      out,
    } of ofKind<Log2>('printed-log2')) {
      const [from, to] = out.n_if_rounded;
      for (const [rows, same] of [
        [from, true],
        [to, true],
        [from - 1, false],
        [to + 1, false],
      ] as const)
        expect(entropy([[1, rows]]).toFixed(decimals) === printed, `${rows}`).toBe(same);
    }
  });

  test('printed bits of a column that the others tell are probabilities that add up', () => {
    for (const {
      in: { bits },
      out,
    } of ofKind<{ in: { bits: string[] }; out: { sum: string } }>('printed-probabilities'))
      expectNear([bits.reduce((sum, each) => sum + 2 ** -Number(each), 0)], [out.sum]);
  });
});
