import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Certificate } from '../../contracts/certificate.ts';
import { certify } from '../../core/certificate/certificate.ts';
import { usualFloors } from '../../core/certificate/floors.ts';
import { parseRational } from '../../core/rational/rational.ts';
import { type BinnedWindow, binWindow } from '../../examples/binned-window.fixture.ts';
import { generateOpal } from '../../examples/opal/generate.ts';
import { deriveRows, drawTable } from '../../test/support/draw-rows.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { type Figures, figuresOf } from './comparison.ts';
import { UtilityMeter } from './measures.ts';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const DATA = resolve(process.env.OPALINE_DATA ?? file('../../../shared/data'));
const DRAWS = 20;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'opaline-weeks-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const TRIP = { mechanism: 'complete-domain', unit: 'trip', neighbours: 'replace-one', publish: 'on+off' } as const;
const SPLIT = { cells: '31/5', time: '7/10', location: '11/10' } as const;
/** The Oyster example names the floor of its hour rows; the Opal week has both by the rule. */
const certificateWith = (hourFloor?: number) =>
  certify({
    ...{ ...TRIP, epsilon: '8', delta: '0', split: SPLIT },
    ...usualFloors(
      { hours: { bins: 4, ...(hourFloor !== undefined && { floor: hourFloor }) } },
      TRIP,
      parseRational(SPLIT.cells),
    ),
  });

type Mean = Pick<Figures, 'inCells' | 'timeBias' | 'locationBias' | 'timeError' | 'locationError'> & {
  inHours: number;
};

/** Means over seeded draws of all partitions; `inHours` is what hour rows show, as a share of all taps. */
function meansOf({ partitions }: BinnedWindow, certificate: Certificate): Mean {
  const draws = Array.from({ length: DRAWS }, (_, seed): Mean => {
    const random = seededSource(seed);
    const meter = new UtilityMeter();
    let inHours = 0;
    for (const exact of partitions) {
      const table = drawTable(exact.partition, exact.counts, exact.domain, certificate, random);
      const { time, location } = deriveRows([table]);
      meter.add(exact, {
        cells: table.cells,
        time: time.map((row) => [row.tap, row.time, row.count]),
        location: location.map((row) => [row.tap, row.location, row.count]),
      });
      inHours += table.hours!.reduce((sum, row) => sum + row[3], 0);
    }
    const { utility } = meter;
    return { ...figuresOf(utility), inHours: inHours / utility.taps };
  });
  const mean = (key: keyof Mean): number => draws.reduce((sum, draw) => sum + draw[key], 0) / draws.length;
  return {
    ...{ inCells: mean('inCells'), inHours: mean('inHours') },
    ...{ timeBias: mean('timeBias'), locationBias: mean('locationBias') },
    ...{ timeError: mean('timeError'), locationError: mean('locationError') },
  };
}

describe(`the usual floors on real weeks, means over ${DRAWS} draws (skipped where ../shared/data is not present)`, () => {
  test.skipIf(!existsSync(join(DATA, 'tfl-oyster')))(
    'the Oyster week shows two thirds of all taps in fine cells, and totals without bias',
    async () => {
      const week = await binWindow(root, file('../../examples/oyster.yaml'), join(DATA, 'tfl-oyster'), '2009-11-01');
      const means = meansOf(week, certificateWith(9));
      console.log(means);
      expect(means.inCells).toBeGreaterThan(0.67);
      expect(means.inHours).toBeGreaterThan(0.15);
      expect(Math.abs(means.timeBias)).toBeLessThan(0.0003);
      expect(means.locationBias).toBeCloseTo(means.timeBias, 12);
      expect(means.timeError).toBeLessThan(0.01);
      expect(means.locationError).toBeLessThan(0.025);
    },
    1_200_000,
  );

  test.skipIf(!existsSync(join(DATA, 'opal')))(
    'the Opal week shows nearly all taps in fine cells',
    async () => {
      const source = join(root, 'taps');
      await generateOpal(join(DATA, 'opal'), source);
      const means = meansOf(
        await binWindow(root, file('../../examples/opal.yaml'), source, '2016-08-08'),
        certificateWith(),
      );
      console.log(means);
      expect(means.inCells).toBeGreaterThan(0.965);
      expect(means.timeError).toBeLessThan(0.00125);
      expect(means.locationError).toBeLessThan(0.0013);
    },
    1_200_000,
  );
});
