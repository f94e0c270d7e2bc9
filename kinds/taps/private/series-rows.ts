import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OpalineError } from '../../../contracts/errors.ts';
import { matchObject } from '../../../core/source-pattern/pattern.ts';
import { listEnds } from '../../../counts/tables/tap-tables.ts';
import type { PrivateContext } from '../../../custodian/private-context.ts';
import type { RuleChoice } from '../../../custodian/risk/column-rules.ts';
import type { StagedRows } from '../../../custodian/risk/measured-rows.ts';
import type { Levels } from '../../../custodian/risk/sql/recoded-table.ts';
import { stageRelation } from '../../../custodian/risk/table-file.ts';
import { sourceWindow } from '../../../custodian/source/inventory.ts';
import { listSource } from '../../../custodian/source/listing.ts';
import { checkFile, dropCopies, fetchObject, linkCopy } from '../../../custodian/source/scratch-copy.ts';
import { literal } from '../../../services/sql/duckdb.ts';
import { checkSelect } from '../../../services/sql/select-check.ts';
import { readDictionary } from '../../../services/stores/series-objects.ts';
import { parseDictionary } from '../location-dictionary.ts';
import { CANONICAL_COLUMNS, type TapsSeries } from '../series.ts';
import { tapsKind } from '../series-kind.ts';
import { canonicalRows } from './canonical-rows.ts';
import { prepare, type Scan } from './object-scan.ts';
import { modeText } from './tap-keys.ts';

/** The column that says whose row it is. */
const ID_COLUMN = 'card';

/** Columns of a row that hold a time or a place. */
const isTime = (name: string): boolean => /(^|_)(time|minute)$/.test(name);
const isPlace = (name: string): boolean => /(^|_)location$/.test(name);

/** A place with its mode: each mode has a dictionary of its own. */
const qualify = (mode: string, place: string): string => `${mode}/${place}`;

/** Name of the one level of a series: what its dictionaries call a place. */
const PUBLISHED_NAME = 'location';

/** Of which series rows are staged, and where. */
type StagingPlace = Pick<Scan, 'context' | 'database' | 'folder' | 'series'>;

/** Lengths of time bins that advice tries: those that a series file takes, in minutes. */
const MINUTES = ['5', '10', '15', '20', '30', '60'];

/**
 * Stages the rows of a window of a series as the source has them, in the canonical columns; the card is the id. Objects
 * of days before and after the window are left out. A place is named with its mode, and time bins are cut on the clock of
 * the source. Throws WINDOW_INVALID, OBJECT_MISSING and what reading an object throws.
 */
export async function stageSeries(place: StagingPlace, window: string): Promise<StagedRows> {
  const { context, database, folder, series } = place;
  const source = sourceWindow(tapsKind, series, window);
  const store = context.sourceStore(series.source.store);
  const { objects, faults } = await listSource(store, source);
  const select = series.source.select === undefined ? null : await checkSelect(series.source.select);
  // Copies go with the folder, whatever happens.
  const look = { series: series.series, window, version: 1 };
  const copies = { scratch: folder, release: look, store };
  const parts: string[] = [];
  for (const { key } of objects) {
    const name = matchObject(series.source.pattern, key) ?? {};
    if (name.date !== undefined && !source.days.includes(name.date)) continue;
    const path = join(folder, `object-${parts.length}`);
    const pin = await fetchObject(copies, key, (copy) => checkFile(copy, series.source));
    await linkCopy(copies, pin, path);
    const { file } = await prepare(series, path);
    const { sql, types } = await canonicalRows({ database, series, file, select });
    const part = join(folder, `rows-${parts.length}.parquet`);
    const rowsAsText = textRows(series, sql, [...types.keys()], modeText(types, name, series));
    await database.run(`COPY (${rowsAsText}) TO ${literal(part)} (FORMAT parquet)`);
    parts.push(part);
    for (const copy of [path, `${path}.rows`, `${path}.lines`]) await rm(copy, { force: true });
    await dropCopies(folder, look);
  }
  if (parts.length === 0) throw new OpalineError('OBJECT_MISSING', 'The source holds no object of this window.');
  const relation = `SELECT * FROM read_parquet([${parts.map(literal).join(', ')}], union_by_name = true)`;
  const names = (await database.rows(`DESCRIBE ${relation}`)).map(([name]) => String(name));
  const own = CANONICAL_COLUMNS[series.source.rows].filter((name) => name !== ID_COLUMN && names.includes(name));
  const columns = { measured: own, id: names.includes(ID_COLUMN) ? ID_COLUMN : null, order: 'place_in_time' };
  const table = await stageRelation({ database, folder }, relation, columns);
  const levels = await levelsOfSeries(context, series);
  return {
    staged: table,
    rules: own.map((name) =>
      isTime(name)
        ? { kind: 'minutes', minutes: series.bins.minutes }
        : isPlace(name)
          ? { kind: 'level', level: 1 }
          : { kind: 'keep' },
    ),
    levels: new Map(own.filter(isPlace).map((name) => [name, { names: [PUBLISHED_NAME], levels }])),
    missing: faults.map(({ object }) => object),
    usual: { choices: usualChoices(own), cells: cellsOf(series, own) },
  };
}

const usualChoices = (columns: readonly string[]): RuleChoice[] =>
  [
    { columns: columns.filter(isTime), words: MINUTES },
    { columns: columns.filter(isPlace), words: [PUBLISHED_NAME] },
  ].filter((choice) => choice.columns.length > 0);

/** The columns of the cells of each end of a trip that the series publishes. */
const cellsOf = (series: TapsSeries, columns: readonly string[]): string[][] =>
  series.source.rows === 'taps'
    ? [[...columns]]
    : listEnds(series.privacy.publish).map((tap) =>
        columns.filter((name) => name === 'mode' || name.startsWith(`${tap}_`)),
      );

/** The canonical columns of an object as texts, and what orders the rows of a card. */
function textRows(series: TapsSeries, sql: string, names: readonly string[], mode: string): string {
  const texts = CANONICAL_COLUMNS[series.source.rows].flatMap((name) => {
    if (name === 'mode') return [`${mode} AS mode`];
    if (!names.includes(name)) return [];
    const value = `nullif(trim(CAST(${name} AS VARCHAR)), '')`;
    return [`${isPlace(name) ? `${mode} || '/' || ${value}` : value} AS ${name}`];
  });
  const prefix = series.source.rows === 'trips' ? 'on_' : '';
  const parts = [`${prefix}time`, `${prefix}day`, `${prefix}minute`].filter((name) => names.includes(name));
  const place = parts.map((name) =>
    isTime(name) ? `lpad(CAST(${name} AS VARCHAR), 30, '0')` : `CAST(${name} AS VARCHAR)`,
  );
  return `SELECT ${texts.join(', ')}, concat_ws(' ', ${place.join(', ')}) AS place_in_time FROM (${sql})`;
}

/** The published name of every place that the dictionaries know. */
async function levelsOfSeries(context: PrivateContext, series: TapsSeries): Promise<Levels> {
  const levels = new Map<string, string[]>();
  for (const [mode, { dictionary }] of Object.entries(series.bins.locations))
    for (const [source, location] of parseDictionary(await readDictionary(context.releaseStore, dictionary)))
      levels.set(qualify(mode, source), [qualify(mode, location)]);
  return levels;
}
