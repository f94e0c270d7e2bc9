import fc from 'fast-check';
import vectors from '../../../test/vectors/occupancy.json' with { type: 'json' };
import type { VehicleModel } from './vehicle-model.ts';

/** A model with categories c0, c1, … */
export const modelOf = (minimumCounts: readonly number[], maximumCount: number): VehicleModel => ({
  categories: minimumCounts.map((_, place) => `c${place}`),
  minimumCounts,
  maximumCount,
});

/** The bus whose profile is printed in the source. */
export const VDL = modelOf([0, 5, 28, 36, 55, 69], 77);

/** Small models, narrow categories and wide ones. */
export const anyModel: fc.Arbitrary<VehicleModel> = fc
  .tuple(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 6 }))
  .map(([widths, last]) => {
    const starts = [0];
    for (const width of widths) starts.push(starts.at(-1)! + width);
    return modelOf(starts, starts.at(-1)! + last);
  });

/** Cases of vectors/occupancy.json by their kind; its README says what they hold. */
type Cases = {
  profile: {
    in: { minimum_counts: number[]; maximum_count: number; eps: string; delta: string };
    out: {
      closed_form: { mean_true: string; mean_loglik: string; worst_true: string };
      optimum_mean_true: string;
      optimum_mean_loglik: string;
      closed_form_is_optimal_for_sum: boolean;
      closed_form_is_optimal_for_log: boolean;
      closed_form_rows: Record<string, string[]>;
    };
  };
  'table-check': {
    in: { table: string[][]; eps: string; delta: string };
    out: {
      max_delta_as_given: string;
      attained: { P: number; Q: number };
      max_delta_rows_normalised: string;
      attained_normalised: { P: number; Q: number };
      satisfies: boolean;
      mean_loglik_normalised?: string;
      worst_true?: string;
    };
  };
  'integer-weights': {
    in: { probabilities: string[]; K: number };
    out: { weights: string[]; samples: [number: string, category: number][] };
  };
  'stops-composition': {
    in: { eps_per_stop: string; delta_per_stop: string; stops: number; delta_total: string };
    out: { eps_optimal: string; eps_basic: string };
  };
};

/** Each case of one kind under its id. */
export function casesOf<Kind extends keyof Cases>(kind: Kind): [id: string, one: Cases[Kind]][] {
  const cases = vectors.cases.filter((one) => one.kind === kind);
  return cases.map((one) => [one.id, one as unknown as Cases[Kind]]);
}
