import { formatCsvRecord, LINE_END } from '../../core/text/csv.ts';
import { type DescribedRelease, describedFiles } from './description.ts';

const COLUMNS = ['file', 'column', 'position', 'type', 'description', 'values'];

/** data-dictionary.csv: a row for every column of every table; `values` are all that it can have, where they are few. */
export const dataDictionary = (described: DescribedRelease): string =>
  [
    COLUMNS,
    ...describedFiles(described).flatMap((file) =>
      (file.table?.columns ?? []).map(({ name, type, description, values }, place) => [
        file.name,
        name,
        `${place + 1}`,
        type,
        description,
        (values ?? []).join('|'),
      ]),
    ),
  ]
    .map((fields) => formatCsvRecord(fields) + LINE_END)
    .join('');
