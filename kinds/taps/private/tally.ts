import { partitionPath } from '../../../contracts/names.ts';
import { compareText } from '../../../counts/derive/count-row.ts';
import { listEnds } from '../../../counts/tables/tap-tables.ts';
import { SKETCH_ROWS, type Sketch } from '../../../custodian/preview/likeness.ts';
import type { Tally } from '../../../custodian/preview/tallies.ts';
import { rejectsOf } from '../../../custodian/source/rejected-rows.ts';
import { type Database, literal } from '../../../services/sql/duckdb.ts';
import { insertRows } from '../../../services/sql/insert-rows.ts';
import type { TapsSeries } from '../series.ts';
import { type CellNumbers, cellNumbers } from './cell-numbers.ts';
import { type CountedCells, HIGHEST_COUNT } from './counted-cells.ts';
import { type Declared, ELSEWHERE, EndTaps, type PublicRules, type TapGroup } from './end-taps.ts';
import { nameNumber, numberNames, type PublicLists } from './public-lists.ts';
import { slotNumber } from './slot-numbers.ts';
import type { TapColumns } from './tap-keys.ts';

/**
 * Counting the taps of one object, in one scan: DuckDB groups them by the numbers of mode, slot and place and gives the
 * groups in typed arrays; end-taps.ts says what becomes of each. Nothing is made for a row or a group.
 */

/** What one object may hold by its names, and how its rows are read. */
export type ObjectQuery = {
  canonical: string;
  canonicalWithRow: string;
  /** SQL for the keyed hash of a row, a UINTEGER, from columns that are read anyway: it can fail no object (C5). */
  hash: string;
  taps: readonly TapColumns[];
  /** SQL for the mode of a row. */
  mode: string;
  /** SQL for the card of a row as text; null when the unit is no card. */
  card: string | null;
  /** Are its rows too many to be kept for all who need them? */
  isLarge?: boolean;
  declared: Declared;
};

/** Makes what is public known to the database that reads rows. */
export async function publicRules(
  database: Database,
  series: Pick<TapsSeries, 'privacy'>,
  lists: PublicLists,
): Promise<PublicRules> {
  const numbers = cellNumbers(lists);
  await numberNames(database, numbers);
  return { lists, numbers, ends: listEnds(series.privacy.publish) };
}

/** The taps of one object by end, mode and slot, for each of the taps that a row has, and the sketch of its rows. */
export type ObjectTally = { ends: readonly EndTaps[]; sketch: Sketch };

/** Does a row hold one tap, on or off, which it names itself? */
export const holdsEither = ({ taps }: ObjectQuery): boolean => taps[0]?.tap === 'either';

/**
 * One row for each row of some rows of the object: `more`, tap (where rows name it) and mode, and slot_n and place_n of
 * each of its taps; all as numbers, but slots as they are read (tap-keys.ts).
 */
function keyRows(query: ObjectQuery, more: readonly string[] = [], rows = query.canonical): string {
  const keys = query.taps.map(
    ({ slot, location }, n) => `, ${slot} AS slot_${n}, ${nameNumber(location, 'places')} AS place_${n}`,
  );
  const tap = holdsEither(query) ? `, ${nameNumber('lower(CAST(tap AS VARCHAR))', 'taps')} AS tap` : '';
  const extras = more.map((sql, n) => `${sql} AS more_${n}, `).join('');
  return `SELECT ${extras}${nameNumber(query.mode, 'modes')} AS mode${tap}${keys.join('')} FROM (${rows})`;
}

/** The same with the numbers of slots, in this order. */
export function numberRows(
  query: ObjectQuery,
  { slots }: Pick<CellNumbers, 'slots'>,
  more: readonly string[] = [],
  rows = query.canonical,
): string {
  const columns = [
    ...more.map((_, n) => `more_${n}`),
    `${asWord('mode')} AS mode`,
    ...(holdsEither(query) ? [`${asWord('tap')} AS tap`] : []),
    ...query.taps.flatMap(({ reading }, n) => [
      `${asWord(slotNumber(`slot_${n}`, slots[reading]))} AS slot_${n}`,
      `${asWord(`place_${n}`)} AS place_${n}`,
    ]),
  ];
  return `SELECT ${columns.join(', ')} FROM (${keyRows(query, more, rows)}) AS keyed`;
}

/** A number as it leaves DuckDB. */
const asWord = (number: string): string => `CAST(${number} AS UINTEGER)`;

/** What becomes of the taps of an object: one for each tap that a row has. */
export const endsOf = (query: ObjectQuery, rules: PublicRules): EndTaps[] =>
  query.taps.map((columns) => new EndTaps(rules, query.declared, columns));

/**
 * Creates grouped, of taps that are alike: which tap of a row, the numbers of its end, mode, slot and place, and how
 * many. Rows are read once, those of a large object for each part, and each of their taps is grouped apart; slots are
 * numbered after that: there are far fewer. Beside them are the lowest hashes of the rows, instead of the end, as taps
 * that no row has. It is a table since a result that is taken piece by piece may have two parts in DuckDB 1.5: with
 * three on two threads, all threads wait for room once 8 MiB wait to be taken, and the statement never ends.
 */
function groupTaps(query: ObjectQuery, { slots }: Pick<CellNumbers, 'slots'>): string {
  const tap = holdsEither(query) ? 'tap' : '0';
  const groups = query.taps.map(
    ({ reading }, n) => `SELECT ${n} AS nth, ${asWord(tap)} AS tap, ${asWord('mode')} AS mode,
      ${asWord(slotNumber(`slot_${n}`, slots[reading]))} AS slot, ${asWord(`place_${n}`)} AS place, ${asWord(`least(count(*), ${HIGHEST_COUNT})`)} AS taps
    FROM keyed GROUP BY mode, ${holdsEither(query) ? 'tap, ' : ''}slot_${n}, place_${n}`,
  );
  // To sort for the lowest costs less than to aggregate them.
  const lowest = `(SELECT ${groups.length}, more_0${`, ${asWord('0')}`.repeat(4)} FROM keyed ORDER BY more_0 LIMIT ${SKETCH_ROWS})`;
  const hint = query.isLarge ? 'NOT MATERIALIZED' : 'MATERIALIZED';
  return `CREATE OR REPLACE TEMPORARY TABLE grouped AS WITH keyed AS ${hint} (${keyRows(query, [query.hash])})
    ${[...groups, lowest].join(' UNION ALL ')}`;
}

/** Tallies an object and counts its taps by cell, in one scan. Nothing of an object that fails is counted (C6). */
export async function countCells(
  database: Database,
  query: ObjectQuery,
  rules: PublicRules,
  counts: CountedCells,
): Promise<ObjectTally> {
  const ends = endsOf(query, rules);
  const sketch: number[] = [];
  const own = counts.begin();
  try {
    await database.run(groupTaps(query, rules.numbers));
    for await (const [nth, taps, modes, slots, places, many] of database.words('SELECT * FROM grouped')) {
      for (let at = 0; at < nth!.length; at++) {
        const cell = ends[nth![at]!]?.add(taps![at]!, modes![at]!, slots![at]!, places![at]!, many![at]!);
        if (cell === undefined) sketch.push(taps![at]!);
        else if (cell !== ELSEWHERE) own.add(cell, many![at]!);
      }
    }
    await database.run('DROP TABLE grouped');
    own.keep(groupsOf({ ends, sketch }).filter(({ firstCell }) => firstCell !== ELSEWHERE));
    return { ends, sketch: sketch.sort((a, b) => a - b) };
  } catch (error) {
    own.drop();
    throw error;
  }
}

/** All groups of taps of an object. */
const groupsOf = ({ ends }: ObjectTally): TapGroup[] => ends.flatMap((end) => [...end.groups()]);

/** What the object held, by reason, and by mode and day. */
export function readTally(tally: ObjectTally): Omit<Tally, 'format' | 'objects' | 'lines'> {
  const rejects = new Map<string, number>();
  const taps = new Map<string, Tally['taps'][number]>();
  let all = 0;
  for (const group of groupsOf(tally)) {
    all += group.taps;
    if (group.reason !== null) rejects.set(group.reason, (rejects.get(group.reason) ?? 0) + group.taps);
    else if (group.mode !== null && group.day !== null) {
      const partition = { part: group.mode, day: group.day };
      const entry = taps.get(partitionPath(partition)) ?? { ...partition, taps: 0, unknown: 0 };
      taps.set(partitionPath(partition), entry);
      entry.taps += group.taps;
      entry.unknown += group.unlisted;
    }
  }
  return {
    // Each row is met once for each tap that it may have.
    rows: all / tally.ends.length,
    sketch: [...tally.sketch],
    rejected: Object.fromEntries([...rejects].sort()),
    taps: [...taps].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one),
  };
}

/** Has the object rows to list as rejects? */
export const hasRejects = (tally: ObjectTally): boolean => groupsOf(tally).some(({ reason }) => reason !== null);

/** An object of which the taps were counted, and what reads it a second time. */
type ReadAgain = { database: Database; query: ObjectQuery; numbers: CellNumbers; tally: ObjectTally };

/** Groups of taps as rows of a table: of which tap of a row, and their numbers. */
async function insertGroups({ database, tally }: ReadAgain, table: string, keep: (group: TapGroup) => string | null) {
  await database.run(
    `CREATE OR REPLACE TEMPORARY TABLE ${table}(nth INTEGER, tap INTEGER, mode INTEGER, slot INTEGER, kept VARCHAR)`,
  );
  const rows = tally.ends.flatMap((end, n) =>
    Array.from(end.groups(), (group) => [n, ...group.numbers, keep(group)] as const).filter((row) => row[4] !== null),
  );
  await insertRows(database, table, rows);
}

/** Is a row in one of the groups of a table, by its nth tap? */
const inGroup = (query: ObjectQuery, table: string, n: number): string =>
  `${table}.nth = ${n} AND ${table}.mode = rows.mode AND ${table}.slot = rows.slot_${n}
    AND ${table}.tap = ${holdsEither(query) ? 'rows.tap' : 0}`;

/** Creates listed(mode, place), the places of the lists of modes, for unlistedTaps. */
export async function createListed(database: Database, { modes, places, unlisted }: CellNumbers): Promise<void> {
  await database.run('CREATE TABLE listed(mode INTEGER, place INTEGER)');
  const pairs = modes.flatMap((_, mode) => places.map((__, place) => [mode + 1, place + 1] as const));
  const isListed = ([mode, place]: readonly [number, number]) => unlisted[mode * (places.length + 1) + place] === 0;
  await insertRows(database, 'listed', pairs.filter(isListed));
}

/**
 * The query for counted taps at places that the list of their mode does not have, as (mode, name, taps), by the name that
 * the source gives, so much of it; after createListed. It is a second scan, for people who look.
 */
export async function queryUnlisted(again: ReadAgain, characters: number): Promise<string> {
  const { query, numbers } = again;
  await insertGroups(again, 'unlisted', ({ mode, firstCell, unlisted }) =>
    firstCell !== ELSEWHERE && unlisted > 0 ? mode : null,
  );
  const rows = numberRows(
    query,
    numbers,
    query.taps.map(({ location }) => location),
  );
  const ends = query.taps.map(
    (_, n) => `SELECT kept AS mode, left(trim(more_${n}), ${characters}) AS name
    FROM (${rows}) AS rows JOIN unlisted ON ${inGroup(query, 'unlisted', n)}
      ANTI JOIN listed ON listed.mode = rows.mode AND listed.place = rows.place_${n}`,
  );
  return `SELECT mode, name, count(*) AS taps FROM (${ends.join(' UNION ALL ')}) GROUP BY ALL`;
}

/**
 * Writes the rejects of the object to a Parquet file (reason, tap, row): taps of rows that were read, where there are
 * any, and lines that were none. Reads the object a second time, which only an object with rejects costs.
 */
export async function writeRejects(again: ReadAgain, lines: string | null, path: string): Promise<void> {
  const { database, query, numbers, tally } = again;
  const parts: string[] = [];
  if (hasRejects(tally)) {
    await insertGroups(again, 'rejects', ({ reason }) => reason);
    parts.push(
      ...query.taps.map(({ tap }, n) => {
        const tapText = tap === 'either' ? 'CAST(tap AS VARCHAR)' : literal(tap);
        const rows = numberRows(query, numbers, ['source_row', tapText], query.canonicalWithRow);
        return `SELECT kept AS reason, more_1 AS tap, more_0 AS row
          FROM (${rows}) AS rows JOIN rejects ON ${inGroup(query, 'rejects', n)}`;
      }),
    );
  }
  if (lines !== null) parts.push(`SELECT reason, NULL AS tap, row FROM ${rejectsOf(lines)}`);
  await database.run(`COPY (${parts.join(' UNION ALL ')}) TO ${literal(path)} (FORMAT parquet)`);
}
