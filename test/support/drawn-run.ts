import type { Manifest } from '../../contracts/formats/manifest.ts';
import type { DeriveInput } from '../../contracts/stages.ts';

/** What derive was asked with, as the manifest of the release has it. */
export function drawnRun({ partitions, series, window, version, seriesDigest, charge }: Manifest): DeriveInput {
  const draws = partitions.map(({ part, day, privatizedTable }) => ({
    partition: { part, day },
    digest: privatizedTable!,
  }));
  return { series, window, version, seriesDigest, charge, correction: null, draws, holes: [] };
}
