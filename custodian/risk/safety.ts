import { wrongUse } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import { partitionPath, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { readApplied } from '../../services/stores/series-objects.ts';
import type { PrivateContext } from '../private-context.ts';
import { newestInventory } from '../source/inventory.ts';
import { CONFIDENTIAL } from './confidential-page.ts';
import { distortionOf, relativeSafety } from './measures/distortion.ts';

/** How much a release has to be distorted to be private, for custodians alone. */
export type SafetyReport = Omit<Awaited<ReturnType<typeof safetyReport>>, 'relative'> & {
  /** Safety of the release relative to another one; null without one, or where nothing is distorted. */
  relative: { to: string; safety: number | null } | null;
};

export const MEANING =
  'The less a table is distorted by a mechanism of a fixed ε, the safer it is taken to be (Oppermann (ed.) 2019, Section 5.2). These draws are made for this report, kept nowhere and published nowhere; the figures are of exact counts, and are no guarantee.';

/**
 * Draws each partition of a release again, `draws` times, in memory, and measures how far each draw is from the exact
 * counts. Nothing is charged, as no draw leaves the custodian side. Throws USAGE for a kind without such a measure,
 * RELEASE_UNKNOWN, and OBJECT_MISSING before the release was binned. Cost: as many draws of each partition.
 */
export async function safetyReport(context: PrivateContext, release: ReleaseReference, draws: number) {
  const { series, digest } = await readApplied(context.releaseStore, release.series);
  const kind = kindOf(context.kinds, series);
  const { divergence } = kind;
  if (!divergence) throw wrongUse(`No divergence of a draw is known for ${series.kind}; name a release of synthetic.`);
  const { round } = await newestInventory(context, release);
  /** Of each partition with counts, KL divergence in bits between them and what is drawn of them. */
  const window = windowPartitions(series, kind.terms(series).parts, release.window);
  const partitions = await mapAtOnce(window, 1, async (partition) => {
    const input = { ...release, seriesDigest: digest, round, partition, charge: '' };
    const counts = await kind.counts(context, input, series);
    const bits: number[] = [];
    for (let draw = 0; draw < draws; draw += 1)
      bits.push(divergence(series, partition, counts.input, await counts.draw()));
    return { partition: partitionPath(partition), ...distortionOf(bits) };
  });
  // Of all partitions, each with the same weight.
  const { mean } = distortionOf(partitions.map((one) => one.mean));
  const own = { format: 'opaline-safety/1', confidential: CONFIDENTIAL, meaning: MEANING } as const;
  return { ...own, release: releasePath(release), partitions, mean, relative: null };
}

/** The report of the first, with its safety relative to the other one. */
export const compareSafety = (first: SafetyReport, other: SafetyReport): SafetyReport => ({
  ...first,
  relative: { to: other.release, safety: relativeSafety(first, other) },
});
