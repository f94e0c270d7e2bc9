import { RELEASE_KEYS, releasePath } from '../../../contracts/names.ts';
import type { Run } from '../../../contracts/stages.ts';
import { makeCache } from '../../../core/memory/function-cache.ts';
import { countInterference } from '../../../counts/audit/mechanism/interference.ts';
import { countShadow } from '../../../counts/audit/mechanism/shadow-counts.ts';
import {
  BIN_MINUTES,
  clockAt,
  type ShadowTable,
  shadowTables,
  UNKNOWN,
} from '../../../counts/audit/mechanism/shadow-layout.ts';
import type { ShadowCounts } from '../../../counts/audit/mechanism/shadow-tallies.ts';
import { columnsOf, placeCounts } from '../../../counts/mechanisms/cell-counts.ts';
import { drawTableWith } from '../../../counts/mechanisms/draw-table.ts';
import { noiseInPlace } from '../../../counts/mechanisms/noise.ts';
import { orderDomain } from '../../../counts/mechanisms/public-domain.ts';
import type { PrivatizedTable } from '../../../counts/tables/columns.ts';
import type { ShadowWorld } from '../../../custodian/private-context.ts';
import { sha256 } from '../../../services/stores/json-objects.ts';
import { privatizedTableSchema } from '../privatized-table.ts';
import type { TapsSeries } from '../series.ts';
import { certificateOf } from '../taps-certificate.ts';
import { cellBytes } from './cells.ts';

/**
 * Sends made-up counts through the activity that draws every release of taps, in a deployment that nobody else sees, and
 * reports what it stored; then draws some with noise that is handed in. In that world they have series, dictionaries,
 * cells and charges of releases: privatize finds nothing that distinguishes them from real ones except their names. The
 * privacy parameters are those of the series; randomness and kinds are the worker's own. Cost: 60 charges and 480 draws
 * of 64 cells, about a second.
 *
 * @contract C15
 */
export async function shadowOfTaps(world: ShadowWorld, series: TapsSeries): Promise<ShadowCounts> {
  const certificate = certificateOf(series);
  const tables = shadowTables(certificate);
  const runOf = releasesOf(world, series, tables);
  const answers: PrivatizedTable[] = [];
  for (const table of tables) {
    const bytes = await world.draw(await runOf(table), table.partition, encodeCells(table));
    answers.push(privatizedTableSchema.parse(JSON.parse(`${bytes}`)));
  }
  const interference = countInterference(
    certificate,
    world.context.random,
    (noise, partition, counts, lists, leftOut) => {
      const domain = orderDomain(lists);
      const cells = placeCounts(columnsOf(counts), domain);
      return drawTableWith(noiseInPlace(noise, domain), partition, cells, domain, certificate, leftOut);
    },
  );
  return { ...countShadow(certificate, tables, answers), interference };
}

/** Gives the release of a table, which is charged, under a series file of its shape, which is signed. */
function releasesOf(world: ShadowWorld, series: TapsSeries, tables: readonly ShadowTable[]) {
  const files = makeCache<Promise<{ made: TapsSeries; digest: string }>>();
  const runs = makeCache<Promise<Run>>();
  /** Puts the series that has the domain of a table, and its dictionary. */
  const signSeries = async (name: string, { domain: { times, locations } }: ShadowTable) => {
    const dictionary = Buffer.from(`location\n${locations.map((location) => `${location}\n`).join('')}`, 'utf8');
    await world.context.releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(sha256(dictionary)), dictionary);
    const modes = [...new Set(tables.map(({ partition }) => partition.part))];
    const places = { dictionary: sha256(dictionary), unknown: UNKNOWN };
    const file: TapsSeries = {
      ...series,
      series: name,
      timeZone: 'UTC',
      window: { days: 7, firstWeekday: 'monday', lagDays: 0 },
      day: { starts: clockAt(0), ends: clockAt(times.length) },
      bins: { minutes: BIN_MINUTES, locations: Object.fromEntries(modes.map((mode) => [mode, places])) },
      modes,
    };
    return { made: file, digest: await world.sign(file) };
  };
  return (table: ShadowTable): Promise<Run> => {
    const { shape, window, version } = table;
    const name = `shadow-${shape}`;
    return runs(releasePath({ series: name, window, version }), async () => {
      const { made, digest } = await files(name, () => signSeries(name, table));
      const run = { series: name, window, version, seriesDigest: digest };
      await world.charge(run, made);
      return run;
    });
  };
}

/** The cells of a table, as bin stores them. */
function encodeCells({ cells, leftOut }: ShadowTable): Buffer {
  const columns = columnsOf(cells.filter(([, , , count]) => count > 0));
  return cellBytes({ cells: columns, leftOut: leftOut.length > 0 ? leftOut : null });
}
