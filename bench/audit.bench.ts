import { rm } from 'node:fs/promises';
import { operatingSystemRandom } from '../activities/private/randomness.ts';
import { audit } from '../activities/public/audit.ts';
import { derive } from '../activities/public/derive.ts';
import { sha256 } from '../activities/stores/json-objects.ts';
import { kindOf } from '../contracts/kind.ts';
import { type Partition, RELEASE_KEYS } from '../contracts/names.ts';
import { windowDays } from '../core/calendar/window.ts';
import { type CertificateRequest, certify } from '../core/certificate/certificate.ts';
import type { CellCount } from '../core/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../core/mechanisms/public-domain.ts';
import type { TableRows } from '../core/privatized-table/rows.ts';
import { PRIVATE_KINDS } from '../kinds/private-kinds.ts';
import { drawTable } from '../test/support/draw-rows.ts';
import { privateContextBelow } from '../test/support/folder-contexts.ts';
import { seededSource } from '../test/support/seeded-source.ts';
import { testRelease, testSeries } from '../test/support/test-release.ts';

/**
 * The whole audit of a release of 56 partitions, 14 days of four modes as in 2016: the shadow run of the private worker
 * and the audit of the staged files, beside drawing and deriving the same release. Without and with noisy totals. Run
 * with `node bench/audit.bench.ts`; it takes about a minute. Target: shadow and audit together under 20 seconds on two
 * cores.
 */
const PLACES: Readonly<Record<string, number>> = { bus: 300, ferry: 40, lightrail: 23, train: 300 };
const MODES = Object.keys(PLACES);
const TARGET_SECONDS = 20;
const SPLITS = { 'cells alone': { cells: '8' }, 'noisy totals': { time: '3/10', location: '1/2', cells: '36/5' } };

const TIMES = Array.from(
  { length: 96 },
  (_, quarter) => `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`,
);
const placesOf = (mode: string): string[] =>
  Array.from({ length: PLACES[mode]! }, (_, place) => `${mode} ${1000 + place}`);
const domainOf = (mode: string): PublicDomain => ({
  taps: ['on', 'off'],
  times: TIMES,
  locations: [...placesOf(mode), 'UNKNOWN'],
});
const DICTIONARIES = new Map(
  MODES.map((mode) => {
    const rows = placesOf(mode).map((place) => `${place},${place}\n`);
    return [mode, Buffer.from(`source,location\n${rows.join('')}`, 'utf8')];
  }),
);

/** Counts of one day: nobody at night, two rushes, few busy places and many quiet ones. */
const random = seededSource(2016);
const countsOf = (mode: string): CellCount[] =>
  (['on', 'off'] as const).flatMap((tap) =>
    TIMES.flatMap((time, quarter) =>
      placesOf(mode).flatMap((location, place): CellCount[] => {
        const rush = quarter < 20 ? 0 : Math.abs(quarter - 32) < 6 || Math.abs(quarter - 70) < 8 ? 3 : 1;
        const count = random.uint32() % (1 + Math.floor((rush * 600) / (place + 3)));
        return count === 0 ? [] : [[tap, time, location, count]];
      }),
    ),
  );

async function seconds<Result>(work: () => Result | Promise<Result>): Promise<[Result, number]> {
  const begin = performance.now();
  return [await work(), (performance.now() - begin) / 1000];
}

console.log('release        rows     make, s  shadow, s  audit, s  both, s  both/make  verdict');
for (const [name, split] of Object.entries(SPLITS)) {
  const locations = Object.fromEntries(
    [...DICTIONARIES].map(([mode, bytes]) => [mode, { dictionary: sha256(bytes) }] as const),
  );
  const base = testSeries();
  const series = testSeries({
    window: { days: 14, firstWeekday: 'monday' },
    bins: { minutes: 15, locations },
    modes: MODES,
    privacy: { ...base.privacy, split },
  });
  const certificate = certify(series.privacy satisfies CertificateRequest);
  const inputs = windowDays(series, '2026-03-02').flatMap((day) =>
    MODES.map((mode): [Partition, CellCount[]] => [{ part: mode, day }, countsOf(mode)]),
  );
  const source = operatingSystemRandom();
  const [tables, drawing] = await seconds((): TableRows[] =>
    inputs.map(([partition, counts]) => drawTable(partition, counts, domainOf(partition.part), certificate, source)),
  );
  const release = await testRelease(series, tables);
  const { context, input } = release;
  for (const bytes of DICTIONARIES.values())
    await context.releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(sha256(bytes)), bytes);
  const [, deriving] = await seconds(() => derive(context, input));
  const kind = kindOf(PRIVATE_KINDS, release.series);
  const worker = privateContextBelow(release.folder, { random: source });
  const [tried, shadowing] = await seconds(() => kind.shadow(worker, release.run, release.series));
  const [{ verdict }, auditing] = await seconds(() => audit(context, { ...input, shadow: tried }));
  await rm(release.folder, { recursive: true });
  const [make, both] = [drawing + deriving, shadowing + auditing];
  const numbers = [make, shadowing, auditing, both, both / make].map((value, index) =>
    value.toFixed(index === 4 ? 1 : 2).padStart([11, 10, 9, 8, 10][index]!),
  );
  const rows = tables.reduce((sum, { cells }) => sum + cells.length, 0);
  console.log(`${name.padEnd(12)} ${String(rows).padStart(7)} ${numbers.join(' ')}  ${verdict}`);
  if (both > TARGET_SECONDS) process.exitCode = 1;
}
