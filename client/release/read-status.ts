import { z } from 'zod';
import { VERDICTS } from '../../contracts/audit-report.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { type ReleaseReference, releasePath, STAGES } from '../../contracts/names.ts';
import { RELEASE_STATES } from '../../contracts/release-state.ts';
import { PARTITION_STATES, type ReleaseStatus } from '../../contracts/stages.ts';

const moment = z.iso.datetime().nullable();
const failure = { code: z.string(), message: z.string() };

/** What people are shown of a status; other members are of later builds. */
const statusSchema = z.looseObject({
  series: z.string(),
  window: z.iso.date(),
  version: z.int(),
  state: z.enum(RELEASE_STATES),
  stage: z.enum(STAGES),
  partitions: z.array(z.looseObject({ part: z.string(), day: z.iso.date(), state: z.enum(PARTITION_STATES) })),
  charge: z.string().nullable(),
  verdict: z.enum(VERDICTS).nullable(),
  attention: z.array(z.string()),
  required: z.number(),
  elsewhere: z.number(),
  coolingHours: z.number(),
  decisions: z.array(z.looseObject({ subject: z.string(), decision: z.string(), reason: z.string() })),
  expiresAt: moment,
  publishNotBefore: moment,
  coolingUntil: moment,
  location: z.string().nullable(),
  stall: z.looseObject({ ...failure, activity: z.string(), attempts: z.number(), since: z.iso.datetime() }).nullish(),
  ending: z.looseObject(failure).nullish(),
});

/** The status of a release. Anyone who can start workflows can forge one: RELEASE_UNKNOWN for other answers. */
export function readStatus(release: ReleaseReference, answer: ReleaseStatus): ReleaseStatus {
  const { data } = statusSchema.safeParse(answer);
  if (data && releasePath(data) === releasePath(release)) return answer;
  throw new OpalineError(
    'RELEASE_UNKNOWN',
    `What Temporal holds as ${releasePath(release)} is no release of Opaline: somebody else started it.`,
  );
}
