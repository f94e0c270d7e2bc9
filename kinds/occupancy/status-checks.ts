import { canonicalJson } from '../../core/json/canonical.ts';
import { type ExactFinding, judge } from '../../core/verdict/exact-finding.ts';
import type { PublicationCheck } from '../file-audit.ts';
import { rideProblems } from './mechanism/ride-check.ts';
import type { PublishedStatuses } from './published-statuses.ts';
import { NO_DATA, type StatusRow } from './status.ts';
import { byDeparture, departureRows } from './status-table.ts';

/** What is right or wrong with the statuses of a release. */
type StatusCheck = (statuses: PublishedStatuses) => ExactFinding;

/** The certificate is computed again, from its own numbers, and is that of the parameters and of every run. */
const checkRideCertificate: StatusCheck = ({ certificate, privacy, csv }) => {
  const { unit, mechanism, neighbours, epsilon, delta } = certificate;
  const same = canonicalJson({ unit, mechanism, neighbours, epsilon, delta }) === canonicalJson(privacy.parameters);
  const shapes = new Set(certificate.runs.map(({ vehicle, departures }) => `${vehicle} ${departures}`));
  const runs = Map.groupBy(
    csv.filter(({ status }) => status !== NO_DATA),
    ({ day, run }) => `${day} ${run}`,
  );
  const isIncomplete = [...runs.values()].some((rows) => !shapes.has(`${rows[0]!.vehicle} ${rows.length}`));
  const problem = same
    ? isIncomplete
      ? 'There are runs of a vehicle and length that the certificate does not have.'
      : (rideProblems(certificate)[0] ?? null)
    : 'Certificate and privacy.json have different parameters.';
  return judge(
    problem,
    `The certificate holds: one ride loses at most ε = ${epsilon} and δ = ${delta} in all statuses together.`,
  );
};

/** Each scheduled departure once and in order, with a status of its vehicle; NO_DATA_AVAILABLE in holes alone. */
const checkDepartures: StatusCheck = ({ csv, privacy: { domain, holes }, timetable, certificate }) => {
  const schedule = domain.days
    .flatMap((day) => domain.parts.flatMap((part) => departureRows(timetable, { part, day }, () => NO_DATA)))
    .sort(byDeparture);
  const key = ({ status: _, ...departure }: StatusRow): string => canonicalJson(departure);
  const isComplete = schedule.length === csv.length && schedule.every((row, place) => key(row) === key(csv[place]!));
  const hole = new Set(holes);
  const wrong = csv.find(({ part, day, vehicle, status }) =>
    hole.has(`${part}/${day}`)
      ? status !== NO_DATA
      : !(certificate.vehicles[vehicle]?.categories.includes(status) ?? false),
  );
  const problem = isComplete
    ? wrong && `Run ${wrong.run} on ${wrong.day} has a status that its vehicle, or its hole, cannot have.`
    : 'The rows are not the scheduled departures, each once and in order.';
  return judge(problem ?? null, `All ${csv.length} scheduled departures have one status each, in order.`);
};

/** CSV, Parquet and GTFS-Realtime say the same: another draw in one of them would be a second view. */
const checkFormats: StatusCheck = ({ csv, isSameParquet, feed }) => {
  const statuses = csv.map(({ day, run, sequence, stop, status }) => ({ day, run, sequence, stop, status }));
  const byRun = Map.groupBy(statuses, ({ day, run }) => `${day}/${run}`);
  const problem = !isSameParquet
    ? 'The Parquet file has other rows than the CSV file.'
    : canonicalJson([...byRun.values()].flat()) !== canonicalJson(feed)
      ? 'The GTFS-Realtime file has other statuses than the CSV file.'
      : null;
  return judge(problem, `CSV, Parquet and GTFS-Realtime have the same ${csv.length} statuses.`);
};

/** The checks of a release of occupancy by its files alone, in the order of the report. */
export const STATUS_CHECKS: readonly PublicationCheck<PublishedStatuses>[] = [
  ['certificate', 'Compute the certificate again, from what was drawn with.', checkRideCertificate],
  ['departures', 'Look for departures without a status, and for statuses without a departure.', checkDepartures],
  ['formats', 'Compare the statuses of the three formats.', checkFormats],
];
