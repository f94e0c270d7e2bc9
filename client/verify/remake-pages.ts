import { wrongUse } from '../../contracts/errors.ts';
import { SERIES_FILES } from '../../services/series-pages/series-files.ts';
import { seriesPages } from '../../services/series-pages/series-pages.ts';
import { readSeriesReleases } from '../../services/series-pages/series-release.ts';
import { writeWholeSeries } from '../../services/series-pages/whole-series.ts';
import { writePages } from '../../services/series-pages/write-pages.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';

/** Where releases are read and pages are written, by which chain of trust, and in which new file the tables go. */
type RemadeFrom = { publication: string; out: string; trust: TrustChain | null; tables?: string | undefined };

/**
 * Makes the pages of a series again from the folders of its releases below `publication`, and writes them below `out`.
 * The signed head is not made: only its publisher can. Throws USAGE when there is no release.
 */
export async function remakePages(series: string, { publication, out, trust, tables }: RemadeFrom) {
  const read = () => readSeriesReleases(new FolderStore(publication), series, trust);
  const releases = await read();
  if (releases.length === 0)
    throw wrongUse(`There is no whole release of ${series} there; name the folder that holds ${series}/.`);
  const pages = seriesPages(series, releases);
  const again = async () => seriesPages(series, await read());
  const writtenOver = await writePages(new FolderStore(out), series, pages, again);
  const list = pages.get(SERIES_FILES.tables)!;
  const count =
    tables === undefined ? null : await writeWholeSeries(new FolderStore(publication), releases, list, tables);
  return {
    series,
    releases: releases.length,
    pages: [...pages.keys()],
    /** Pages in whose place was one that claimed to be newer, and does not follow from the releases. */
    writtenOver,
    /** How many tables the download of the whole series has; null: it was not asked for. */
    tables: count,
  };
}
