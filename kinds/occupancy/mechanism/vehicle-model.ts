/**
 * What is known of a kind of vehicle: names of the categories of occupancy in order, from which passenger count each
 * begins (the first from 0, ascending), and the largest count, which is at least the last beginning.
 */
export type VehicleModel = {
  readonly categories: readonly string[];
  readonly minimumCounts: readonly number[];
  readonly maximumCount: number;
};

/** The model whose categories begin at these passenger counts, named in any order. */
export function vehicleModel(beginnings: Readonly<Record<string, number>>, maximumCount: number): VehicleModel {
  const entries = Object.entries(beginnings).sort(([, a], [, b]) => a - b);
  return {
    categories: entries.map(([name]) => name),
    minimumCounts: entries.map(([, minimum]) => minimum),
    maximumCount,
  };
}

/** Place of the category of a passenger count from 0 on: the last one that begins at most there. */
export const trueCategory = ({ minimumCounts }: VehicleModel, passengers: number): number =>
  minimumCounts.findLastIndex((minimum) => minimum <= passengers);

/** Every passenger count of the model, from 0 to the largest. */
export const passengerCounts = ({ maximumCount }: VehicleModel): number[] =>
  Array.from({ length: maximumCount + 1 }, (_, passengers) => passengers);

/** The count within 0 and the model's largest that is nearest: neighbouring counts stay neighbours or become equal. */
export const clampCount = ({ maximumCount }: VehicleModel, passengers: number): number =>
  Math.min(Math.max(passengers, 0), maximumCount);
