import { releasePath } from '../../contracts/names.ts';
import type { SeriesRelease } from './series-release.ts';

/** What a reader should do with a publication: use it, take a later version of its window, or use none. */
export type PublicationState = ReturnType<typeof stateOf>;

/** The state of a publication in its series: the newest version of a window that was not retracted is current. */
export function stateOf(one: SeriesRelease, all: readonly SeriesRelease[]) {
  const usable = all.filter(({ release, retraction }) => release.window === one.release.window && !retraction);
  const newest = usable.at(-1) ?? null;
  if (one.retraction) {
    const { retractedAt, reasons, sentences } = one.retraction;
    return { state: 'retracted' as const, retractedAt, reasons, sentences, by: newest };
  }
  return newest && newest !== one ? { state: 'superseded' as const, by: newest } : { state: 'current' as const };
}

/** Something that happened to a series, as its signed files show; `at`: ISO 8601 with Z, as the publisher signed it. */
export type SeriesEvent = ReturnType<typeof seriesEvents>[number];

/** Everything that happened, newest first; of events at one time, in the order of their releases. */
export const seriesEvents = (releases: readonly SeriesRelease[]) =>
  releases
    .flatMap((of) => [
      publicationEventOf(of),
      ...(of.retraction
        ? [{ kind: 'retracted' as const, at: of.retraction.retractedAt, of, sentence: retractionSentence(of) }]
        : []),
    ])
    .sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1));

function publicationEventOf(of: SeriesRelease) {
  const { release, manifest, attestation } = of;
  const path = releasePath(release);
  const at = attestation.publishedAt;
  const { correction } = manifest;
  if (!correction) return { kind: 'published' as const, at, of, sentence: `${path} was published.` };
  const partitions = correction.redrawn.length === 1 ? '1 partition' : `${correction.redrawn.length} partitions`;
  const sentence = `${path} was published. It corrects version ${correction.of} (${correction.reason}): ${partitions} drawn again.`;
  return { kind: 'corrected' as const, at, of, sentence };
}

const retractionSentence = ({ release, retraction }: SeriesRelease): string =>
  `${releasePath(release)} was retracted (${retraction?.reasons.join(', ')}). Do not use it. ${retraction?.sentences.join(' ')}`.trim();
