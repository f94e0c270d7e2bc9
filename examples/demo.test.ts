import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSeriesFile } from '../client/series/series-file.ts';
import { RELEASE_KEYS } from '../contracts/names.ts';
import { clockLabel, clockMinutes } from '../core/calendar/time-bins.ts';
import { ALL } from '../counts/derive/count-row.ts';
import { tableOf } from '../counts/derive/count-table.ts';
import { duckdb } from '../kinds/taps/private/stages.fixture.ts';
import { parseTimetable } from '../kinds/taps/public/audit-subject/timetable.ts';
import { publicTaps } from '../kinds/taps/public/public-kind.ts';
import { type TapsSeries, tapsSeries } from '../kinds/taps/series.ts';
import { certificateOf } from '../kinds/taps/taps-certificate.ts';
import { dataFiles } from '../services/release/audited-files.ts';
import { sha256 } from '../services/stores/json-objects.ts';
import { certifiedNoise, drawTableWith, type Noise, sumOverLocations } from '../test/support/draw-rows.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { seededSource } from '../test/support/seeded-source.ts';
import { csvOf } from '../test/support/table-forms.ts';
import { testRelease } from '../test/support/test-release.ts';
import { binWindow, type ExactPartition } from './binned-window.fixture.ts';
import { countExample } from './count-example.fixture.ts';
import { generateDemo } from './demo/generate-demo.ts';

const SERIES_FILE = fileURLToPath(new URL('demo.yaml', import.meta.url));
const TIMETABLE = fileURLToPath(new URL('dictionaries/demo-timetable.csv', import.meta.url));

const root = newFolder();
let source: string;
beforeAll(async () => {
  source = join(root, 'source');
  await generateDemo(source);
}, 240_000);

const trips = () => `read_parquet(${files()})`;
/** Of the fortnight: an object of the third week is broken. */
const files = () => `['${source}/trips/2026-03-0*/*.parquet', '${source}/trips/2026-03-1[0-5]/*.parquet']`;

describe('demo trips', () => {
  it('are 200,000 in a fortnight, the same in every run, and go through ingest and bin in both windows', async () => {
    const [[all, unfinished, unknown, overnight] = []] =
      await duckdb(`SELECT count(*), count(*) FILTER (off_time IS NULL),
      count(*) FILTER (on_location LIKE 'Depot%'), count(*) FILTER (CAST(off_time AS DATE) > CAST(on_time AS DATE)) FROM ${trips()}`);
    expect(all).toBe(200_000n);
    expect(Number(unfinished) / 200_000).toBeCloseTo(0.03, 2);
    expect(Number(unknown) / 200_000).toBeCloseTo(0.01, 2);
    expect(Number(overnight)).toBeGreaterThan(1000);

    const counted = { on: 0, off: 0 };
    for (const window of ['2026-03-02', '2026-03-09']) {
      const { faults, taps, rejects } = await countExample(root, SERIES_FILE, source, window);
      expect({ faults, rejects }).toEqual({ faults: [], rejects: 0 });
      for (const [key, count] of taps) counted[key.endsWith(' on') ? 'on' : 'off'] += count;
    }
    expect(counted.on).toBe(200_000);
    // The trips of the last evening end after the second window.
    const [[ended] = []] = await duckdb(
      `SELECT count(*) FROM ${trips()} WHERE off_time < TIMESTAMP '2026-03-16 00:00'`,
    );
    expect(counted.off).toBe(Number(ended));
  });

  it('are as the series declares: nobody else uses the two wharves, and all land after as many minutes', async () => {
    const series = tapsSeries((await loadSeriesFile(SERIES_FILE)).series);
    const services = series.audit!.equalTruth;
    const wharves = `('${services.map(({ from }) => from).join("', '")}')`;
    const used = await duckdb(`SELECT mode, on_location, off_location, epoch(min(off_time - on_time)) / 60,
      epoch(max(off_time - on_time)) / 60, count(*) FROM (SELECT *, split_part(parse_filename(filename), '.', 1) AS mode
      FROM read_parquet(${files()}, filename = true))
      WHERE on_location IN ${wharves} OR off_location IN ${wharves} GROUP BY ALL ORDER BY on_location DESC`);
    expect(used.map((row) => row.slice(0, 5))).toEqual(
      services.map(({ mode, from, to, minutes }) => [mode, from, to, minutes, minutes]),
    );
    for (const row of used) expect(Number(row[5])).toBeGreaterThan(2000);
  });

  it('are as the timetable declares: every cell of the two wharves is fed by at most as many departures', async () => {
    const timetable = parseTimetable(await readFile(TIMETABLE));
    const declared = new Map(timetable.map((row) => [`${row.location} ${row.tap} ${row.time}`, row.services]));
    const seen = await duckdb(`SELECT place, tap, quarter, max(services) FROM (
      SELECT place, tap, epoch(time_bucket(INTERVAL 15 minutes, t)) AS bin, count(DISTINCT time_bucket(INTERVAL 5 minutes, t)) AS services,
        CAST(floor((hour(any_value(t)) * 60 + minute(any_value(t))) / 15) AS INTEGER) AS quarter
      FROM (SELECT on_location AS place, 'on' AS tap, on_time AS t FROM ${trips()} UNION ALL SELECT off_location, 'off', off_time FROM ${trips()})
      WHERE place LIKE 'Wrengrove%' OR place LIKE 'Beechgate%' GROUP BY place, tap, bin) GROUP BY place, tap, quarter`);
    expect(seen.length).toBeGreaterThan(150);
    for (const [place, tap, quarter, services] of seen)
      expect(Number(services)).toBeLessThanOrEqual(
        declared.get(`${place} ${tap} ${clockLabel(Number(quarter) * 15)}`) ?? 0,
      );
  });
});

describe('what the demo declares, in its audit', () => {
  let series: TapsSeries;
  let files: Buffer[];
  let ferries: ExactPartition[];
  beforeAll(async () => {
    const loaded = await loadSeriesFile(SERIES_FILE);
    series = { ...tapsSeries(loaded.series), modes: ['ferry'] };
    files = loaded.dictionaries.map(({ bytes }) => bytes);
    const { partitions } = await binWindow(join(root, 'binned'), SERIES_FILE, source, '2026-03-02');
    ferries = partitions.filter(({ partition }) => partition.part === 'ferry');
  }, 240_000);

  type Change = {
    noise?: (noise: Noise) => Partial<Noise>;
    timetable?: Buffer;
    staged?: readonly [name: string, bytes: Buffer];
  };

  /** The first week of the ferries, drawn by the production mechanism, through the real derive and audit. */
  async function auditOf({ noise: change = () => ({}), timetable, staged }: Change = {}) {
    const certificate = certificateOf(series);
    const random = seededSource(5);
    const tables = ferries.map(({ partition, counts, domain }) => {
      const noise = certifiedNoise(certificate, random);
      return drawTableWith({ ...noise, ...change(noise) }, partition, counts, domain, certificate);
    });
    const declared = timetable ? { ...series.audit!, timetable: sha256(timetable) } : series.audit;
    const release = await testRelease({ ...series, audit: declared }, tables);
    const { context, input } = release;
    for (const bytes of [...files, ...(timetable ? [timetable] : [])])
      await context.releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(sha256(bytes)), bytes);
    const made = new Map([...(await dataFiles(context, input, release.series)), ...(staged ? [staged] : [])]);
    const { checks, verdict } = await publicTaps.audit(context, input, release.series, made);
    const caught = checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'attention').map(({ id }) => id);
    return { verdict, caught, check: (id: string) => checks.find((one) => one.id === id)! };
  }

  // The seed is fixed.
  it('tells the scale of the noise, and the release passes', async () => {
    const { verdict, caught, check } = await auditOf();
    expect({ verdict, caught }).toEqual({ verdict: 'pass', caught: [] });
    const { statistic, bound, interval, sentence } = check('scale');
    expect(Number(/^From (\d+) pairs/.exec(sentence)![1])).toBeGreaterThan(50);
    expect(interval![0]).toBeLessThan(bound!);
    expect(interval![1]).toBeGreaterThan(bound!);
    expect(statistic).toBeCloseTo(bound!, 0);
    expect(check('reuse').pValue).not.toBeNull();
    expect(check('timetable-extremes').sentence).toMatch(/^By the timetable every published cell/);
  });

  it('broken twins: noise of four times the size, and one draw for both ends of a trip, are caught by the pairs', async () => {
    const larger = await auditOf({ noise: (noise) => ({ cell: (...key) => 4 * noise.cell(...key) }) });
    expect(larger.caught).toContain('scale');
    /** The tap on of the same riders, where there is one. */
    const startOf = (tap: string, time: string, location: string): string => {
      const service = series.audit!.equalTruth.find(({ to }) => tap === 'off' && to === location);
      return service
        ? `on ${clockLabel(clockMinutes(time) - service.minutes)} ${service.from}`
        : `${tap} ${time} ${location}`;
    };
    const shared = await auditOf({
      noise: (noise) => {
        const drawn = new Map<string, number>();
        return {
          cell: (...key) => {
            const value = drawn.get(startOf(...key)) ?? noise.cell(...key);
            drawn.set(startOf(...key), value);
            return value;
          },
        };
      },
    });
    expect(shared.caught).toEqual(['scale', 'reuse']);
  });

  it('broken twin: a time table from the raw counts is caught', async () => {
    const raw = ferries.flatMap(({ partition, counts }) =>
      counts.map(([tap, time, location, count]) => ({
        mode: partition.part,
        day: partition.day,
        tap,
        time,
        location,
        count,
      })),
    );
    const table = Buffer.from(csvOf('time', tableOf(sumOverLocations(raw, []).filter((row) => row.location === ALL))));
    const { caught, verdict } = await auditOf({ staged: ['time.csv', table] });
    expect({ caught, verdict }).toEqual({ caught: ['sums', 'differencing'], verdict: 'fail' });
  });

  it('broken twin: where one departure alone feeds a published cell, approvers have to acknowledge its name', async () => {
    const text = await readFile(TIMETABLE, 'utf8');
    const busiest = 'ferry,Wrengrove Wharf,on,08:00';
    const timetable = Buffer.from(text.replace(`${busiest},3,2`, `${busiest},1,2`));
    const { caught, verdict, check } = await auditOf({ timetable });
    expect({ caught, verdict }).toEqual({ caught: ['timetable-extremes'], verdict: 'attention' });
    expect(check('timetable-extremes').sentence).toContain('ferry 2026-03-02 on 08:00 Wrengrove Wharf');
    expect(check('timetable-extremes').statistic).toBeLessThanOrEqual(7);
  });
});
