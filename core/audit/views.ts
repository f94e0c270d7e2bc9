import type { AuditCheck } from '../../contracts/audit.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { parsePartitionPath } from '../../contracts/names.ts';
import { declaredNoise } from './attacks/declared-noise.ts';
import { checkDependence } from './attacks/dependence.ts';
import { drawsOf } from './attacks/table-totals.ts';
import { noiseVariance } from './statistics/noise-law.ts';
import type { AuditSubject } from './subject.ts';

/** Views of one count: how often its partition was drawn, and whether both ends of a service show it. */
type Views = { published: number; counted: number };

/**
 * Views of one count: each draw of its partition is one, or two where a service shows it at both of its ends. The ledger
 * counts a draw for each charge of the block, and a unit that has both taps of a trip counts both ends.
 */
export function checkViews({ certificate, domains, knowledge }: AuditSubject): AuditCheck {
  const views = [...domains.keys()].map((partition): Views => {
    const draws = drawsOf(partition, knowledge.earlier);
    const charges = Math.max(1, knowledge.ledger?.charges.get(partition) ?? 1);
    const ends = endsOf(partition);
    return { published: draws * ends, counted: charges * Math.min(ends, tapsCounted(certificate)) };
  });
  const worst = views.reduce(
    (most, one) => (one.published / one.counted > most.published / most.counted ? one : most),
    {
      published: 1,
      counted: 1,
    },
  );
  const { model, scale } = declaredNoise(certificate);
  const variance = noiseVariance(model, scale);
  return checkDependence({
    size: 1,
    measurements: Array.from({ length: worst.published }, () => ({ unknowns: [0], variance })),
    declaredVariance: variance,
    countedViews: worst.counted,
  });

  function endsOf(partition: string): number {
    const mode = parsePartitionPath(partition)?.mode;
    return certificate.publish === 'on+off' && knowledge.services.some((service) => service.mode === mode) ? 2 : 1;
  }
}

/** A tap is one view; every larger unit with both ends of a trip has two. */
const tapsCounted = ({ unit, publish }: Certificate): number => (unit !== 'tap' && publish === 'on+off' ? 2 : 1);
