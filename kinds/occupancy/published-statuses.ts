import { FILES } from '../../contracts/names.ts';
import { sameRows } from '../../services/publication/parquet-columns.ts';
import { fileOf, formOf, type ReleaseFiles } from '../../services/publication/staged-files.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { type RideCertificate, rideCertificateSchema } from './certified-rides.ts';
import { OCCUPANCY_FILES } from './files.ts';
import { occupancyPrivacySchema } from './privacy-file.ts';
import { parseFeed } from './public/gtfs-realtime.ts';
import { parseStatuses, STATUSES } from './status-table.ts';
import { parseRunTimetable } from './timetable.ts';

/** The certificate of a release. Throws when it is missing or not of its form. */
export const readRideCertificate = (files: ReleaseFiles): RideCertificate =>
  formOf(files, FILES.certificate, rideCertificateSchema);

/** Reads the files of a release. Throws when one is missing or not of its form. */
export function readPublishedStatuses(files: ReleaseFiles) {
  const statuses = fileOf(files, FILES.table(STATUSES.name));
  const parquet = fileOf(files, FILES.table(STATUSES.name, 'parquet'));
  const timetable = fileOf(files, OCCUPANCY_FILES.timetable);
  return {
    csv: parseStatuses(statuses.toString('utf8')),
    /** Has the Parquet file the rows of the CSV file? */
    isSameParquet: sameRows(STATUSES, statuses, parquet) !== null,
    feed: parseFeed(fileOf(files, OCCUPANCY_FILES.feed)),
    timetable: parseRunTimetable(timetable),
    timetableDigest: sha256(timetable),
    privacy: formOf(files, FILES.privacy, occupancyPrivacySchema),
    certificate: readRideCertificate(files),
  };
}

export type PublishedStatuses = ReturnType<typeof readPublishedStatuses>;
