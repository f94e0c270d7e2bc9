import type { AuditSubject } from '../../counts/audit/subject.ts';
import type { CountRow } from '../../counts/derive/count-row.ts';
import { type CountTable, tableOf } from '../../counts/derive/count-table.ts';

/** A subject of the audit whose tables are lists of rows, which tests can change one by one. */
type Rows<Tables> = { [Name in keyof Tables]: CountRow[] | Exclude<Tables[Name], CountTable> };
type RowTables = 'cells' | 'hours' | 'remainder';
type Knowledge = AuditSubject['knowledge'];
type WithRows<Publication extends { cells: CountTable }> = Omit<Publication, 'cells'> & { cells: CountRow[] };

export type RowKnowledge = Omit<Knowledge, 'earlier' | 'siblings'> & {
  earlier: readonly WithRows<Knowledge['earlier'][number]>[];
  siblings: readonly WithRows<Knowledge['siblings'][number]>[];
};

export type RowSubject = Omit<AuditSubject, RowTables | 'drawn' | 'tables' | 'knowledge'> &
  Record<RowTables, CountRow[]> & {
    drawn: Rows<NonNullable<AuditSubject['drawn']>> | null;
    tables: Rows<AuditSubject['tables']>;
    knowledge: RowKnowledge;
  };

const columnsOf = (rows: CountRow[] | null): CountTable | null => rows && tableOf(rows);

const knowledgeInColumns = (knowledge: RowKnowledge): Knowledge => ({
  ...knowledge,
  earlier: knowledge.earlier.map((one) => ({ ...one, cells: tableOf(one.cells) })),
  siblings: knowledge.siblings.map((one) => ({ ...one, cells: tableOf(one.cells) })),
});

const tablesInColumns = ({ cells, time, location, hours, remainder, margins, leftOut }: RowSubject['tables']) => ({
  cells: columnsOf(cells),
  time: columnsOf(time),
  location: columnsOf(location),
  hours: columnsOf(hours),
  remainder: columnsOf(remainder),
  margins: columnsOf(margins),
  ...(leftOut !== undefined && { leftOut: columnsOf(leftOut) }),
});

/** The subject as production has it. */
export const inColumns = ({ drawn, ...subject }: RowSubject): AuditSubject => ({
  ...subject,
  cells: tableOf(subject.cells),
  hours: tableOf(subject.hours),
  remainder: tableOf(subject.remainder),
  drawn: drawn && {
    cells: columnsOf(drawn.cells),
    hours: columnsOf(drawn.hours),
    remainder: columnsOf(drawn.remainder),
    margins: columnsOf(drawn.margins),
    ...(drawn.leftOut && { leftOut: tableOf(drawn.leftOut) }),
  },
  tables: tablesInColumns(subject.tables),
  knowledge: knowledgeInColumns(subject.knowledge),
});
