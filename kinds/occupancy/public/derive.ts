import { correctionStatements } from '../../../contracts/certificate-statements.ts';
import { FILES } from '../../../contracts/names.ts';
import type { Correction, DeriveInput } from '../../../contracts/stages.ts';
import { publishNotBefore } from '../../../services/calendar/time-zone.ts';
import { writeForms } from '../../../services/publication/table-parquet.ts';
import type { PublicContext, StagedFile } from '../../../services/release/public-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { readDictionary } from '../../../services/stores/series-objects.ts';
import type { RideCertificate } from '../certified-rides.ts';
import { OCCUPANCY_FILES, type StatusTable } from '../files.ts';
import { certifyRides } from '../mechanism/ride-certificate.ts';
import type { RunMechanism } from '../mechanism/ride-mechanism.ts';
import { occupancyPrivacyFile } from '../privacy-file.ts';
import { type OccupancySeries, ridePrivacy, vehicleModels } from '../series.ts';
import { STATUSES, statusColumns } from '../status-table.ts';
import { formatFeed } from './gtfs-realtime.ts';
import { drawnStatuses } from './status-rows.ts';

/**
 * Statuses as CSV, Parquet and GTFS-Realtime, the timetable, the privacy parameters, and the certificate of what was
 * drawn with. Throws CERTIFICATE_IMPOSSIBLE when that does not keep what the series promises.
 */
export async function deriveOccupancy(
  context: PublicContext,
  input: DeriveInput,
  series: OccupancySeries,
): Promise<Record<StatusTable, StagedFile[]>> {
  const { rows, mechanisms } = await drawnStatuses(context, input, series);
  return {
    statuses: [
      ...(await writeForms(context.scratch, STATUSES, statusColumns(rows))),
      [OCCUPANCY_FILES.feed, formatFeed(rows, windowEnd(series, input.window))],
    ],
    timetable: [[OCCUPANCY_FILES.timetable, await readDictionary(context.releaseStore, series.timetable)]],
    privacy: [[FILES.privacy, jsonBytes(occupancyPrivacyFile(series, input, input.holes))]],
    certificate: [[FILES.certificate, jsonBytes(rideCertificate(series, mechanisms, input.correction))]],
  };
}

/** Seconds since 1970 at the end of the last day of a window. */
function windowEnd(series: OccupancySeries, window: string): number {
  const at = { daysAfterWindow: 0, time: series.day.ends };
  const moment = publishNotBefore({ ...series, publication: { ...series.publication, at } }, window);
  return Date.parse(moment!) / 1000;
}

/**
 * The certificate of a release. One that corrects an earlier version says so among its assumptions (C13).
 *
 * @contract C13
 */
export function rideCertificate(
  series: Pick<OccupancySeries, 'privacy' | 'source' | 'vehicles'>,
  mechanisms: readonly RunMechanism[],
  correction: Correction | null,
): RideCertificate {
  const certificate = certifyRides(ridePrivacy(series), vehicleModels(series), mechanisms);
  return { ...certificate, assumptions: [...certificate.assumptions, ...correctionStatements(correction)] };
}
