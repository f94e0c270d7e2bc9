import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { edit, published, scratch } from '../../../client/verify/forgery.fixture.ts';
import { verifiedPublication } from '../../../client/verify/verify-publication.ts';
import { certify } from '../../../counts/certificate/certificate.ts';
import { possibleDesigns } from '../../../counts/certificate/designs.ts';
import { expectedUtility } from '../../../counts/readers/expected-utility.ts';
import { timeLabels } from '../../../services/calendar/zone.ts';
import { drawTable } from '../../../test/support/draw-rows.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { testSeries, testTables } from '../../../test/support/test-release.ts';
import { publishedTaps } from '../public-domain.ts';
import { readEarlierRelease } from './certify.ts';
import { designsText } from './designs-text.ts';

/** A publication of few taps with remainder rows. */
let folder: string;
const earlierIn = async (path: string) => readEarlierRelease(await verifiedPublication(path));
beforeAll(async () => {
  const split = { cells: '7', time: '1/2', location: '1/2' };
  const series = testSeries({ privacy: { ...testSeries().privacy, split } });
  const domain = {
    taps: publishedTaps(series),
    times: timeLabels(series, '2026-03-02'),
    locations: ['Circular Quay', 'Manly', 'Mosman, "Bay"', 'UNKNOWN'],
  };
  const certificate = certify(series.privacy);
  const tables = testTables().map(({ part, day, cells }) =>
    drawTable({ part, day }, cells, domain, certificate, seededSource(1)),
  );
  folder = await published(series, tables);
});

test('@contract C17 a publication that verifies is read, and designs are judged by it', async () => {
  const earlier = await earlierIn(folder);
  expect(earlier.threshold).toBe(10);
  expect(earlier.total).toBeGreaterThan(1000);
  // Two modes, two days, two taps; a quarter hour each, and four places.
  expect(earlier.keys).toEqual({ time: 8 * 96, location: 8 * 4 });

  const request = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off', epsilon: '8', delta: '1e-6' } as const;
  const designs = possibleDesigns(request, 4).map((design) => ({
    ...design,
    expected: expectedUtility(earlier, design.certificate),
  }));
  const text = designsText(designs);
  expect(text).toContain('of taps in fine cells');
  // Hardly two taps to a time: any margin of times is noise.
  const warnings = text.match(/WARNING +the noise of a time total is more than its taps/g) ?? [];
  expect(warnings).toHaveLength(designs.filter(({ certificate }) => certificate.marginScales.time).length);
  expect(designsText(designs.map(({ expected: _, ...design }) => design))).not.toMatch(/WARNING|expected/);
});

test('one that was changed is refused, and so is one that does not say how many taps there were', async () => {
  const changed = join(scratch, 'changed');
  await cp(folder, changed, { recursive: true });
  await edit(changed, 'time-location.csv', (text) => text.replace('Manly', 'manly'));
  await expect(earlierIn(changed)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  await expect(earlierIn(await published())).rejects.toMatchObject({ code: 'USAGE' });
  await expect(earlierIn(join(scratch, 'absent'))).rejects.toMatchObject({ code: 'USAGE' });
});
