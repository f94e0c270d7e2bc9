import type { PrivateKind } from '../../../activities/private/context.ts';
import { askedAnew } from '../../../activities/private/randomness.ts';
import { jsonBytes } from '../../../activities/stores/json-objects.ts';
import { drawTable } from '../../../core/mechanisms/privatize.ts';
import { certificateOf } from '../certificate.ts';
import { readPublicDomain } from '../public-domain.ts';
import { tapsSeries } from '../series.ts';
import { tapsKind } from '../series-kind.ts';
import { binTaps } from './bin.ts';
import { readCells, readLeftOut } from './cells.ts';
import { shadowOfTaps } from './shadow.ts';
import { showRows } from './shown-rows.ts';

/** Taps on the custodian side. */
export const privateTaps: PrivateKind = {
  ...tapsKind,
  bin: (context, input, series) => binTaps(context, input, tapsSeries(series)),
  counts: async (context, input, series) => {
    const { partition, round } = input;
    const counts = await readCells(context, input, round, partition);
    const taps = tapsSeries(series);
    const certificate = certificateOf(taps);
    const leftOut = certificate.leftOutScale === undefined ? null : await readLeftOut(context, input, round, partition);
    const draw = async (): Promise<Buffer> => {
      const domain = await readPublicDomain(context.releaseStore, taps, partition);
      const random = askedAnew(context.random);
      return jsonBytes(drawTable(partition, counts, domain, certificate, random, leftOut ?? []));
    };
    return { input: leftOut ? { cells: counts, leftOut } : counts, draw };
  },
  parameters: (series) => {
    const { privacy, bins, day, timeZone } = tapsSeries(series);
    return { privacy, bins, day, timeZone };
  },
  preview: (context, series, window) => showRows(context, tapsSeries(series), window),
  shadow: (context, _, series) => shadowOfTaps(context, tapsSeries(series)),
};
