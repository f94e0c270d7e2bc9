import { auditRelease } from '../../../counts/audit/audit-release.ts';
import type { KindAttacks } from '../../client-kind.ts';
import { certificateOf } from '../certificate.ts';
import { parseTimetable } from '../public/audit-subject/timetable.ts';
import { tapsSeries } from '../series.ts';
import { subjectOf } from '../verification.ts';

/** Attacks on publications of taps, and on counts of anybody, which are of the same kinds of tables. */
export const TAPS_ATTACKS: KindAttacks = {
  declared: (series, lists) => {
    const taps = tapsSeries(series);
    const timetable = lists.find(({ digest }) => digest === taps.audit?.timetable);
    return {
      certificate: certificateOf(taps),
      services: taps.audit?.equalTruth ?? [],
      timetable: timetable ? parseTimetable(timetable.bytes) : [],
    };
  },
  checks: async (publication, knowledge) => {
    const subject = await subjectOf(publication);
    return auditRelease({ ...subject, knowledge: { ...subject.knowledge, ...knowledge } }).checks;
  },
};
