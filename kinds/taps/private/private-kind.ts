import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import { placeCounts } from '../../../counts/mechanisms/cell-counts.ts';
import { drawTableWith } from '../../../counts/mechanisms/draw-table.ts';
import { makeNoise } from '../../../counts/mechanisms/noise.ts';
import { orderDomain } from '../../../counts/mechanisms/public-domain.ts';
import { total } from '../../../custodian/preview/tallies.ts';
import type { PrivateKind } from '../../../custodian/private-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { tapsSeries } from '../series.ts';
import { tapsKind } from '../series-kind.ts';
import { certificateOf } from '../taps-certificate.ts';
import { readPublicDomain } from '../taps-domain.ts';
import { binTaps } from './bin.ts';
import { readCells, requireLeftOut } from './cells.ts';
import { stageSeries } from './series-rows.ts';
import { shadowOfTaps } from './shadow.ts';
import { showRows } from './shown-rows.ts';

/** Taps on the custodian side. */
export const privateTaps: PrivateKind = {
  ...tapsKind,
  bin: binTaps,
  counts: async (context, input, series) => {
    const { partition, round } = input;
    const taps = tapsSeries(series);
    const domain = orderDomain(await readPublicDomain(context.releaseStore, taps, partition));
    const record = await readCells(context.privateStore, PRIVATE_KEYS.cells(input, round, partition));
    const counts = placeCounts(record.cells, domain);
    const certificate = certificateOf(taps);
    const leftOut = certificate.leftOutScale === undefined ? null : requireLeftOut(record);
    const draw = async (): Promise<Buffer> => {
      const noise = makeNoise(certificate, context.random);
      return jsonBytes(drawTableWith(noise, partition, counts, domain, certificate, leftOut ?? []));
    };
    const { privacy, bins, day, timeZone } = taps;
    const parameters = { privacy, bins, day, timeZone };
    return { input: { ...domain, ...counts, ...(leftOut && { leftOut }) }, parameters, draw };
  },
  looks: {
    preview: (context, series, window) => showRows(context, tapsSeries(series), window),
    measured: (context, series, window) => {
      const taps = tapsSeries(series);
      return {
        stage: (database, folder) => stageSeries({ context, database, folder, series: taps }, window),
        noise: certificateOf(taps),
      };
    },
    kept: async (context, release, round, partition) => {
      const { cells } = await readCells(context.privateStore, PRIVATE_KEYS.cells(release, round, partition));
      return total(Array.from(cells.counts));
    },
  },
  shadow: (world, series) => shadowOfTaps(world, tapsSeries(series)),
};
