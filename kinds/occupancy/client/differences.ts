import { wrongUse } from '../../../contracts/errors.ts';
import { FILES } from '../../../contracts/names.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import type { Publication } from '../../../services/publication/publication.ts';
import { fileOf } from '../../../services/publication/staged-files.ts';
import type { ComparedTable } from '../../client-kind.ts';
import { gapLimits, statusGap } from '../mechanism/changed-statuses.ts';
import { readRideCertificate } from '../published-statuses.ts';
import { NO_DATA, type StatusRow } from '../status.ts';
import { parseStatuses, STATUSES } from '../status-table.ts';

/** A departure that both publications have data of, with its place in its run. */
type Compared = { before: StatusRow; after: StatusRow; place: number; departures: number };

/**
 * Departures whose statuses differ between two publications of occupancy by more than noise explains. Those without data
 * in one of the two are not compared. Throws USAGE when the two have other timetables, vehicles or noise.
 */
export function occupancyDifferences(earlier: Publication, later: Publication, errorRate: number): ComparedTable[] {
  const statusesOf = ({ files }: Publication): StatusRow[] =>
    parseStatuses(fileOf(files, FILES.table(STATUSES.name)).toString('utf8'));
  const [certificate, other] = [readRideCertificate(earlier.files), readRideCertificate(later.files)];
  const [before, after] = [statusesOf(earlier), statusesOf(later)];
  const drawnAlike =
    canonicalJson([certificate.runs, certificate.vehicles]) === canonicalJson([other.runs, other.vehicles]);
  const sameRows = before.length === after.length && before.every((row, place) => keyOf(row) === keyOf(after[place]!));
  if (!drawnAlike || !sameRows)
    throw wrongUse('The two have other timetables, vehicles or noise: their statuses say nothing of each other.');
  const pairs = pairDepartures(before, after);
  const chance = errorRate / Math.max(1, pairs.length);
  const limits = new Map(
    certificate.runs.map((run) => [shapeOf(run), gapLimits(run, certificate.vehicles[run.vehicle]!, chance)]),
  );
  const limitOf = ({ before: { vehicle }, place, departures }: Compared): number =>
    limits.get(shapeOf({ vehicle, departures }))![place]!;
  const gapOf = ({ before, after }: Compared): number => {
    const model = certificate.vehicles[before.vehicle]!;
    const [one, two] = [before, after].map(({ status }) => model.categories.indexOf(status));
    return statusGap(model, one!, two!);
  };
  const changes = pairs
    .filter((departure) => gapOf(departure) > limitOf(departure))
    .map(({ before, after }) => ({ key: keyOf(before), earlier: before.status, later: after.status }));
  const limit = pairs.length === 0 ? null : Math.max(...new Set(pairs.map(limitOf)));
  return [{ table: 'statuses', unit: 'passengers', compared: pairs.length, allowed: limit, changed: changes }];
}

const shapeOf = ({ vehicle, departures }: { vehicle: string; departures: number }): string =>
  JSON.stringify([vehicle, departures]);

const keyOf = ({ part, day, run, sequence, stop, departure }: StatusRow): string =>
  [part, day, run, sequence, stop, departure].join(' ');

/** Departures of runs with data in both, in their order. */
function pairDepartures(before: readonly StatusRow[], after: readonly StatusRow[]): Compared[] {
  const pairs = before.map((row, index) => ({ before: row, after: after[index]! }));
  const runs = Map.groupBy(pairs, ({ before: { part, day, run } }) => JSON.stringify([part, day, run]));
  return [...runs.values()].flatMap((run) =>
    run.some((pair) => pair.before.status === NO_DATA || pair.after.status === NO_DATA)
      ? []
      : run.map((pair, place) => ({ ...pair, place, departures: run.length })),
  );
}
