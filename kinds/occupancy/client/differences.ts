import { wrongUse } from '../../../contracts/errors.ts';
import { FILES } from '../../../contracts/names.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { computeOnce } from '../../../core/memory/function-cache.ts';
import type { Publication } from '../../../services/publication/publication.ts';
import { fileOf } from '../../../services/publication/staged-files.ts';
import type { ComparedTable } from '../../client-kind.ts';
import { gapLimits, statusGap } from '../mechanism/changed-statuses.ts';
import { readRideCertificate } from '../published-statuses.ts';
import { NO_DATA, type StatusRow } from '../status.ts';
import { parseStatuses, STATUSES } from '../status-table.ts';

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
  const runs = pairRuns(before, after);
  const chance = errorRate / Math.max(1, runs.flat().length);
  const limitsOf = computeOnce((vehicle: string, departures: number) => {
    const shape = certificate.runs.find((run) => run.vehicle === vehicle && run.departures === departures)!;
    return gapLimits(shape, certificate.vehicles[vehicle]!, chance);
  });
  const pairs = runs.flatMap((run) =>
    run.map((pair, place) => ({ ...pair, limit: limitsOf(pair.before.vehicle, run.length)[place]! })),
  );
  const gapOf = ({ before, after }: Pair): number => {
    const model = certificate.vehicles[before.vehicle]!;
    const [one, two] = [before, after].map(({ status }) => model.categories.indexOf(status));
    return statusGap(model, one!, two!);
  };
  const changes = pairs
    .filter((pair) => gapOf(pair) > pair.limit)
    .map(({ before, after }) => ({ key: keyOf(before), earlier: before.status, later: after.status }));
  const most = pairs.length === 0 ? null : Math.max(...new Set(pairs.map(({ limit }) => limit)));
  return [{ table: 'statuses', unit: 'passengers', compared: pairs.length, allowed: most, changed: changes }];
}

const keyOf = ({ part, day, run, sequence, stop, departure }: StatusRow): string =>
  [part, day, run, sequence, stop, departure].join(' ');

/** A departure in both publications. */
type Pair = { before: StatusRow; after: StatusRow };

/** The departures of each run with data in both, in their order. */
function pairRuns(before: readonly StatusRow[], after: readonly StatusRow[]): Pair[][] {
  const pairs = before.map((row, index): Pair => ({ before: row, after: after[index]! }));
  const runs = Map.groupBy(pairs, ({ before: { part, day, run } }) => JSON.stringify([part, day, run]));
  const hasData = ({ before, after }: Pair): boolean => before.status !== NO_DATA && after.status !== NO_DATA;
  return [...runs.values()].filter((run) => run.every(hasData));
}
