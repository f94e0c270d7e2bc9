import { FILES } from '../../contracts/names.ts';
import { sameRows } from '../../services/publication/parquet-columns.ts';
import { fileOf, type ReleaseFiles } from '../../services/publication/staged-files.ts';
import { type RideCertificate, rideCertificateSchema } from './certified-rides.ts';
import { OCCUPANCY_FILES } from './files.ts';
import { type OccupancyPrivacyFile, occupancyPrivacySchema } from './privacy-file.ts';
import { type FeedDeparture, parseFeed } from './public/gtfs-realtime.ts';
import type { StatusRow } from './status.ts';
import { parseStatuses, STATUSES } from './status-table.ts';
import { parseRunTimetable, type RunTimetable } from './timetable.ts';

/** The files of a release of occupancy, read. */
export type PublishedStatuses = {
  csv: StatusRow[];
  /** Has the Parquet file the rows of the CSV file? */
  isSameParquet: boolean;
  feed: FeedDeparture[];
  timetable: RunTimetable;
  privacy: OccupancyPrivacyFile;
  certificate: RideCertificate;
};

/** The certificate of a release. Throws when it is missing or not of its form. */
export const readRideCertificate = (files: ReleaseFiles): RideCertificate =>
  rideCertificateSchema.parse(JSON.parse(fileOf(files, OCCUPANCY_FILES.certificate).toString('utf8')));

/** Reads the files of a release. Throws when one is missing or not of its form. */
export async function readPublishedStatuses(files: ReleaseFiles): Promise<PublishedStatuses> {
  const json = (name: string): unknown => JSON.parse(fileOf(files, name).toString('utf8'));
  const [statuses, parquet] = [
    fileOf(files, FILES.table(STATUSES.name)),
    fileOf(files, FILES.table(STATUSES.name, 'parquet')),
  ];
  return {
    csv: parseStatuses(statuses.toString('utf8')),
    isSameParquet: (await sameRows(STATUSES, statuses, parquet)) !== null,
    feed: parseFeed(fileOf(files, OCCUPANCY_FILES.feed)),
    timetable: parseRunTimetable(fileOf(files, OCCUPANCY_FILES.timetable)),
    privacy: occupancyPrivacySchema.parse(json(OCCUPANCY_FILES.privacy)),
    certificate: readRideCertificate(files),
  };
}
