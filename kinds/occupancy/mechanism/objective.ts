import { passengerCounts, trueCategory, type VehicleModel } from './vehicle-model.ts';

/** What an optimal profile is best at, averaged over all passenger counts of the model, each with the same weight. */
export type Objective =
  /** Natural logarithm of the probability of the true category: as large as can be. */
  | { readonly kind: 'log-likelihood' }
  /** Probability of the true category: as large as can be. */
  | { readonly kind: 'probability' }
  /**
   * Expected cost of being d categories off, costs[d], with costs[0] = 0 and one cost per category: as small as can be.
   */
  | { readonly kind: 'distance'; readonly costs: readonly number[] };

/** P[category | passengers], a row for each passenger count from 0, a column for each category; rows add up to 1. */
export type ProbabilityTable = readonly (readonly number[])[];

/** What a profile is worth; floating point, for people to compare, and no part of any guarantee. */
export function profileValue(model: VehicleModel, table: ProbabilityTable) {
  const counts = passengerCounts(model);
  const right = counts.map((passengers) => table[passengers]![trueCategory(model, passengers)]!);
  const distances = counts.map((passengers) => {
    const category = trueCategory(model, passengers);
    return sum(table[passengers]!.map((probability, other) => probability * Math.abs(other - category)));
  });
  const worst = Math.min(...right);
  return {
    meanTrueProbability: mean(right),
    meanLogLikelihood: mean(right.map(Math.log)),
    /** Mean distance between the published and the true category, in categories. */
    meanDistance: mean(distances),
    /** Smallest probability of the true category, and the smallest passenger count that has it. */
    worstTrueProbability: worst,
    worstPassengers: right.indexOf(worst),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const mean = (values: readonly number[]): number => sum(values) / values.length;
