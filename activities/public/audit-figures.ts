import type { AuditReport } from '../../contracts/audit.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { typicalCountFigure } from './audit-figures-counts.ts';
import type { Drawing } from './audit-figures-drawing.ts';
import { suppressedCellFigure } from './audit-figures-missing.ts';
import { accumulationFigure, presenceFigure } from './audit-figures-people.ts';
import { scaleFigure } from './audit-figures-scale.ts';

/** One thing that an attacker, or a reader, can learn, with a figure of it and the numbers behind the figure. */
export type AuditFigure = {
  heading: string;
  /** What it comes to, in a sentence or two. */
  sentence: string;
  drawing: Drawing;
  table: { caption: string; headings: string[]; rows: (string | number)[][] };
};

/**
 * The figures of the audit page. They follow from the certificate and the report alone; what a mechanism does not have
 * (missing cells where every cell is published) has no figure.
 */
export function auditFigures({ checks }: AuditReport, certificate: Certificate): AuditFigure[] {
  const found = (id: string) => checks.find((check) => check.id === id) ?? null;
  return [
    presenceFigure(certificate),
    accumulationFigure(certificate, found('accumulation')),
    suppressedCellFigure(certificate),
    typicalCountFigure(certificate),
    scaleFigure(found('scale')),
  ].filter((figure) => figure !== null);
}
