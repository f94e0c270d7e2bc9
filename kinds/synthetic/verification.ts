import { oncePer } from '../../core/memory/function-cache.ts';
import type { Publication } from '../../services/publication/publication.ts';
import { ensureOneRelease, exactCheck, type VerificationCheck } from '../../services/publication/verification-check.ts';
import { readPublishedSynthesis } from './published-synthesis.ts';
import { SYNTHESIS_CHECKS } from './table-checks.ts';

const synthesisOf = oncePer(({ files }: Publication) => readPublishedSynthesis(files));

function checkParameters(publication: Publication): string {
  const { privacy } = synthesisOf(publication);
  const release = ensureOneRelease(publication, privacy, privacy.domain.parts);
  return `Manifest, privacy parameters and audit speak of the same release, ${release}.`;
}

/** What a publication of synthetic data is checked for besides what every publication is. */
export const SYNTHETIC_VERIFICATION: readonly VerificationCheck[] = [
  { id: 'parameters', check: checkParameters },
  ...SYNTHESIS_CHECKS.map(([id, , check]) => exactCheck(id, (publication) => check(synthesisOf(publication)))),
];
