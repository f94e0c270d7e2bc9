import { certificateShape } from '../../../contracts/certificate.ts';
import { wrongUse } from '../../../contracts/errors.ts';
import { FILES } from '../../../contracts/names.ts';
import { type Series, USUAL_KIND } from '../../../contracts/series.ts';
import { possibleDesigns } from '../../../counts/certificate/designs.ts';
import { type EarlierRelease, earlierRelease, expectedUtility } from '../../../counts/readers/expected-utility.ts';
import type { Publication } from '../../../services/publication/publication.ts';
import { binsOfHour } from '../certificate.ts';
import { tapsSeries } from '../series.ts';
import { subjectOf } from '../verification.ts';
import type { ExpectedDesign } from './designs-text.ts';

/**
 * The designs that the guarantee of a series allows, whatever its mechanism, split and floors are. `like`: an earlier
 * publication that verified, by which each is judged; null: by none. Throws USAGE when it does not serve for that.
 *
 * @contract C17
 */
export async function tapsDesigns(series: Series, like: Publication | null): Promise<ExpectedDesign[]> {
  const { privacy, source, bins } = tapsSeries(series);
  const designs = possibleDesigns({ ...privacy, rows: source.rows }, binsOfHour(bins.minutes));
  if (!like) return designs;
  const earlier = await readEarlierRelease(like);
  return designs.map((design) => ({ ...design, expected: expectedUtility(earlier, design.certificate) }));
}

/**
 * An earlier publication of taps, for choosing parameters by it (C17). It has to be one that verified: rows that nobody
 * approved could be a look at the data that nobody charged. Throws USAGE when it is of another kind, or when its rows do
 * not say how many taps there were.
 */
async function readEarlierRelease(publication: Publication): Promise<EarlierRelease> {
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
