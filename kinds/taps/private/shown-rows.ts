import { ERRORS, OpalineError } from '../../../contracts/errors.ts';
import { partitionPath } from '../../../contracts/names.ts';
import { windowDays, windowPartitions } from '../../../core/calendar/window.ts';
import { alikeWarnings, copyWarnings, inputWarnings } from '../../../custodian/preview/input-warnings.ts';
import { alikeObjects, type Sketch } from '../../../custodian/preview/likeness.ts';
import {
  type ObjectReport,
  objectReport,
  partitionTotals,
  type Tally,
  total,
} from '../../../custodian/preview/tallies.ts';
import type {
  ObjectShown,
  PartitionTotal,
  PrivateContext,
  RowsSeen,
  RowsShown,
  SampleColumn,
} from '../../../custodian/private-context.ts';
import {
  distinctObjects,
  type Pin,
  partitionsOf,
  type SourceWindow,
  sourceWindow,
} from '../../../custodian/source/inventory.ts';
import { type JsonRows, proposeRows } from '../../../custodian/source/json-document.ts';
import { listSource } from '../../../custodian/source/listing.ts';
import { rejectsOf } from '../../../custodian/source/rejected-rows.ts';
import { checkFile, fetchObject, objectCode } from '../../../custodian/source/scratch-copy.ts';
import { sourceText } from '../../../custodian/source/source-text.ts';
import { type SourceFile, sourceRelation } from '../../../custodian/sql/source-relation.ts';
import { withScratchFolder } from '../../../services/files/scratch-folder.ts';
import { type Database, identifier, withDatabase } from '../../../services/sql/duckdb.ts';
import type { TapsSeries } from '../series.ts';
import { tapsKind } from '../series-kind.ts';
import { countMemory } from './bounding.ts';
import { canonicalRows } from './canonical-rows.ts';
import { openCounts } from './counted-cells.ts';
import { type KeepOfObject, type NumberedObject, openScan, type Scan, scanObject } from './object-scan.ts';
import { codeOfObject } from './object-scans.ts';
import { sourceHints } from './source-hints.ts';
import { createListed, queryUnlisted, readTally } from './tally.ts';

/** Names that no list knows and that are shown, at most. */
const MOST_NAMES = 20;
/** So much of a name is shown, in characters. */
const NAME_CHARACTERS = 80;
/** Rows that are looked at for values of columns, columns that are shown, and values that are shown of each. */
const SAMPLE_ROWS = 1000;
const MOST_COLUMNS = 50;
const MOST_VALUES = 5;

type CountedTaps = Pick<Tally, 'taps'>;

/**
 * Reads the objects of a window as a release would, into tables that are gone at the end, and counts what became of the
 * rows. Cards are not bounded: every tap is counted. Cost: as the stages ingest and bin of a release.
 */
export async function showRows(context: PrivateContext, series: TapsSeries, window: string): Promise<RowsSeen> {
  const source = sourceWindow(tapsKind, series, window);
  const targets = windowPartitions(series, series.modes, window);
  const store = context.sourceStore(series.source.store);
  const listing = await listSource(store, source);
  const faults = listing.faults.map(({ object, code }) => ({ object, code }));
  return withScratchFolder(context.scratch, async (folder) => {
    // Copies go with the folder, whatever happens.
    const reading = { ...context, scratch: folder };
    // No release: nothing of this run is kept, so its name goes nowhere.
    const run = { series: series.series, window, version: 1, seriesDigest: '' };
    const pins: Pin[] = [];
    let rows: JsonRows | null = null;
    const check = async (path: string): Promise<void> => {
      await checkFile(path, series.source);
      if (series.source.format === 'json') rows ??= await proposeRows(sourceText(path, series.source));
    };
    for (const { key } of listing.objects) {
      try {
        pins.push(await fetchObject({ scratch: folder, release: run, store }, key, check));
      } catch (error) {
        faults.push({ object: key, code: objectCode(error) });
      }
    }
    const limits = { folder, memoryMiB: context.memoryMiB };
    return withDatabase(limits, async (database) => {
      const place = { context: reading, database, folder, run, round: 0, series };
      const scan = await openScan(place, source.days, targets, (numbers) =>
        openCounts(numbers.size, countMemory(limits)),
      );
      await createListed(database, scan.rules.numbers);
      await database.run('CREATE TABLE unmatched(part VARCHAR, name VARCHAR, taps BIGINT)');
      let sample: SampleColumn[] = [];
      let times: string[] = [];
      scan.look = async (file) => {
        if (!sample.some(({ values }) => values.length > 0)) sample = await sampleOf(database, file);
        if (scan.select && times.length === 0) times = await sampleTimes(scan, file);
      };
      const objects: (ObjectShown & CountedTaps)[] = [];
      const facts: ReadObjects = { reports: [], sketches: [] };
      for (const [number, object] of distinctObjects(series, pins).entries())
        objects.push(await showObject(scan, source, { object, number }, facts));
      const totals = partitionTotals(targets, objects);
      const rejects = new Map<string, number>();
      for (const [reason, count] of objects.flatMap((one) => Object.entries(one.rejected)))
        rejects.set(reason, (rejects.get(reason) ?? 0) + count);
      const warnings = [
        ...inputWarnings(facts.reports, []),
        ...copyWarnings(pins),
        ...alikeWarnings(alikeObjects(facts.sketches)),
      ];
      return {
        shown: {
          objects: objects.map(({ taps: _, ...object }) => object),
          faults,
          deliveries: pins.map(({ key, size, sha256 }) => ({ object: key, size, sha256 })),
          warnings: [...warnings.map(({ sentence }) => sentence), ...lowDays(totals)],
          totals,
          ...(await listUnmatched(database)),
          empty: totals.filter(({ counted }) => counted === 0).map(({ part, day }) => ({ part, day })),
        },
        sample: sample.map(({ column, values }) => ({ column, values: values.slice(0, MOST_VALUES) })),
        hints: sourceHints(series.source, {
          sample,
          selected: times,
          rejected: rejects,
          rows,
          days: windowDays(series, window),
          counted: total(totals.map(({ counted }) => counted)),
        }),
      };
    });
  });
}

/** What is compared of the objects that were read. */
type ReadObjects = { reports: ObjectReport[]; sketches: { object: string; sketch: Sketch }[] };

async function showObject(scan: Scan, source: SourceWindow, one: NumberedObject, facts: ReadObjects) {
  const { object } = one;
  const nothing = { object: object.pins[0].key, rows: 0, rejected: {}, fault: null, taps: [] };
  if (partitionsOf(source, object.names).length === 0) return nothing;
  let entry: ObjectShown & CountedTaps = nothing;
  const keep: KeepOfObject = async ({ database, rules }, { query, tally }, lines) => {
    const { rows, rejected, taps } = readTally(tally);
    const sql = await queryUnlisted({ database, query, numbers: rules.numbers, tally }, NAME_CHARACTERS);
    await database.run(`INSERT INTO unmatched ${sql}`);
    const none = await countLines(database, lines);
    entry = { ...nothing, rows, taps, rejected: { ...rejected, ...none } };
    const objects = object.pins.map(({ key }) => key);
    facts.reports.push(objectReport({ ...readTally(tally), objects, lines: total(Object.values(none)) }));
    facts.sketches.push({ object: nothing.object, sketch: tally.sketch });
  };
  try {
    await scanObject(scan, one, keep);
    return entry;
  } catch (error) {
    const code = codeOfObject(error);
    if (code === null) throw error;
    return { ...nothing, fault: error instanceof OpalineError ? error.message : ERRORS[code].cause };
  }
}

const countLines = async (database: Database, lines: string | null): Promise<Record<string, number>> => {
  if (lines === null) return {};
  const rows = await database.rows(`SELECT reason, count(*) FROM ${rejectsOf(lines)} GROUP BY reason ORDER BY reason`);
  return Object.fromEntries(rows.map(([reason, count]) => [String(reason), Number(count)]));
};

async function listUnmatched(database: Database): Promise<Pick<RowsShown, 'unmatched' | 'unmatchedNames'>> {
  const names = 'SELECT part, name, sum(taps) AS taps FROM unmatched GROUP BY part, name';
  const most = await database.rows(`${names} ORDER BY taps DESC, part, name LIMIT ${MOST_NAMES}`);
  const [all] = await database.rows(`SELECT count(*) FROM (${names})`);
  return {
    unmatched: most.map(([part, name, count]) => ({
      part: String(part),
      name: name === null ? '' : String(name),
      counted: Number(count),
    })),
    unmatchedNames: Number(all![0]),
  };
}

/** Days of a mode, in a window, with less than this part of what its usual day has are named. */
const LOW = 0.1;

/** What hints at lost rows: days with few taps beside the other days of their mode. Those with none are shown anyway. */
const lowDays = (totals: readonly PartitionTotal[]): string[] =>
  [...Map.groupBy(totals, ({ part }) => part).values()].flatMap((days) => {
    const usual = days.map(({ counted }) => counted).sort((a, b) => a - b)[days.length >> 1]!;
    return days
      .filter(({ counted }) => counted > 0 && counted < LOW * usual)
      .map(
        (one) =>
          `${partitionPath(one)} has ${one.counted} taps, and half the days of the window have ${usual} or more.`,
      );
  });

/** Times that the select makes of the first rows of a file, as far as they are texts; none where it cannot be read so. */
async function sampleTimes(scan: Scan, file: SourceFile): Promise<string[]> {
  try {
    const { types, sql } = await canonicalRows({ ...scan, file });
    const times = [...types].filter(([name, type]) => name.endsWith('time') && type === 'VARCHAR');
    const texts = times.map(([name]) => `left(${identifier(name)}, ${NAME_CHARACTERS})`);
    return distinctTexts(
      (await scan.database.rows(`SELECT ${texts.join(', ')} FROM (${sql}) LIMIT ${SAMPLE_ROWS}`)).flat(),
    );
  } catch {
    return [];
  }
}

/** Values of the first rows of a file; none of a file that cannot be read so. */
async function sampleOf(database: Database, file: SourceFile): Promise<SampleColumn[]> {
  const relation = `(${sourceRelation(file)} LIMIT ${SAMPLE_ROWS})`;
  try {
    if (file.format === 'jsonl') {
      const rows = await database.rows(`SELECT CAST(json AS VARCHAR) FROM ${relation} WHERE json IS NOT NULL`);
      const objects = rows.map(([row]): Record<string, unknown> => JSON.parse(String(row)));
      const names = [...new Set(objects.flatMap(Object.keys))].slice(0, MOST_COLUMNS);
      return names.map((column) => ({ column, values: distinctTexts(objects.map((one) => one[column])) }));
    }
    const names = (await database.rows(`DESCRIBE SELECT * FROM ${relation}`)).map(([name]) => String(name));
    const columns = names.slice(0, MOST_COLUMNS);
    const values = columns.map((name) => `left(CAST(${identifier(name)} AS VARCHAR), ${NAME_CHARACTERS})`);
    const rows = await database.rows(`SELECT ${values.join(', ')} FROM ${relation}`);
    return columns.map((column, index) => ({ column, values: distinctTexts(rows.map((row) => row[index])) }));
  } catch {
    return [];
  }
}

/** What is there of some values, each once and as people read it. */
function distinctTexts(values: readonly unknown[]): string[] {
  const there = values.filter((value) => value !== null && value !== undefined);
  const texts = there.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return [...new Set(texts.map((text) => text.slice(0, NAME_CHARACTERS)))];
}
