import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { edit, publish } from '../../../client/verify/forgery.fixture.ts';
import { readVerifiedPublication } from '../../../client/verify/verify-publication.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { certify } from '../../../counts/certificate/certify.ts';
import type { ExpectedDesign } from '../../../counts/readers/proposed-design.ts';
import { timeLabels } from '../../../services/calendar/time-zone.ts';
import { drawTable } from '../../../test/support/draw-rows.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { testSeries, testTables } from '../../../test/support/test-release.ts';
import { tapsOf } from '../taps-domain.ts';
import { tapsForClients } from './client-kind.ts';
import { noisyModes, utilityWords } from './designs.ts';

/** A publication of few taps with remainder rows. */
let folder: string;
beforeAll(async () => {
  const split = { cells: '7', time: '1/2', location: '1/2' };
  const series = testSeries({ privacy: { ...testSeries().privacy, split } });
  const domain = {
    taps: tapsOf(series),
    times: timeLabels(series, '2026-03-02'),
    locations: ['Circular Quay', 'Manly', 'Mosman, "Bay"', 'UNKNOWN'],
  };
  const certificate = certify(series.privacy);
  const tables = testTables().map(({ part, day, cells }) =>
    drawTable({ part, day }, cells, domain, certificate, seededSource(1)),
  );
  folder = await publish(series, tables);
});

const designsLike = async (path: string) => {
  const { designs } = tapsForClients;
  return designs!(testSeries(), [], await readVerifiedPublication(path));
};

test('@contract C17 designs are those of the series, judged by a publication that verifies', async () => {
  const { value, text } = await designsLike(folder);
  const designs = value as ExpectedDesign[];
  expect(designs.map(({ grid }) => grid.minutes)).toEqual([15, 15, 15, 30, 30, 30, 60, 60, 60]);
  for (const { certificate, expected } of designs) {
    expect(certificate).toMatchObject({ unit: 'trip', epsilon: '8', neighbours: 'replace-one' });
    expect(expected!.cells.high).toBeGreaterThan(0);
  }
  expect(text).toContain('| taps in cells |');
  expect(text).not.toContain('?');
  const alone = await tapsForClients.designs!(testSeries(), [], null);
  expect(alone.text).toContain('?');
});

test('before a charge people are told what public figures say, and that hardly a cell will be shown', async () => {
  const told = async (expected?: { tapsPerWeek: number }) =>
    (await tapsForClients.expected!({ ...testSeries(), expected } as never, [], null)).join(' ');
  expect(await told()).toContain('expected.tapsPerWeek');
  expect(await told({ tapsPerWeek: 300_000 })).toMatch(
    /^Of 300000 taps a week, of nine in ten towns: 99–100 % of taps in cells; time totals/,
  );
  expect(await told({ tapsPerWeek: 300_000 })).not.toContain('hardly');
  expect(await told({ tapsPerWeek: 2 })).toContain('hardly a cell will be shown');
  const [none, some] = [0, 0.3].map((high) => ({ low: 0, high }));
  expect(utilityWords({ cells: some!, hours: none!, time: some!, location: some! })).toContain(
    '0–30 % of taps in cells (more',
  );
  const earlier = await readVerifiedPublication(folder);
  const { series, window, version } = earlier.manifest;
  const by = `${series}/${window}/v${version}`;
  const like = await tapsForClients.expected!(testSeries(), [], earlier);
  expect(like.join(' ')).toContain(`As in ${by}: `);
  const [beside] = await tapsForClients.expected!(testSeries(), [], earlier, earlier);
  expect(beside).toMatch(new RegExp(`^Forecast by ${by}: \\d.* % of taps in cells; shown: \\d+ %\\.$`));
});

test('from lists and figure alone people are told of which modes most of the location totals can only be noise', () => {
  const { bins, privacy } = testSeries();
  const [mode = ''] = Object.keys(bins.locations);
  const locations = { bus: bins.locations[mode], tram: bins.locations[mode] };
  const split = { cells: '7', time: '1/2', location: '1/2' };
  const lists = [{ digest: bins.locations[mode]!.dictionary, bytes: Buffer.from('location\nBay\nQuay\nQuarry\n') }];
  const told = (tapsPerWeek: number | undefined, modes: string[]) =>
    noisyModes(
      {
        ...testSeries(),
        modes,
        bins: { ...bins, locations },
        privacy: { ...privacy, split },
        ...(tapsPerWeek && { expected: { tapsPerWeek } }),
      } as never,
      lists,
    ).join(' ');
  expect(told(undefined, ['bus'])).toBe('');
  expect(told(300_000, ['bus'])).toBe('');
  // Four places with noise of 8 each, half of it above 0: 16 taps a day and end.
  expect(told(100, ['bus'])).toMatch(/^Most of the location totals of bus can only be noise: .* 16 taps, .* is 7;/);
  expect(told(undefined, ['bus', 'tram'])).toMatch(/^bus, tram share a list of places/);
  // σ of people, and not σ²: 4 places of which each has σ·√(2/π)/2 above 0.
  const card = { mechanism: 'discrete-gaussian', unit: 'card-window', maxTaps: 4, place: 2, delta: '1e-6' } as const;
  const people = { ...privacy, ...card, epsilon: '1', split: { cells: '4/5', location: '1/5' } };
  const sigma = Math.sqrt(toNumber(parseRational(certify(people).marginScales.location!)));
  const taps = { ...testSeries(), modes: ['bus'], bins: { ...bins, locations }, privacy: people };
  const [sentence] = noisyModes({ ...taps, expected: { tapsPerWeek: 100 } } as never, lists);
  expect(sentence).toContain(`it comes to ${Math.round(2 * sigma * Math.sqrt(2 / Math.PI))} taps`);
});

test('one that was changed is refused, and so is one that does not say how many taps there were', async () => {
  const changed = join(newFolder(), 'changed');
  await cp(folder, changed, { recursive: true });
  await edit(changed, 'time-location.csv', (text) => text.replace('Manly', 'manly'));
  await expect(designsLike(changed)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  await expect(designsLike(await publish())).rejects.toMatchObject({ code: 'USAGE' });
  await expect(designsLike(join(newFolder(), 'absent'))).rejects.toMatchObject({ code: 'USAGE' });
});
