import type { AuditCheck } from '../../../contracts/audit.ts';
import { declaredNoise } from '../attacks/declared-noise.ts';
import { equalTruthPairs } from '../attacks/equal-truth-pairs.ts';
import { checkScale } from '../attacks/scale-recovery.ts';
import type { AuditSubject } from '../subject.ts';

/**
 * Scale recovery from the point-to-point services that the series declares. Two versions of a window are no help here:
 * what was corrected between them is a difference of truths. Fails when its p-value is at most `level`.
 */
export const checkKnownScale = ({ certificate, cells, knowledge }: AuditSubject, level: number): AuditCheck =>
  checkScale(declaredNoise(certificate), equalTruthPairs(cells, knowledge.services), level);
