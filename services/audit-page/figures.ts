import type { AuditReport } from '../../contracts/audit.ts';
import type { AuditFigure } from '../pages/drawing.ts';
import { typicalCountFigure } from './figures/counts.ts';
import { differencesFigure } from './figures/differences.ts';
import { suppressedCellFigure } from './figures/missing.ts';
import { accumulationFigure, presenceFigure } from './figures/people.ts';
import { scaleFigure } from './figures/scale.ts';
import type { AuditPageSubject } from './subject.ts';

/**
 * The figures of the audit page. They follow from what is known of the noise and from the report alone; what a
 * publication does not have (missing cells where every cell is published), or nobody knows, has no figure.
 */
export function auditFigures({ checks }: AuditReport, subject: AuditPageSubject): AuditFigure[] {
  const found = (id: string) => checks.find((check) => check.id === id) ?? null;
  return [
    presenceFigure(subject.drawn),
    accumulationFigure(subject, found('accumulation')),
    differencesFigure(subject.differences),
    suppressedCellFigure(subject),
    typicalCountFigure(subject.drawn),
    scaleFigure(subject, found('scale')),
  ].filter((figure) => figure !== null);
}
