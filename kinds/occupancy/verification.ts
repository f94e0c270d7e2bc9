import { tmpdir } from 'node:os';
import type { Publication } from '../../activities/publication/publication.ts';
import { fileOf } from '../../activities/publication/staged-files.ts';
import {
  ensure,
  Mismatch,
  sameNames,
  type VerificationCheck,
} from '../../activities/publication/verification-check.ts';
import { sha256 } from '../../activities/stores/json-objects.ts';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { OCCUPANCY_FILES } from './files.ts';
import { type PublishedStatuses, readPublishedStatuses } from './published-statuses.ts';
import { checkDepartures, checkFormats, checkRideCertificate, type StatusCheck } from './status-checks.ts';

const read = new WeakMap<Publication, Promise<PublishedStatuses>>();

function published(publication: Publication): Promise<PublishedStatuses> {
  const known = read.get(publication) ?? readPublishedStatuses(tmpdir(), publication.files);
  read.set(publication, known);
  return known;
}

async function checkParameters(publication: Publication): Promise<string> {
  const { manifest, audit, files } = publication;
  const { privacy } = await published(publication);
  const release = releasePath(manifest);
  ensure(privacy.release === release && audit.release === release, 'The files belong to different releases.');
  const holes = manifest.partitions.filter(({ hole }) => hole !== null).map(partitionPath);
  ensure(sameNames(holes, privacy.holes), 'Manifest and privacy.json name different holes.');
  const { parts, days, timetable } = privacy.domain;
  const partitions = parts.flatMap((part) => days.map((day) => `${part}/${day}`));
  ensure(sameNames(manifest.partitions.map(partitionPath), partitions), 'The partitions are not parts times days.');
  ensure(
    sha256(fileOf(files, OCCUPANCY_FILES.timetable)) === timetable &&
      canonicalJson(manifest.publicLists) === canonicalJson({ timetable }),
    'The timetable is not the one that manifest and privacy.json name.',
  );
  return `Manifest, privacy parameters, timetable and audit speak of the same release, ${release}.`;
}

const again = (id: string, check: StatusCheck): VerificationCheck => ({
  id,
  check: async (publication) => {
    const { ok, sentence } = check(await published(publication));
    if (!ok) throw new Mismatch(sentence);
    return sentence;
  },
});

/** What a publication of occupancy is checked for besides what every publication is. */
export const OCCUPANCY_VERIFICATION: readonly VerificationCheck[] = [
  { id: 'parameters', check: checkParameters },
  again('certificate', checkRideCertificate),
  again('departures', checkDepartures),
  again('formats', checkFormats),
];
