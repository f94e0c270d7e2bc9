import type { AuditCheck } from '../../../contracts/audit.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import { declaredNoise } from '../attacks/declared-noise.ts';
import { equalTruthPairs, versionPairs } from '../attacks/equal-truth-pairs.ts';
import { checkReuse } from '../attacks/reuse.ts';
import type { AuditSubject } from '../subject.ts';

/**
 * Reuse of noise between the ends of a service, between this version and each earlier one, and between this release and
 * each sibling under the same noise. Partitions that are declared to be the same draw are left out; a truth that differs
 * makes equal counts rarer, never more frequent. Each list of pairs is a test of its own, and the p-value is that of all
 * of them together. Nothing is claimed of siblings under another noise: the law of their pairs is another one.
 */
export function checkKnownReuse({ certificate, cells, knowledge }: AuditSubject, level: number): AuditCheck {
  const lists = [
    equalTruthPairs(cells, knowledge.services),
    ...knowledge.earlier.map((version) => versionPairs(version.cells, cells, version.sameDraw)),
    ...knowledge.siblings
      .filter((sibling) => isSameNoise(sibling.certificate, certificate))
      .map((sibling) => versionPairs(sibling.cells, cells, NOTHING_SHARED)),
  ];
  const noise = declaredNoise(certificate);
  const tried = lists.map((pairs) => ({ pairs, pValue: checkReuse(noise, pairs, 0).pValue }));
  const pValue = bonferroni(tried.map((list) => list.pValue ?? 1));
  const [first, ...others] = tried.filter((list) => list.pValue !== null);
  if (!first) return checkReuse(noise, lists[0]!, level);
  const worst = others.reduce((least, list) => (list.pValue! < least.pValue! ? list : least), first);
  // By the p-value of all together: a part of the level for each would be rounded where the level is that p-value.
  return { ...checkReuse(noise, worst.pairs, pValue > level ? 0 : 1), pValue };
}

/** Two series never share a draw. */
const NOTHING_SHARED: ReadonlySet<string> = new Set();

const isSameNoise = (a: Certificate, b: Certificate): boolean =>
  a.mechanism === b.mechanism && a.scale === b.scale && a.threshold === b.threshold;
