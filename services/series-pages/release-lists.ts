import { releasePath } from '../../contracts/names.ts';
import type { SeriesFrequency } from '../../contracts/series.ts';
import { FREQUENCIES } from '../../contracts/series.ts';
import { agentNode, contextWithBase, frequencyNode } from '../metadata/catalogue.ts';
import { jsonBytes } from '../stores/json-objects.ts';
import { newestSummary, seriesAddress } from './index-page.ts';
import { stateOf } from './publication-state.ts';
import { pageOfRelease, releaseFolder } from './series-files.ts';
import type { SeriesRelease } from './series-release.ts';

/** releases.json of a series: every release with its state, for programs. */
export const releasesFile = (series: string, releases: readonly SeriesRelease[], generation: number): Buffer =>
  jsonBytes({
    format: 'opaline-releases/2',
    series,
    generation,
    publisher: newestSummary(releases)?.publisher ?? null,
    nextExpected: newestSummary(releases)?.nextExpected ?? null,
    releases: releases.map((one) => {
      const { release, manifestDigest, attestation, manifest, summary } = one;
      const state = stateOf(one, releases);
      return {
        release: releasePath(release),
        window: release.window,
        version: release.version,
        days: { first: summary.days.first, last: summary.days.last },
        state: state.state,
        supersededBy: state.by ? releasePath(state.by.release) : null,
        retraction:
          state.state === 'retracted'
            ? { at: state.retractedAt, reasons: state.reasons, sentences: state.sentences }
            : null,
        correction: manifest.correction,
        publishedAt: attestation.publishedAt,
        manifestDigest,
        folder: releaseFolder(release),
        page: pageOfRelease(release),
      };
    }),
  });

/** dcat.jsonld of a series: the DCAT-3 dataset series with its members. */
export function seriesRecord(series: string, releases: readonly SeriesRelease[], generation: number): Buffer {
  const summary = newestSummary(releases);
  const frequency = FREQUENCIES.find((one): one is SeriesFrequency => one === summary?.frequency);
  const current = releases.filter((one) => stateOf(one, releases).state === 'current');
  return jsonBytes({
    '@context': contextWithBase(seriesAddress(summary)),
    generation,
    '@id': './',
    '@type': 'dcat:DatasetSeries',
    'dct:identifier': series,
    'dct:title': summary?.title ?? series,
    'dct:description': summary?.description ?? series,
    ...(summary ? { 'dct:publisher': agentNode(summary.publisher.name, summary.publisher.homepage) } : {}),
    ...(frequency ? { 'dct:accrualPeriodicity': frequencyNode(frequency) } : {}),
    'dcat:seriesMember': current.map(({ release }) => ({ '@id': releaseFolder(release) })),
  });
}
