import { join } from 'node:path';
import { type Database, literal } from '../../../activities/sql/duckdb.ts';
import type { CardScope } from '../../../core/certificate/units.ts';
import { LEFT_OUT_TABLE } from './left-out.ts';
import { endOf, keyedRows, type ObjectQuery } from './tally.ts';

/**
 * Bounding the taps of a card (C2): of all taps of one card in a scope, over all objects and modes, at most k are
 * counted, those of the lowest ranks. card-taps.proof.md says why the bound holds and what it rests on.
 *
 * A canonical tap is the cell that it is counted in: mode, day, end, time bin and published location. Two taps of a card
 * in one cell change the counts alike, however their rows are written, so nothing finer can matter, and what is counted
 * of a card is a function of the multiset of its cells. The rank of a tap is a keyed hash of card, cell and the ordinal
 * among the card's taps in that cell; where ranks are equal, the order of the cells decides, then the ordinal.
 *
 * card_cells(id, mode, day, tap, time, location): every cell that was met, numbered as it comes; the number only names
 * it. left_out (left-out.ts): how many taps of the ranks k + 1 to k + C there are. card_taps(high, low, cell_0,
 * cell_1): one row for each source row that has a tap to count, the card as the 128 bits of a keyed digest. card_keys:
 * for one object, what the keys of a row say of its cell.
 */
export type CardBound = {
  /** Text that keys all digests: 32 hexadecimal digits, so that one block of MD5 holds it with a usual card number. */
  key: string;
  /** k. */
  maxTaps: number;
  /** C: of each card and scope so many of the taps that k leaves out are counted at most; 0 when none are. */
  clamp: number;
  scope: CardScope;
  /** Folder for taps that are put aside. */
  folder: string;
  /** When so many rows are held in memory they are put aside. */
  rowsInMemory: number;
};

/** Columns that are the same in all taps of one card among which k are chosen. */
const KEYS_OF_SCOPE = { day: 'high, low, day', window: 'high, low' } as const satisfies Record<CardScope, string>;

/** Cards are put aside in so many parts, by four bits of their digest. */
const PARTS = 16;

/** Ranks are integers below this prime (2^31 − 1), so that products stay below 2^62. */
const PRIME = 2_147_483_647;

const CARD_TAPS = 'CREATE OR REPLACE TABLE card_taps(high UBIGINT, low UBIGINT, cell_0 INTEGER, cell_1 INTEGER)';

export const createCardTables = (database: Database): Promise<void> =>
  database.run(`${CARD_TAPS};
    ${LEFT_OUT_TABLE};
    CREATE TABLE card_cells(
      id INTEGER, mode mode_name, day day_name, tap tap_name, time time_name, location location_name)`);

const CELL = 'mode, day, tap, time, location';

/**
 * Adds the taps of the object that is in `counted` (tally.ts): a second scan, since only the first one shows which keys
 * there are. `number` tells the objects of one activity apart.
 */
export async function addCardTaps(
  database: Database,
  bound: CardBound,
  query: ObjectQuery,
  number: number,
): Promise<void> {
  await database.run(`INSERT INTO card_cells
    SELECT (SELECT count(*) FROM card_cells) + row_number() OVER (), ${CELL}
    FROM (SELECT DISTINCT ${CELL} FROM counted EXCEPT SELECT ${CELL} FROM card_cells);
    CREATE OR REPLACE TABLE card_keys AS
    SELECT counted.tap, counted.mode, slot, place, id AS cell FROM counted JOIN card_cells USING (${CELL})`);
  const cells = [0, 1].map((n) => (query.taps[n] ? `keys_${n}.cell` : 'CAST(NULL AS INTEGER)'));
  const joins = query.taps.map((columns, n) => {
    return `LEFT JOIN card_keys AS keys_${n} ON keys_${n}.tap = ${endOf(query, columns, 'keyed.')} AND keys_${n}.mode = keyed.mode
      AND keys_${n}.slot = keyed.slot_${n} AND keys_${n}.place IS NOT DISTINCT FROM keyed.place_${n}`;
  });
  const rows = keyedRows(query, `, ${query.card} AS card`);
  await database.run(`INSERT INTO card_taps
    SELECT CAST(digest >> 64 AS UBIGINT), CAST(digest & ${2n ** 64n - 1n}::UHUGEINT AS UBIGINT), cell_0, cell_1
    FROM (SELECT md5_number(concat(${literal(bound.key)}, card)) AS digest, ${cells[0]} AS cell_0, ${cells[1]} AS cell_1
      FROM (${rows}) AS keyed ${joins.join(' ')})
    WHERE cell_0 IS NOT NULL OR cell_1 IS NOT NULL`);
  if ((await countOf(database, 'card_taps')) >= bound.rowsInMemory) await putAside(database, bound, number);
}

async function countOf(database: Database, relation: string): Promise<number> {
  const [row] = await database.rows(`SELECT count(*) FROM ${relation}`);
  return Number(row?.[0]);
}

async function putAside(database: Database, { folder }: CardBound, number: number | 'last'): Promise<void> {
  const target = literal(join(folder, `card-taps-${number}`));
  await database.run(`COPY (SELECT CAST(high & ${PARTS - 1} AS UTINYINT) AS part, * FROM card_taps) TO ${target}
    (FORMAT parquet, PARTITION_BY (part));
    ${CARD_TAPS}`);
}

const filesOf = ({ folder }: CardBound, part: number | '*'): string =>
  literal(join(folder, 'card-taps-*', `part=${part}`, '*.parquet'));

/**
 * Counts at most k taps of each card and scope into the table `cells`, and of the others at most C into `left_out`, after
 * all objects were added.
 */
export async function countCardTaps(database: Database, bound: CardBound): Promise<void> {
  const fraction = (digest: string): string => `CAST(${digest} & ${PRIME} AS BIGINT)`;
  const digest = `md5_number(concat_ws(chr(31), ${literal(bound.key)}, ${CELL}))`;
  await database.run(`CREATE OR REPLACE TABLE card_places AS
    SELECT id, day, row_number() OVER (ORDER BY ${CELL}) AS place,
      ${fraction('digest')} AS point, ${fraction('(digest >> 31)')} AS step
    FROM (SELECT *, ${digest} AS digest FROM card_cells)`);
  if ((await countOf(database, `glob(${filesOf(bound, '*')})`)) === 0) return countTaps(database, bound, 'card_taps');
  if ((await countOf(database, 'card_taps')) > 0) await putAside(database, bound, 'last');
  for (let part = 0; part < PARTS; part++) {
    if ((await countOf(database, `glob(${filesOf(bound, part)})`)) === 0) continue;
    await countTaps(database, bound, `read_parquet(${filesOf(bound, part)}, hive_partitioning = false)`);
  }
}

/**
 * The k lowest ranks of each card and scope in a relation that holds all taps of its cards, and the C that come next.
 * The rank is a linear hash over the prime: its factors are 62 bits of the card's digest, its argument is that of cell
 * and ordinal.
 */
const countTaps = (database: Database, { maxTaps, clamp, scope }: CardBound, relation: string): Promise<void> =>
  database.run(`CREATE OR REPLACE TABLE chosen AS
    WITH several AS (
      SELECT high, low, cell, count(*) AS taps FROM (
        SELECT high, low, cell_0 AS cell FROM ${relation} WHERE cell_0 IS NOT NULL
        UNION ALL SELECT high, low, cell_1 FROM ${relation} WHERE cell_1 IS NOT NULL)
      GROUP BY high, low, cell
    ), each AS (
      SELECT high, low, cell, unnest(range(taps)) AS ordinal FROM several
    ), ranked AS (
      SELECT high, low, cell, ordinal, day, place,
        (CAST(low & ${PRIME} AS BIGINT) * ((point + ordinal * step) % ${PRIME})
          + CAST((low >> 31) & ${PRIME} AS BIGINT)) % ${PRIME} AS rank
      FROM each JOIN card_places ON card_places.id = each.cell
    ), numbered AS (
      SELECT cell, row_number() OVER (
        PARTITION BY ${KEYS_OF_SCOPE[scope]} ORDER BY rank, place, ordinal) AS number FROM ranked
      QUALIFY number <= ${maxTaps + clamp}
    )
    SELECT cell, number <= ${maxTaps} AS is_counted, count(*) AS taps FROM numbered GROUP BY ALL;
    INSERT INTO cells
    SELECT ${CELL}, taps FROM chosen JOIN card_cells ON card_cells.id = chosen.cell WHERE is_counted;
    INSERT INTO left_out
    SELECT mode, day, tap, taps FROM chosen JOIN card_cells ON card_cells.id = chosen.cell WHERE NOT is_counted`);
