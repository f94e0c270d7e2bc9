import { oncePer } from '../../core/memory/kept.ts';
import type { ExactFinding } from '../../core/verdict/exact-finding.ts';
import type { Publication } from '../../services/publication/publication.ts';
import { ensureOneRelease, exactCheck, type VerificationCheck } from '../../services/publication/verification-check.ts';
import { type PublishedSynthesis, readPublishedSynthesis } from './published-table.ts';
import {
  checkMeasurements,
  checkParquet,
  checkSynthesisCertificate,
  checkWeights,
  checkWords,
} from './table-checks.ts';

const published = oncePer(({ files }: Publication) => readPublishedSynthesis(files));

function checkParameters(publication: Publication): string {
  const { privacy } = published(publication);
  const release = ensureOneRelease(publication, privacy, privacy.domain.parts);
  return `Manifest, privacy parameters and audit speak of the same release, ${release}.`;
}

const again = (
  id: string,
  check: (synthesis: PublishedSynthesis, publication: Publication) => ExactFinding | Promise<ExactFinding>,
): VerificationCheck => exactCheck(id, (publication) => check(published(publication), publication));

/** What a publication of synthetic data is checked for besides what every publication is. */
export const SYNTHETIC_VERIFICATION: readonly VerificationCheck[] = [
  { id: 'parameters', check: checkParameters },
  again('certificate', checkSynthesisCertificate),
  again('rounds', checkMeasurements),
  again('queries', checkWords),
  again('weights', checkWeights),
  again('formats', checkParquet),
];
