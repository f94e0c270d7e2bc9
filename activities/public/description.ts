import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import type { Series } from '../../contracts/series.ts';
import type { DeriveInput } from '../../contracts/stages.ts';
import { windowVersions } from '../../core/ledger/window-versions.ts';
import type { DescribedRelease } from '../../core/metadata/description.ts';
import { expectedBy } from '../calendar/expected-by.ts';
import { reserveOfCharge } from '../draws/draw-receipt.ts';
import type { ReleaseFiles } from '../publication/staged-files.ts';
import { sha256 } from '../stores/json-objects.ts';
import type { PublicContext } from './context.ts';

/** What the ledger says of this window up to the charge of the release: the same however often it is asked. */
export function versionsInWords(entries: readonly LedgerEntry[], input: DeriveInput): string[] {
  const own = reserveOfCharge({ entries }, input.charge)?.sequence ?? 0;
  return windowVersions(entries.slice(0, own), input);
}

/** What the metadata of a release is made of. */
export async function describedRelease(
  context: PublicContext,
  input: DeriveInput,
  series: Series,
  { files, versions }: { files: ReleaseFiles; versions: readonly string[] },
): Promise<DescribedRelease> {
  const { kind, publication, window } = series;
  return {
    release: input,
    ...{ kind, publication, window, versions },
    description: await kindOf(context.kinds, series).describe(input, series, context),
    files: writtenFiles(files),
    nextExpected: expectedBy(series, input.window),
  };
}

/** Files in the order of their names, as a manifest lists them. */
export const writtenFiles = (files: ReleaseFiles): Manifest['files'] =>
  [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => ({ name, sha256: sha256(bytes), bytes: bytes.length }));
