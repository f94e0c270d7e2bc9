import { FILES } from '../../../contracts/names.ts';
import type { TableDefinition } from '../../../core/table/published-table.ts';
import {
  describeColumns,
  describeTable,
  type FileDescription,
  PROOF_FILES,
} from '../../../services/metadata/data-description.ts';
import { csvColumns } from '../../../services/publication/table-csv.ts';
import { PLACE_FILES, PLACES } from './place-files.ts';
import { csvDates } from './privacy-file.ts';
import { TAPS_TABLES, type TableFacts, totalsTable } from './tables.ts';
import type { TapsFacts } from './taps-facts.ts';

/** A table as one of its two files. */
function tableFile(table: TableDefinition<string, TableFacts>, facts: TableFacts, form: 'csv' | 'parquet') {
  const { total } = facts;
  const { name, title, description } = table;
  return {
    name: FILES.table(name, form),
    title: form === 'csv' ? title : `${title}, Parquet`,
    description: form === 'csv' ? description : `The rows of ${FILES.table(name)} with their types, for programs.`,
    table: {
      ...describeColumns({ ...table, columns: csvColumns(table.columns, facts.dates) }, facts),
      ...(total === undefined ? {} : { total }),
    },
  };
}

/** Every file that a release of taps can have, in the order for readers. */
export const tapsFiles = ({ privacy, totals, certificate }: TapsFacts): FileDescription[] => [
  ...[...Object.values(TAPS_TABLES), totalsTable(certificate)].flatMap((table) => {
    const facts = { domain: privacy.domain, dates: csvDates(privacy), total: totals.get(table.name) };
    return [tableFile(table, facts, 'csv'), tableFile(table, { ...facts, dates: 'iso' }, 'parquet')];
  }),
  ...describeTable(PLACES, privacy.domain, 'list'),
  ...privacy.domain.modes.map((mode) => ({
    name: PLACE_FILES.of(mode),
    title: `List of places of ${mode}`,
    description: `The public list as it was given, with the digest that \`${FILES.privacy}\` names.`,
  })),
  ...PROOF_FILES,
  {
    name: FILES.auditPage,
    title: 'Audit',
    description: 'What was tried against the release, with figures, for people.',
  },
];
