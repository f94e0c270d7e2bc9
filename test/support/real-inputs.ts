import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateOpal } from '../../examples/opal/generate-opal.ts';
import type { NoiseLaw } from './published-totals.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** Where the real data is: OPALINE_DATA, or the folder beside the checkout. */
const DATA = resolve(process.env.OPALINE_DATA ?? join(PROJECT, '..', 'shared', 'data'));

/** A real input, and its truth: DuckDB queries over the raw files that share nothing with the product's own. */
export type RealInput = {
  name: 'oyster' | 'opal';
  present: boolean;
  window: string;
  partitions: number;
  /**
   * ε = 8, replace-one: of a trip with its on and off (D1 = 4), on a complete domain with 31/5 of ε for its cells; of a
   * tap (D1 = 2), at δ = 1e-6.
   */
  law: NoiseLaw;
  /** Its scale as the certificate writes it. */
  scale: string;
  /** The least and the most published cells in which nobody was, except with a chance of 1e-9. */
  invented: [least: number, most: number];
  /** Checks that may ask for attention: of few taps sometimes none is published. */
  attention: string[];
  /** Ending of the names of its source objects. */
  ending: string;
  /** The folder of its source objects; made below `root` where they are generated. */
  source(root: string): Promise<string>;
  /** Exact cells (mode, date as YYYYMMDD, tap, time, loc, count) from the source objects in the folder. */
  cells(source: string): string;
  /** Known totals (mode or `all`, tap, count): of the published Opal file, and those that the Oyster README states. */
  totals: string;
};

const OYSTER = join(DATA, 'tfl-oyster');
const OPAL = join(DATA, 'opal');

/** HH:MM of the quarter hour that minute `m` is in; past midnight it counts on. */
const label = (minute: string): string => `printf('%02d:%02d', ${minute} // 60, ${minute} % 60 // 15 * 15)`;

const oysterCells = (source: string): string => `
  WITH journeys AS (
    SELECT column00::INTEGER AS weekday, column02 AS system, trim(column03) AS entry, trim(column04) AS exit,
      column05::INTEGER AS entered, column07::INTEGER AS left_at, column14 AS route
    FROM read_csv('${source}/*.gz', header = false, all_varchar = true, delim = ',', quote = '"', auto_detect = false,
      columns = {${Array.from({ length: 16 }, (_, n) => `'column${String(n).padStart(2, '0')}': 'VARCHAR'`).join(', ')}})
  ), taps AS (
    SELECT weekday, system, 'on' AS tap, entered AS minute, if(system = 'LTB', route, entry) AS loc
    FROM journeys WHERE entry <> 'Unstarted'
    UNION ALL
    SELECT weekday, system, 'off', left_at, exit
    FROM journeys WHERE system <> 'LTB' AND left_at > 0 AND exit NOT IN ('Unfinished', 'Not Applicable')
  )
  SELECT CASE system WHEN 'LTB' THEN 'bus' WHEN 'LUL' THEN 'underground' WHEN 'TRAM' THEN 'tram'
      ELSE if(contains(system, 'LUL'), 'mixed', 'rail') END AS mode,
    printf('200911%02d', weekday) AS date, tap, ${label('minute')} AS time, loc, count(*) AS count
  FROM taps GROUP BY ALL`;

const opalCells = (source: string): string => `
  SELECT parse_filename(filename, true) AS mode, strftime(time, '%Y%m%d') AS date, tap,
    ${label('(hour(time) * 60 + minute(time))')} AS time, location AS loc, count(*) AS count
  FROM read_parquet('${source}/taps/*/*.parquet', filename = true) GROUP BY ALL`;

export const REAL_INPUTS: RealInput[] = [
  {
    name: 'oyster',
    present: existsSync(OYSTER),
    window: '2009-11-01',
    partitions: 35,
    law: { scale: 20 / 31, threshold: 7 },
    scale: '20/31',
    // 3.5 million empty cells, of which noise lifts about 50 to the floor.
    invented: [5, 150],
    attention: ['published-taps'],
    ending: '.gz',
    source: async () => OYSTER,
    cells: oysterCells,
    totals: `SELECT * FROM (VALUES ('all', 'on', 2223483), ('all', 'off', 638114), ('bus', 'on', 1550468),
      ('underground', 'on', 585199), ('tram', 'on', 8300), ('mixed', 'on', 42541)) AS t(mode, tap, count)`,
  },
  {
    name: 'opal',
    present: existsSync(OPAL),
    window: '2016-08-08',
    partitions: 28,
    law: { scale: 1 / 4, threshold: 5 },
    scale: '1/4',
    invented: [0, 0],
    attention: [],
    ending: '.parquet',
    source: async (root) => {
      const target = join(root, 'opal-taps');
      await generateOpal(OPAL, target);
      return target;
    },
    cells: opalCells,
    // The file ends with two stray lines that are no CSV.
    totals: `SELECT field[1] AS mode, field[3] AS tap, sum(trim(field[5], chr(13))::BIGINT) AS count
      FROM (SELECT string_split(unnest(string_split(content, chr(10))), ',') AS field
        FROM read_text('${OPAL}/location_20160808-14.csv'))
      WHERE field[3] IN ('on', 'off') GROUP BY ALL`,
  },
];
