import { canonicalJson } from '../../core/json/canonical.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import type { Publication } from '../../services/publication/publication.ts';
import {
  ensure,
  ensureOneRelease,
  exactCheck,
  type VerificationCheck,
} from '../../services/publication/verification-check.ts';
import { readPublishedStatuses } from './published-statuses.ts';
import { STATUS_CHECKS } from './status-checks.ts';

const statusesOf = oncePer(({ files }: Publication) => readPublishedStatuses(files));

function checkParameters(publication: Publication): string {
  const { privacy, timetableDigest } = statusesOf(publication);
  const { parts, timetable } = privacy.domain;
  const release = ensureOneRelease(publication, privacy, parts);
  ensure(
    timetableDigest === timetable && canonicalJson(publication.manifest.publicLists) === canonicalJson({ timetable }),
    'The timetable is not the one that manifest and privacy.json name.',
  );
  return `Manifest, privacy parameters, timetable and audit speak of the same release, ${release}.`;
}

/** What a publication of occupancy is checked for besides what every publication is. */
export const OCCUPANCY_VERIFICATION: readonly VerificationCheck[] = [
  { id: 'parameters', check: checkParameters },
  ...STATUS_CHECKS.map(([id, , check]) => exactCheck(id, (publication) => check(statusesOf(publication)))),
];
