import { Publication } from '../activities/publication/publication.ts';
import { certificateShape } from '../contracts/certificate-shape.ts';
import { OpalineError } from '../contracts/errors.ts';
import { FILES } from '../contracts/names.ts';
import { USUAL_KIND } from '../contracts/series.ts';
import { type EarlierRelease, earlierRelease } from '../core/readers/expected-utility.ts';
import { subjectOf } from '../kinds/taps/verification.ts';
import { readFolder } from './verify/folder-files.ts';
import { verifyPublication } from './verify/verify-publication.ts';

/**
 * An earlier publication of taps in a folder, for choosing parameters by it (C17). It has to verify: rows that nobody
 * approved could be a look at the data that nobody charged. Throws USAGE when there is no such folder, when it is of
 * another kind, or when its rows do not say how many taps there were, and VERIFICATION_FAILED.
 *
 * @contract C17
 */
export async function readEarlierRelease(folder: string): Promise<EarlierRelease> {
  const { verified } = await verifyPublication(folder);
  if (!verified)
    throw new OpalineError(
      'VERIFICATION_FAILED',
      'The earlier release does not verify; look at it with opaline verify.',
    );
  const publication = new Publication(await readFolder(folder));
  if (publication.manifest.kind !== USUAL_KIND)
    throw new OpalineError('USAGE', 'The earlier release holds no taps; name the folder of one that does.');
  const { cells, hours, remainder } = await subjectOf(publication);
  const earlier = earlierRelease(
    { cells, hours, remainder },
    certificateShape.parse(publication.json(FILES.certificate)),
  );
  if (earlier) return earlier;
  throw new OpalineError(
    'USAGE',
    'The earlier release has no remainder rows, so that nobody can say how many taps there were; name another one.',
  );
}
