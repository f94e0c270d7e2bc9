import { withCorrection } from '../../../contracts/certificate-statements.ts';
import { FILES } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { publishNotBefore } from '../../../services/calendar/time-zone.ts';
import { writeForms } from '../../../services/publication/table-parquet.ts';
import type { PublicContext, PublicKind, StagedFile } from '../../../services/release/public-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { readDictionary } from '../../../services/stores/series-objects.ts';
import { OCCUPANCY_FILES, type StatusTable } from '../files.ts';
import { certifyRides } from '../mechanism/ride-certificate.ts';
import { occupancyPrivacyFile } from '../privacy-file.ts';
import { type OccupancySeries, occupancySeries, ridePrivacy, vehicleModels } from '../series.ts';
import { STATUSES, statusColumns } from '../status-table.ts';
import { formatFeed } from './gtfs-realtime.ts';
import { readStatuses } from './status-rows.ts';

/**
 * Statuses as CSV, Parquet and GTFS-Realtime, the timetable, the privacy parameters, and the certificate of what was
 * drawn with. Throws CERTIFICATE_IMPOSSIBLE when that does not keep what the series promises.
 */
export const deriveOccupancy: PublicKind['derive'] = async (context, input, document) => {
  const series = occupancySeries(document);
  const { rows, privacy, certificate } = await occupancyRelease(context, input, series);
  return {
    statuses: [
      ...(await writeForms(context.scratch, STATUSES, statusColumns(rows))),
      [OCCUPANCY_FILES.feed, formatFeed(rows, windowEnd(series, input.window))],
    ],
    timetable: [[OCCUPANCY_FILES.timetable, await readDictionary(context.releaseStore, series.timetable)]],
    privacy: [[FILES.privacy, jsonBytes(privacy)]],
    certificate: [[FILES.certificate, jsonBytes(certificate)]],
  } satisfies Record<StatusTable, StagedFile[]>;
};

/** What a release says: its statuses in order, its public parameters, and its certificate. Throws as deriveOccupancy. */
export async function occupancyRelease(context: PublicContext, input: DeriveInput, series: OccupancySeries) {
  const { rows, mechanisms } = await readStatuses(context, input, series);
  const certificate = certifyRides(ridePrivacy(series), vehicleModels(series), mechanisms);
  const privacy = occupancyPrivacyFile(series, input);
  return { rows, privacy, certificate: withCorrection(certificate, input.correction) };
}

/** Seconds since 1970 at the end of the last day of a window. */
function windowEnd(series: OccupancySeries, window: string): number {
  const at = { daysAfterWindow: 0, time: series.day.ends };
  const moment = publishNotBefore({ ...series, publication: { ...series.publication, at } }, window);
  return Date.parse(moment!) / 1000;
}
