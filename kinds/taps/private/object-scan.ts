import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OpalineError } from '../../../contracts/errors.ts';
import { type Partition, PRIVATE_KEYS } from '../../../contracts/names.ts';
import type { ObjectStore } from '../../../contracts/object-store.ts';
import type { Run } from '../../../contracts/stages.ts';
import { addDays } from '../../../core/calendar/civil-day.ts';
import { clockMinutes } from '../../../core/calendar/time-bins.ts';
import { mayHold } from '../../../core/source-pattern/expected-objects.ts';
import type { ObjectName } from '../../../core/source-pattern/pattern.ts';
import { keepDiagnostics } from '../../../custodian/diagnostics.ts';
import { putTally, sketchKey } from '../../../custodian/preview/tallies.ts';
import type { PrivateContext } from '../../../custodian/private-context.ts';
import { cleanLines, type LineFormat } from '../../../custodian/source/clean-lines.ts';
import type { DistinctObject } from '../../../custodian/source/inventory.ts';
import { linkCopy, objectCode, putFile } from '../../../custodian/source/scratch-copy.ts';
import { sourceText } from '../../../custodian/source/source-text.ts';
import { COLUMNS_MAX, type SourceFile, tooManyColumns } from '../../../custodian/sql/source-relation.ts';
import { type Database, isFileError, isOutOfMemory, literal } from '../../../services/sql/duckdb.ts';
import { type CheckedSelect, checkSelect } from '../../../services/sql/select-check.ts';
import type { TapsSeries } from '../series.ts';
import { tapsKind } from '../series-kind.ts';
import { type CanonicalRows, canonicalRows, sourceTypes } from './canonical-rows.ts';
import { type CardTaps, tallyCards } from './card-taps.ts';
import type { CellNumbers } from './cell-numbers.ts';
import type { CountedCells } from './counted-cells.ts';
import type { Declared, PublicRules } from './end-taps.ts';
import { requireLegible, writeLegible } from './legible-parquet.ts';
import { publicLists } from './public-lists.ts';
import { addRejects, type RejectedTaps } from './rejected-taps.ts';
import {
  countCells,
  hasRejects,
  type ObjectQuery,
  type ObjectTally,
  publicRules,
  readTally,
  writeRejects,
} from './tally.ts';
import { slotMinutes } from './tap-calendar.ts';
import { cardText, modeText, tapColumns } from './tap-keys.ts';

/** What a scan needs to know besides the object. */
export type Scan = {
  context: PrivateContext;
  database: Database;
  store: ObjectStore;
  series: TapsSeries;
  /** The series' select as checkSelect made it safe, or null. */
  select: CheckedSelect | null;
  /** Days of the calendar table: the window with one day on each side. */
  calendarDays: readonly string[];
  folder: string;
  rules: PublicRules;
  /** The taps so far: of cards, which are to be bounded, their rows, and of other units the counts of cells. */
  taps: CardTaps | CountedCells;
  /** Days of the window and the rejects so far; null where the series does not count them, or nothing is released. */
  rejects: { days: readonly string[]; counted: RejectedTaps } | null;
  run: Run;
  round: number;
  /** Is nothing else scanned at this time? */
  isAlone: boolean;
  /** Looks at a prepared file before its columns are read. */
  look?: (file: SourceFile) => Promise<void>;
};

/** Begins a scan of the objects of these days of a window; `targets`: the partitions whose taps are counted. */
export async function openScan<Taps extends Scan['taps']>(
  place: Pick<Scan, 'context' | 'database' | 'folder' | 'run' | 'round' | 'series'>,
  days: readonly string[],
  targets: readonly Partition[],
  begin: (numbers: CellNumbers) => Taps,
): Promise<Scan & { taps: Taps }> {
  const { context, database, series } = place;
  const { store, select } = series.source;
  const calendarDays = [addDays(days[0]!, -1), ...days, addDays(days.at(-1)!, 1)];
  const rules = await publicRules(database, series, await publicLists(context, series, calendarDays, targets));
  return {
    ...place,
    store: context.sourceStore(store),
    select: select === undefined ? null : await checkSelect(select),
    calendarDays,
    rules,
    taps: begin(rules.numbers),
    rejects: null,
    isAlone: true,
  };
}

/** What is kept of an object beside its taps, while its tables are there. `lines`: file of the lines that are no rows. */
export type KeepOfObject = (scan: Scan, object: CountedObject, lines: string | null) => Promise<void>;

/** An object of a round, and the number that it has there. */
export type NumberedObject = { object: DistinctObject; number: number };

/** How the rows of an object were read, and what became of their taps. */
type CountedObject = NumberedObject & { query: ObjectQuery; tally: ObjectTally };

/**
 * Reads one object: scratch copy, lines, schema, one scan, cells, and what is kept besides: the rejects, unless others
 * are asked for. A Parquet file that DuckDB gives up is read a second time and more carefully. Throws OBJECT_CHANGED,
 * OBJECT_MISSING, OBJECT_SCHEMA, or DuckDB's error, whose text may quote rows.
 */
export async function scanObject(scan: Scan, one: NumberedObject, keep: KeepOfObject = keepRejects): Promise<void> {
  const { folder, series } = scan;
  const { object, number } = one;
  const path = join(folder, `object-${number}`);
  try {
    await linkAnyCopy(scan, object.pins, path);
    const { file, lines, rejected } = await prepare(series, path);
    await scan.look?.(file);
    const outcome = await countTaps(scan, one, file).catch(async (error: unknown) => {
      if (!scan.isAlone && isOutOfMemory(error)) throw error;
      if (file.format !== 'parquet' || !(isFileError(error) || isOutOfMemory(error))) throw error;
      await keepDiagnostics(scan.context)(`read again ${object.pins[0].key}`, error);
      return countTaps(scan, one, await legible(scan, file));
    });
    const { tally } = outcome;
    if (scan.rejects)
      addRejects(scan.rejects.counted, series, scan.rejects.days, { names: object.names, tally, lines: rejected });
    // A look at a file that releases nothing leaves nothing.
    if (keep === keepRejects) await keepTally(scan, outcome, rejected);
    await keep(scan, outcome, lines);
  } finally {
    for (const name of [path, `${path}.rows`, `${path}.lines`]) await rm(name, { force: true });
  }
}

/**
 * Rows of an object that wait in memory for those who group their taps: 160 MiB. More would push others to scratch,
 * beyond the limit of DuckDB at times: 1.4 GiB at 100 million. A larger Parquet file is read for each of them.
 */
const ROWS_IN_MEMORY = 2 ** 23;

/** Counts the taps of a prepared file, in one scan. Nothing of an attempt that fails is counted (C6). */
async function countTaps(scan: Scan, one: NumberedObject, file: SourceFile): Promise<CountedObject> {
  const { database, rules, taps } = scan;
  const rows = await canonicalRows({ ...scan, file });
  const isLarge = file.format === 'parquet' && (file.rows ?? 0) > ROWS_IN_MEMORY;
  const query = { ...objectQuery(scan, one.object.names, rows), isLarge };
  const tally = 'bound' in taps ? tallyCards(database, query, rules, taps) : countCells(database, query, rules, taps);
  return { ...one, query, tally: await tally };
}

/**
 * The same values in a file that DuckDB can read whatever they are. What it gave up is either damaged, and is then
 * OBJECT_UNREADABLE here too, or holds a value that it cannot read: a reject of its row (C5, C6).
 */
async function legible(scan: Scan, file: SourceFile): Promise<SourceFile> {
  const types = await sourceTypes({ ...scan, file });
  const path = `${file.path}.rows`;
  await writeLegible(file.path, types, path);
  return { format: 'legible', path, types };
}

/** Keeps what was found, for custodians. What fails of it is a diagnostic: the taps are counted (C5). */
async function keepTally({ context, run, round }: Scan, outcome: CountedObject, lines: number): Promise<void> {
  const { object, number, tally } = outcome;
  try {
    const objects = object.pins.map(({ key }) => key);
    await putTally(context, run, round, number, { format: 'opaline-tally/2', objects, lines, ...readTally(tally) });
  } catch (error) {
    await keepDiagnostics(context)(`tally ${object.pins[0].key}`, error);
  }
}

/**
 * Lists the rejects for people. It is a second reading, and one that fails is a diagnostic: the taps are counted (C5).
 */
async function keepRejects(scan: Scan, outcome: CountedObject, lines: string | null): Promise<void> {
  const { context, database, folder, rules, run, round } = scan;
  const { object, number, query, tally } = outcome;
  if (!hasRejects(tally) && lines === null) return;
  const target = join(folder, `rejects-${number}.parquet`);
  try {
    await writeRejects({ database, query, numbers: rules.numbers, tally }, lines, target);
  } catch (error) {
    await keepDiagnostics(context)(`rejects ${object.pins[0].key}`, error);
    return;
  }
  await putFile(context.privateStore, PRIVATE_KEYS.rejects(run, round, number), target);
}

/** The pinned bytes, from the first of the objects that still has them. */
async function linkAnyCopy(scan: Scan, [pin, ...others]: DistinctObject['pins'], path: string): Promise<void> {
  try {
    await linkCopy({ scratch: scan.context.scratch, release: scan.run, store: scan.store }, pin, path);
  } catch (error) {
    const [next, ...rest] = others;
    objectCode(error);
    if (!next) throw error;
    await linkAnyCopy(scan, [next, ...rest], path);
  }
}

/**
 * Prepares a copy of an object of a series as DuckDB can read it; text is cleaned line by line. `lines`: the file with
 * the lines that are no rows, or null, and `rejected` how many they are. Throws OBJECT_SCHEMA.
 */
export async function prepare({ source }: TapsSeries, path: string) {
  if (source.format === 'parquet')
    return { file: { format: 'parquet', path, ...(await requireLegible(path)) } as const, lines: null, rejected: 0 };
  const [rows, lines] = [`${path}.rows`, `${path}.lines`];
  const { header, rejected } = await cleanLines(sourceText(path, source), lineFormat(source), rows, lines);
  const file: SourceFile =
    source.format === 'csv'
      ? { format: 'csv', path: rows, delimiter: source.csv.delimiter, header: usableHeader(header) }
      : { format: 'jsonl', path: rows };
  return { file, lines: rejected > 0 ? lines : null, rejected };
}

/** How the lines of a source that is no Parquet are written. */
function lineFormat({ format, csv: { delimiter, header, ragged }, json }: TapsSeries['source']): LineFormat {
  if (format === 'jsonl') return { kind: 'jsonl' };
  return format === 'json' ? { kind: 'json', rows: json! } : { kind: 'csv', delimiter, header: header ?? null, ragged };
}

function usableHeader(header: readonly string[] | null): string[] {
  if (header && header.length > COLUMNS_MAX) throw tooManyColumns();
  const names = (header ?? []).map((name) => name.toLowerCase());
  if (names.length === 0 || names.includes('') || new Set(names).size < names.length)
    throw new OpalineError('OBJECT_SCHEMA', 'A CSV object has no header row, or one with empty or equal names.');
  return [...(header ?? [])];
}

function objectQuery(scan: Scan, names: DistinctObject['names'], rows: CanonicalRows): ObjectQuery {
  const { context, run, series, calendarDays } = scan;
  const { starts, ends } = series.day;
  const dayMinutes = { starts: clockMinutes(starts), ends: clockMinutes(ends), step: slotMinutes(series) };
  const after1970 = calendarDays[0]! > '1970-01-02';
  const mode = modeText(rows.types, names[0], series);
  const taps = tapColumns(rows.types, { source: series.source, privacy: series.privacy, dayMinutes, after1970 });
  const sql = [mode, ...taps.flatMap(({ slot, location }) => [slot, location])].join(' ');
  const columns = [...rows.types.keys()].filter((name) => sql.includes(name));
  return {
    canonical: rows.sql,
    canonicalWithRow: rows.sqlWithRow,
    hash: `CAST(hash(${[literal(sketchKey(context, run)), ...columns].join(', ')}) >> 32 AS UINTEGER)`,
    taps,
    mode,
    card: cardText(rows.types, series),
    declared: { partitions: listPartitions(scan, names), dated: dayRuleOf(series, names) },
  };
}

/** What the names of an object say of the days of its rows. */
function dayRuleOf({ source }: TapsSeries, names: readonly ObjectName[]): Declared['dated'] {
  if (!names.every(({ date, period }) => date !== undefined || period !== undefined)) return null;
  return source.deliveryDays === undefined && names.every(({ date }) => date !== undefined) ? 'day' : 'days';
}

/** The modes and days that the names of the object declare, those outside the window too: they are no rejects. */
function listPartitions({ series, calendarDays }: Scan, names: readonly ObjectName[]): Partition[] {
  const source = tapsKind.terms(series);
  return names.flatMap((name) => {
    const days = calendarDays.filter((day) => mayHold(name, source, day));
    return (name.mode === undefined ? series.modes : [name.mode]).flatMap((part) => days.map((day) => ({ part, day })));
  });
}
