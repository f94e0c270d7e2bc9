import { certificateShape } from '../../../contracts/certificate.ts';
import { wrongUse } from '../../../contracts/errors.ts';
import { FILES } from '../../../contracts/names.ts';
import { USUAL_KIND } from '../../../contracts/series.ts';
import { type EarlierRelease, earlierRelease } from '../../../counts/readers/expected-utility.ts';
import type { Publication } from '../../../services/publication/publication.ts';
import { subjectOf } from '../verification.ts';

/**
 * An earlier publication of taps, for choosing parameters by it (C17). It has to be one that verified: rows that nobody
 * approved could be a look at the data that nobody charged. Throws USAGE when it is of another kind, or when its rows do
 * not say how many taps there were.
 *
 * @contract C17
 */
export async function readEarlierRelease(publication: Publication): Promise<EarlierRelease> {
  if (publication.manifest.kind !== USUAL_KIND)
    throw wrongUse('The earlier release holds no taps; name the folder of one that does.');
  const { cells, hours, remainder } = await subjectOf(publication);
  const earlier = earlierRelease(
    { cells, hours, remainder },
    certificateShape.parse(publication.json(FILES.certificate)),
  );
  if (earlier) return earlier;
  throw wrongUse(
    'The earlier release has no remainder rows, so that nobody can say how many taps there were; name another one.',
  );
}
