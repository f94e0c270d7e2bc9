import { choiceStatement } from '../../../contracts/certificate-statements.ts';
import { OpalineError } from '../../../contracts/errors.ts';
import { formatRational } from '../../../core/rational/rational.ts';
import type { SyntheticCertificate, SyntheticUnit } from '../certified-rows.ts';
import { syntheticProblems } from './synthetic-check.ts';
import { roundAmounts, type SyntheticPrivacy } from './synthetic-privacy.ts';

export type CertifiedSynthesis = SyntheticPrivacy & { unit: SyntheticUnit; chosenOn: string | undefined };

/**
 * The certificate of synthetic data that is drawn with these amounts. Throws CERTIFICATE_IMPOSSIBLE when they cannot
 * be drawn, or leave nothing for the rounds.
 *
 * @contract C10
 * @contract C17
 */
export function certifySynthetic(privacy: CertifiedSynthesis): SyntheticCertificate {
  const { unit, neighbours, epsilon, partitions, rounds, chosenOn, rowsShare } = privacy;
  const amounts = roundAmounts(privacy);
  const certificate: SyntheticCertificate = {
    format: 'opaline-synthetic-certificate/1',
    mechanism: 'mwem',
    unit,
    neighbours,
    epsilon: formatRational(epsilon),
    delta: '0',
    ...(chosenOn !== undefined && { chosenOn }),
    partitions,
    partition: { epsilon: formatRational(amounts.partition) },
    rows:
      rowsShare && amounts.rowsScale
        ? { epsilon: formatRational(rowsShare), scale: formatRational(amounts.rowsScale) }
        : null,
    rounds,
    selection: { epsilon: formatRational(amounts.selection) },
    measurement: {
      epsilon: formatRational(amounts.measurement),
      scale: formatRational(amounts.measurementScale),
    },
    rechecked: [...RECHECKED],
    assumptions: syntheticAssumptions(chosenOn),
  };
  const [problem] = syntheticProblems(certificate);
  if (problem !== undefined) throw new OpalineError('CERTIFICATE_IMPOSSIBLE', problem);
  return certificate;
}

/** What anyone can check again, as sentences (C10). */
const RECHECKED: readonly string[] = [
  'The epsilons of the number of rows, of all choices and of all measurements of a partition add up to that of a partition.',
  'A row that is replaced may be in two partitions, and then epsilon is twice that of a partition; else it is that of a partition.',
  'A row changes each query by at most 1, so noise of scale 1/epsilon is enough for a measurement; delta is 0.',
  'The weights follow from the published measurements and from public parameters, exactly.',
  'The ledger charges epsilon to every block of the release, once.',
];

/** What the publisher attests and nobody outside can check, as sentences (C10). */
export const syntheticAssumptions = (chosenOn: string | undefined): string[] => [
  'Each source row is counted in at most one cell of one partition, as a function of that row, of the name of its object and of public constants.',
  'A file that came more than once, equal to the byte, counts once; a person with a row in one copy has it in all copies.',
  'Attributes, their values, the workload and a public number of rows come from public sources, never from the confidential data.',
  choiceStatement(chosenOn),
  "Choices and noise come from the random generator of the operating system's kernel, asked again for each partition, are drawn once, and are neither stored nor shown.",
  'The private worker ran the build that the manifest names.',
  'Approvers have no access to the custodian side and decided on the release folder alone.',
  'Which objects existed, were readable and had the right columns does not depend on any one person.',
  'Timing is not covered: nobody outside sees how long the private stages took.',
];
