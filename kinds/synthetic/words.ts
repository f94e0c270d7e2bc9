import type { SyntheticCertificate } from './certified-rows.ts';

/** What one row is protected by, in sentences. */
export function rowInWords(certificate: SyntheticCertificate): string[] {
  const { unit, neighbours, epsilon, partition, rows, rounds, measurement } = certificate;
  const change = neighbours === 'replace-one' ? 'replaced by another one' : 'added or left out';
  return [
    `What is protected is one ${unit}: one row of the source. If it were ${change}, any outcome would be at most e^ε times as likely: ε = ${epsilon}, and δ = 0.`,
    `Each part and day is drawn by itself and loses at most ε = ${partition.epsilon} with a ${unit} more or less.`,
    rows
      ? `Its number of ${unit}s gets noise of scale ${rows.scale} first; then come ${rounds} rounds.`
      : `Its number of ${unit}s is a public parameter; then come ${rounds} rounds.`,
    `In each round the query of the public workload that the weights fit worst is chosen by chance, the more likely the worse it fits, and measured with noise of scale ${measurement.scale}; the weights are fitted to all measurements.`,
  ];
}

/** What a year means. Nothing bounds how many rows one person has, and so no total is named. @contract C14 */
export const rowsInWords = ({ epsilon, unit }: { epsilon: string; unit: string }): string[] => [
  `Losses add up: m ${unit}s of one person, in one release or in several, lose m·ε, with ε = ${epsilon}.`,
  `Nothing bounds how many ${unit}s one person makes, and so no total for a person is stated.`,
];
