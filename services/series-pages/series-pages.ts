import { atomFeed } from './feed.ts';
import { changesPage, indexPage } from './index-page.ts';
import { readersPage } from './readers-page.ts';
import { releasesFile, seriesRecord } from './release-lists.ts';
import { pageOfRelease, SERIES_FILES } from './series-files.ts';
import type { SeriesRelease } from './series-release.ts';
import { tablesList } from './whole-series.ts';

/** How many things have happened to a series that are there for ever: publications and tombstones. */
export const generationOfSeries = (releases: readonly SeriesRelease[]): number =>
  releases.length + releases.filter(({ retraction }) => retraction).length;

/** The page of a release changes only with what happens to its window, and so does its generation. */
function pageOf(one: SeriesRelease, releases: readonly SeriesRelease[]): Buffer {
  const ofWindow = releases.filter(({ release }) => release.window === one.release.window);
  return readersPage(one, ofWindow, generationOfSeries(ofWindow));
}

/**
 * Every page of a series but the signed head, by name: a function of its publications and their tombstones alone, so that
 * anyone can make them again. Equal publications give equal bytes. Cost: O(releases).
 */
export function seriesPages(series: string, releases: readonly SeriesRelease[]): Map<string, Buffer> {
  const generation = generationOfSeries(releases);
  return new Map([
    ...releases.map((one): [string, Buffer] => [pageOfRelease(one.release), pageOf(one, releases)]),
    [SERIES_FILES.changes, changesPage(series, releases, generation)],
    [SERIES_FILES.feed, atomFeed(series, releases, generation)],
    [SERIES_FILES.releases, releasesFile(series, releases, generation)],
    [SERIES_FILES.catalogue, seriesRecord(series, releases, generation)],
    [SERIES_FILES.tables, tablesList(releases, generation)],
    [SERIES_FILES.index, indexPage(series, releases, generation)],
  ]);
}
