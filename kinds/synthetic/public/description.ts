import {
  type DataDescription,
  describeTable,
  PROOF_FILES,
  type SummaryFigure,
} from '../../../services/metadata/data-description.ts';
import { neighboursInWords } from '../../statement.ts';
import type { SyntheticCertificate } from '../certified-rows.ts';
import type { SyntheticPrivacyFile } from '../privacy-file.ts';
import { type DrawnPartition, MEASUREMENTS, weightsTable } from '../tables.ts';
import { rowInWords, rowsInWords } from '../words.ts';

/** What metadata and pages say of a release of synthetic data. Cost: O(partitions). */
export function describeSynthesis(
  { domain, parameters, reading }: SyntheticPrivacyFile,
  certificate: SyntheticCertificate,
  draws: readonly DrawnPartition[],
): DataDescription {
  const { unit, neighbours, epsilon } = parameters;
  const [protects = '', ...others] = rowInWords(certificate);
  const names = domain.attributes.map(({ name }) => name);
  return {
    summary: `Synthetic data of ${domain.parts.join(', ')}: a weight for each combination of ${names.join(', ')}, fitted to answers with differential privacy.`,
    keywords: ['public transport', 'synthetic data', 'differential privacy', ...domain.parts],
    timeZone: domain.timeZone,
    firstDay: domain.days[0]!,
    lastDay: domain.days.at(-1)!,
    measured: [`Fitted number of ${unit}s by ${names.join(', ')}`],
    files: [...describeTable(weightsTable(domain), domain), ...describeTable(MEASUREMENTS, domain), ...PROOF_FILES],
    questions: [
      [`Fitted number of ${unit}s by attributes`, weightsTable(domain).name],
      ['What was measured, and how exactly', MEASUREMENTS.name],
    ],
    firstTables: [{ table: weightsTable(domain).name, value: 'rows', by: ['date', 'part'] }],
    reading: {
      missing: 'Every cell of the public domain has a row, whether anybody was there or not.',
      interval:
        'A single cell has no interval: it follows from all measurements together. measurements.csv has each measured value with the scale of its noise in certificate.json.',
      others: reading,
    },
    answers: {
      unit: `${protects} (\`${unit}\`)`,
      neighbours: neighboursInWords(neighbours, 'row'),
      parameters: `Pure differential privacy: ε = ${epsilon} and δ = 0.`,
      mechanism: others.join(' '),
      sensitivity: 'A row is in one cell of one partition, and changes the answer of a query by one at most.',
      domain: 'All attributes and their values are public and fixed beforehand; privacy.json lists them.',
      composition: rowsInWords(parameters).join(' '),
      accuracy: 'The scale of the noise of each measurement is in `certificate.json`.',
      bias: 'What the workload never asks about together is filled in as if it were independent, which it may not be.',
      notCovered: 'What is true of many people at once, such as how busy a place is, and what is known from elsewhere.',
    },
    figures: [rowsFigure(domain, draws)],
    tables: [],
    places: null,
  };
}

/** How many rows each partition has: a public number, or a measured one. */
function rowsFigure({ parts, days }: SyntheticPrivacyFile['domain'], draws: readonly DrawnPartition[]): SummaryFigure {
  const rowsOf = (day: string, part: string): number | null =>
    draws.find((one) => one.day === day && one.part === part)?.rows ?? null;
  return {
    heading: 'Rows by day',
    sentence: 'The number of rows that each part and day stands for: public, or measured with noise.',
    rowHeading: 'Day',
    unit: 'rows',
    columns: parts,
    rows: days.map((day) => ({ label: day, values: parts.map((part) => rowsOf(day, part)) })),
  };
}
