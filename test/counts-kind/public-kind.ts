import type { AuditCheck } from '../../contracts/audit-report.ts';
import { RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { DeriveInput } from '../../contracts/stages.ts';
import type { TextsOf } from '../../services/publication/release-texts.ts';
import type { PublicContext, PublicKind } from '../../services/release/public-context.ts';
import { jsonBytes, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { COUNTS_FILES, type CountsTable, countsCsv, countsKind, countsSeries, scaleOf } from './series.ts';

async function tablesOf(context: PublicContext, input: DeriveInput): Promise<CountsTable[]> {
  const tables: CountsTable[] = [];
  for (const { partition, digest } of input.draws) {
    const bytes = await readBytes(context.releaseStore, RELEASE_KEYS.privatized(input, partition));
    if (sha256(bytes) !== digest) throw new Error('the stored table is not the one that was drawn');
    tables.push(JSON.parse(bytes.toString('utf8')));
  }
  return tables.sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** What is said of a release, by its files alone. */
export const countsTexts: TextsOf = async (files) => {
  const days = files
    .get(COUNTS_FILES.table)!
    .toString('utf8')
    .match(/\d{4}-\d\d-\d\d/g)!;
  const { epsilon, scale, values } = JSON.parse(files.get(COUNTS_FILES.parameters)!.toString('utf8'));
  return {
    statement: ({ publication, report }) => `# ${publication.title}\n\nVerdict: ${report.verdict}.\n`,
    description: {
      summary: 'Counts of rows by value.',
      keywords: ['counts'],
      timeZone: 'UTC',
      firstDay: days[0]!,
      lastDay: days.at(-1)!,
      measured: ['Rows'],
      questions: [],
      firstTables: [],
      files: [
        {
          name: COUNTS_FILES.table,
          title: 'Counts',
          description: 'Rows of each value and day.',
          table: {
            columns: [
              { name: 'date', type: 'date', description: 'Day.' },
              { name: 'value', type: 'string', description: 'Value.', values },
              { name: 'count', type: 'integer', description: 'Rows, with noise.' },
            ],
            key: ['date', 'value'],
            rows: 'data',
          },
        },
        {
          name: COUNTS_FILES.parameters,
          title: 'Parameters',
          description: 'Privacy parameters.',
        },
      ],
      reading: { missing: 'No value is missing.', interval: 'Noise is rarely above 4.', others: [] },
      answers: {
        unit: 'One row.',
        neighbours: 'One row is replaced by another.',
        parameters: `ε = ${epsilon}, δ = 0.`,
        mechanism: `Discrete Laplace noise of scale ${scale}.`,
        sensitivity: 'At most 2 (L1).',
        domain: 'All values are public.',
        composition: 'Losses of releases add up.',
        accuracy: 'Noise is rarely above 4.',
        bias: 'None.',
        notCovered: 'What is true of many rows.',
      },
      figures: [],
      tables: [],
      places: null,
    },
  };
};

export const publicCounts: PublicKind = {
  ...countsKind,
  derive: async (context, input, stored) => {
    const series = countsSeries(stored);
    const parameters = { epsilon: series.privacy.epsilon, delta: '0', scale: scaleOf(series), values: series.values };
    return {
      table: [[COUNTS_FILES.table, Buffer.from(countsCsv(await tablesOf(context, input)), 'utf8')]],
      parameters: [[COUNTS_FILES.parameters, jsonBytes(parameters)]],
    };
  },
  audit: async (context, input, _series, data) => {
    const staged = data.get(COUNTS_FILES.table)?.toString('utf8');
    const same = staged === countsCsv(await tablesOf(context, input));
    const check: AuditCheck = {
      id: 'sums',
      attack: 'Compare the table with what was drawn.',
      verdict: same ? 'pass' : 'fail',
      statistic: null,
      bound: null,
      interval: null,
      pValue: null,
      sentence: same ? 'The table is what was drawn.' : 'The table is not what was drawn.',
    };
    return { format: 'opaline-audit/2', release: releasePath(input), verdict: same ? 'pass' : 'fail', checks: [check] };
  },
  texts: countsTexts,
};
