import { tmpdir } from 'node:os';
import type { Publication } from '../../activities/publication/publication.ts';
import { fileOf } from '../../activities/publication/staged-files.ts';
import {
  ensure,
  Mismatch,
  sameNames,
  type VerificationCheck,
} from '../../activities/publication/verification-check.ts';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import { SYNTHETIC_FILES } from './files.ts';
import { type PublishedSynthesis, readPublishedSynthesis } from './published-table.ts';
import {
  checkMeasurements,
  checkSynthesisCertificate,
  checkWeights,
  checkWords,
  type SynthesisFinding,
} from './table-checks.ts';
import { checkParquet } from './table-parquet.ts';

const read = new WeakMap<Publication, PublishedSynthesis>();

function published(publication: Publication): PublishedSynthesis {
  const known = read.get(publication) ?? readPublishedSynthesis(publication.files);
  read.set(publication, known);
  return known;
}

function checkParameters(publication: Publication): string {
  const { manifest, audit } = publication;
  const { privacy } = published(publication);
  const release = releasePath(manifest);
  ensure(privacy.release === release && audit.release === release, 'The files belong to different releases.');
  const holes = manifest.partitions.filter(({ hole }) => hole !== null).map(partitionPath);
  ensure(sameNames(holes, privacy.holes), 'Manifest and privacy.json name different holes.');
  const { parts, days } = privacy.domain;
  const partitions = parts.flatMap((part) => days.map((day) => `${part}/${day}`));
  ensure(sameNames(manifest.partitions.map(partitionPath), partitions), 'The partitions are not parts times days.');
  return `Manifest, privacy parameters and audit speak of the same release, ${release}.`;
}

const again = (
  id: string,
  check: (synthesis: PublishedSynthesis, publication: Publication) => SynthesisFinding | Promise<SynthesisFinding>,
): VerificationCheck => ({
  id,
  check: async (publication) => {
    const { ok, sentence } = await check(published(publication), publication);
    if (!ok) throw new Mismatch(sentence);
    return sentence;
  },
});

/** What a publication of synthetic data is checked for besides what every publication is. */
export const SYNTHETIC_VERIFICATION: readonly VerificationCheck[] = [
  { id: 'parameters', check: checkParameters },
  again('certificate', checkSynthesisCertificate),
  again('rounds', checkMeasurements),
  again('queries', (synthesis, { files }) => checkWords(synthesis, fileOf(files, SYNTHETIC_FILES.measurements))),
  again('weights', checkWeights),
  again('formats', (synthesis) => checkParquet(tmpdir(), synthesis)),
];
