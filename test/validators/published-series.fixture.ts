import { join } from 'node:path';
import { updatePages } from '../../activities/public/update-pages.ts';
import { certify } from '../../counts/certificate/certify.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import { tapsOf } from '../../kinds/taps/taps-domain.ts';
import { timeLabels } from '../../services/calendar/time-zone.ts';
import { drawTable } from '../support/draw-rows.ts';
import { publishRelease } from '../support/publish-release.ts';
import { seededSource } from '../support/seeded-source.ts';
import { anotherRelease, testRelease, testSeries, testTables } from '../support/test-release.ts';

/** A series whose file says all that metadata can hold, with remainders, so that a release has every usual file. */
const fullSeries = () =>
  testSeries({
    privacy: { ...testSeries().privacy, split: { cells: '7', time: '1/2', location: '1/2' } },
    publication: {
      title: 'Taps of Exampleton',
      licence: 'CC-BY-4.0',
      attribution: 'Exampleton Transport, 2026.',
      notes: ['Synthetic.'],
      publisher: { name: 'Exampleton Transport', homepage: 'https://transport.example/' },
      contact: 'data@transport.example',
      keywords: ['ferries', 'buses'],
      area: 'Exampleton',
      frequency: 'weekly',
      homepage: 'https://portal.example/taps',
      baseUrl: 'https://data.example/open',
    },
    schedule: { weekday: 'thursday', time: '06:00' },
  });

/** A series of two versions of one window and another window, published with its pages; and the folder of the series. */
export async function publishedSeries(): Promise<{ folder: string; newest: string }> {
  const series = fullSeries();
  const domain: PublicDomain = {
    taps: tapsOf(series),
    times: timeLabels(series, '2026-03-02'),
    locations: ['Circular Quay', 'Manly', 'Mosman, "Bay"', 'UNKNOWN'],
  };
  const random = seededSource(7);
  const drawn = () =>
    testTables().map(({ part, day, cells }) =>
      drawTable({ part, day }, cells, domain, certify(series.privacy), random),
    );
  const release = await testRelease(series, drawn());
  await publishRelease(release);
  await publishRelease(await anotherRelease(release, { version: 2 }, drawn()));
  await publishRelease(await anotherRelease(release, { window: '2026-03-09' }, drawn()));
  await updatePages(release.context, release.run);
  const folder = join(release.folder, 'publication', 'demo');
  return { folder, newest: join(folder, '2026-03-02', 'v1') };
}
