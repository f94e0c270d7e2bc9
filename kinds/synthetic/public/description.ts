import {
  type DataDescription,
  type FileDescription,
  inTwoForms,
  PROOF_FILES,
  type SummaryFigure,
} from '../../../services/metadata/description.ts';
import { SYNTHETIC_FILES } from '../files.ts';
import type { SyntheticCertificate } from '../mechanism/certified-rows.ts';
import type { SyntheticPrivacyFile } from '../privacy-file.ts';
import type { DrawnPartition } from '../table-csv.ts';
import { rowInWords, rowsInWords } from '../words.ts';

/** What metadata and pages say of a release of synthetic data. Cost: O(partitions). */
export function describeSynthesis(
  { domain, parameters, reading }: SyntheticPrivacyFile,
  certificate: SyntheticCertificate,
  drawn: readonly DrawnPartition[],
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
    files: syntheticFiles(domain),
    reading: {
      missing: 'Every cell of the public domain has a row, whether anybody was there or not.',
      interval:
        'A single cell has no interval: it follows from all measurements together. measurements.csv has each measured value with the scale of its noise in certificate.json.',
      others: reading,
    },
    answers: {
      unit: `${protects} (\`${unit}\`)`,
      neighbours:
        neighbours === 'replace-one'
          ? 'Two data sets are neighbours when one row of the one is replaced by another in the other (bounded differential privacy).'
          : 'Two data sets are neighbours when one of them has one row more (unbounded differential privacy).',
      parameters: `Pure differential privacy: ε = ${epsilon} and δ = 0.`,
      mechanism: others.join(' '),
      sensitivity: 'A row is in one cell of one partition, and changes the answer of a query by one at most.',
      domain: 'All attributes and their values are public and fixed beforehand; privacy.json lists them.',
      composition: rowsInWords(parameters).join(' '),
      accuracy: 'The scale of the noise of each measurement is in `certificate.json`.',
      bias: 'What the workload never asks about together is filled in as if it were independent, which it may not be.',
      notCovered: 'What is true of many people at once, such as how busy a place is, and what is known from elsewhere.',
    },
    figures: [rowsFigure(domain, drawn)],
    tables: [],
  };
}

/** How many rows each partition has: a public number, or a measured one. */
function rowsFigure({ parts, days }: SyntheticPrivacyFile['domain'], drawn: readonly DrawnPartition[]): SummaryFigure {
  const rowsOf = (day: string, part: string): number | null =>
    drawn.find((one) => one.day === day && one.part === part)?.transcript.rows ?? null;
  return {
    heading: 'Rows by day',
    sentence: 'The number of rows that each part and day stands for: public, or measured with noise.',
    rowHeading: 'Day',
    unit: 'rows',
    columns: parts,
    rows: days.map((day) => ({ label: day, values: parts.map((part) => rowsOf(day, part)) })),
  };
}

function syntheticFiles({ parts, attributes }: SyntheticPrivacyFile['domain']): FileDescription[] {
  const table: FileDescription['table'] = {
    columns: [
      { name: 'date', type: 'date', description: 'Day of the window.' },
      { name: 'part', type: 'string', description: 'What is delivered together, such as a mode.', values: parts },
      ...attributes.map(({ name }) => ({
        name,
        type: 'string' as const,
        description: `A value of the public list of ${name}; privacy.json has all of them.`,
      })),
      { name: 'weight', type: 'integer', description: 'Weight of the cell, a whole number without a unit.' },
      { name: 'rows', type: 'number', description: 'Share of the rows of the partition, to six decimals.' },
    ],
    key: ['date', 'part', ...attributes.map(({ name }) => name)],
    rows: 'data',
  };
  const measurements: FileDescription['table'] = {
    columns: [
      { name: 'date', type: 'date', description: 'Day of the window.' },
      { name: 'part', type: 'string', description: 'What is delivered together, such as a mode.', values: parts },
      { name: 'round', type: 'integer', description: 'Round of the draw; 0 is the number of rows of the partition.' },
      { name: 'query', type: 'string', description: 'Number of the query in the public workload; empty in round 0.' },
      { name: 'cells', type: 'string', description: 'The cells that the query counts, in words.' },
      { name: 'value', type: 'integer', description: 'Rows in these cells, with noise; can be negative.' },
    ],
    key: ['date', 'part', 'round'],
    rows: 'data',
  };
  const weights = {
    name: SYNTHETIC_FILES.table,
    title: 'Synthetic data',
    description: 'A weight for every cell of the public domain.',
    table,
  };
  const measured = {
    name: SYNTHETIC_FILES.measurements,
    title: 'Measurements',
    description: 'Everything that was measured with noise; the weights follow from it.',
    table: measurements,
  };
  return [
    ...inTwoForms(weights, SYNTHETIC_FILES.parquet),
    ...inTwoForms(measured, SYNTHETIC_FILES.measurementsParquet),
    ...PROOF_FILES,
  ];
}
