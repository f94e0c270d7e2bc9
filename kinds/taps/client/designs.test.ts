import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { edit, published, scratch } from '../../../client/verify/forgery.fixture.ts';
import { verifiedPublication } from '../../../client/verify/verify-publication.ts';
import { certify } from '../../../counts/certificate/certify.ts';
import { possibleDesigns } from '../../../counts/certificate/designs.ts';
import { timeLabels } from '../../../services/calendar/time-zone.ts';
import { drawTable } from '../../../test/support/draw-rows.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { testSeries, testTables } from '../../../test/support/test-release.ts';
import { publishedTaps } from '../public-domain.ts';
import { tapsForClients } from './client-kind.ts';
import type { ExpectedDesign } from './designs-text.ts';

/** A publication of few taps with remainder rows. */
let folder: string;
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

const designsLike = async (path: string) => {
  const { designs } = tapsForClients;
  return designs!(testSeries(), await verifiedPublication(path));
};

test('@contract C17 designs are those of the series, judged by a publication that verifies', async () => {
  const { value, text } = await designsLike(folder);
  const designs = value as ExpectedDesign[];
  expect(designs.map(({ name }) => name)).toEqual(
    possibleDesigns({ ...testSeries().privacy, rows: 'trips' }, 4).map(({ name }) => name),
  );
  for (const { certificate, expected } of designs) {
    expect(certificate).toMatchObject({ unit: 'trip', epsilon: '8', neighbours: 'replace-one' });
    expect(expected!.inCells).toBeGreaterThan(0);
  }
  expect(text).toContain('of taps in fine cells');
  // Hardly two taps to a time: any margin of times is noise.
  const warnings = text.match(/WARNING +the noise of a time total is more than its taps/g) ?? [];
  expect(warnings).toHaveLength(designs.filter(({ certificate }) => certificate.marginScales.time).length);
  const alone = await tapsForClients.designs!(testSeries(), null);
  expect(alone.text).not.toMatch(/WARNING|expected/);
});

test('one that was changed is refused, and so is one that does not say how many taps there were', async () => {
  const changed = join(scratch, 'changed');
  await cp(folder, changed, { recursive: true });
  await edit(changed, 'time-location.csv', (text) => text.replace('Manly', 'manly'));
  await expect(designsLike(changed)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  await expect(designsLike(await published())).rejects.toMatchObject({ code: 'USAGE' });
  await expect(designsLike(join(scratch, 'absent'))).rejects.toMatchObject({ code: 'USAGE' });
});
