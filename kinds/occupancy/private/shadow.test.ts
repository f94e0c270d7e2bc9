import { describe, expect, test } from 'vitest';
import type { PrivateKind } from '../../../custodian/private-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { readSeries } from '../../../services/stores/series-objects.ts';
import type { Binned } from '../../../test/support/day-release.ts';
import { madeUpWorld } from '../../../test/support/made-up-world.ts';
import { certifyRides } from '../mechanism/ride-certificate.ts';
import { noiseProblems, shadowPValue } from '../mechanism/shadow-check.ts';
import type { OccupancyTable } from '../occupancy-table.ts';
import { mechanismsOf } from '../run-mechanisms.ts';
import { type OccupancySeries, occupancySeries, ridePrivacy, vehicleModels } from '../series.ts';
import { ABOARD, binSmall, NO_EVENTS, STOPS_PRIVACY, TREE_PRIVACY } from '../small-occupancy.fixture.ts';
import { privateOccupancy } from './private-kind.ts';
import { shadowOfOccupancy } from './shadow.ts';

type Subject = { run: Binned; series: OccupancySeries };

async function subjectOf(change: { columns?: string; privacy: string }): Promise<Subject> {
  const run = await binSmall(NO_EVENTS, change);
  return { run, series: occupancySeries(await readSeries(run.context.releaseStore, run.run)) };
}

/** A kind that changes what is drawn before it is stored. */
const changing =
  (change: (table: OccupancyTable) => OccupancyTable): PrivateKind['counts'] =>
  async (context, input, series) => {
    const honest = await privateOccupancy.counts(context, input, series);
    const draw = async () => jsonBytes(change(JSON.parse((await honest.draw()).toString('utf8'))));
    return { ...honest, draw };
  };

async function judged({ run, series }: Subject, counts: PrivateKind['counts']) {
  const kinds = { occupancy: { ...privateOccupancy, counts } };
  const { runs } = await shadowOfOccupancy(madeUpWorld({ ...run.context, kinds }, series), series);
  const certificate = certifyRides(ridePrivacy(series), vehicleModels(series), await mechanismsOf(series));
  return { pValue: shadowPValue(runs, certificate.vehicles), problems: noiseProblems(runs, certificate) };
}

describe('C15: the shadow run of occupancy', () => {
  test.each([
    ['tree', { privacy: TREE_PRIVACY }],
    ['each-stop, from the doors', { privacy: STOPS_PRIVACY }],
    ['each-stop, from passengers aboard', { privacy: STOPS_PRIVACY, columns: ABOARD }],
  ])('%s: made-up runs go the way of real ones, and have the certified chances', async (_, change) => {
    const { pValue, problems } = await judged(await subjectOf(change), privateOccupancy.counts);
    expect(pValue).toBeGreaterThan(1e-4);
    expect(problems).toEqual([]);
  });

  test('broken twin: what is done to statuses between the draw and the store is caught', async () => {
    const subject = await subjectOf({ privacy: TREE_PRIVACY });
    const mended = changing((table) => ({
      ...table,
      runs: table.runs.map(({ run, statuses }) => ({ run, statuses: statuses.map(() => statuses.toSorted()[0]!) })),
    }));
    expect((await judged(subject, mended)).pValue).toBeLessThan(1e-6);
  });
});
