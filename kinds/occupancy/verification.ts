import { canonicalJson } from '../../core/json/canonical.ts';
import { oncePer } from '../../core/memory/kept.ts';
import type { Publication } from '../../services/publication/publication.ts';
import { fileOf } from '../../services/publication/staged-files.ts';
import {
  ensure,
  ensureOneRelease,
  exactCheck,
  type VerificationCheck,
} from '../../services/publication/verification-check.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { OCCUPANCY_FILES } from './files.ts';
import { readPublishedStatuses } from './published-statuses.ts';
import { checkDepartures, checkFormats, checkRideCertificate, type StatusCheck } from './status-checks.ts';

const published = oncePer(({ files }: Publication) => readPublishedStatuses(files));

async function checkParameters(publication: Publication): Promise<string> {
  const { manifest, files } = publication;
  const { privacy } = await published(publication);
  const { parts, timetable } = privacy.domain;
  const release = ensureOneRelease(publication, privacy, parts);
  ensure(
    sha256(fileOf(files, OCCUPANCY_FILES.timetable)) === timetable &&
      canonicalJson(manifest.publicLists) === canonicalJson({ timetable }),
    'The timetable is not the one that manifest and privacy.json name.',
  );
  return `Manifest, privacy parameters, timetable and audit speak of the same release, ${release}.`;
}

const again = (id: string, check: StatusCheck): VerificationCheck =>
  exactCheck(id, async (publication) => check(await published(publication)));

/** What a publication of occupancy is checked for besides what every publication is. */
export const OCCUPANCY_VERIFICATION: readonly VerificationCheck[] = [
  { id: 'parameters', check: checkParameters },
  again('certificate', checkRideCertificate),
  again('departures', checkDepartures),
  again('formats', checkFormats),
];
