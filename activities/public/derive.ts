import type { StagedInput } from '../../contracts/stages.ts';
import { dataFiles, stage } from '../../services/release/audited-files.ts';
import { requireDrawn } from '../../services/release/drawn-release.ts';
import type { PublicContext } from '../../services/release/public-context.ts';

/**
 * Stages all data files, as the kind of the series derives them from the privatized tables. Throws VERIFICATION_FAILED
 * when one of them has no receipt of the private worker.
 *
 * Safe to run twice: the files are a pure function of write-once objects, and each is written if absent, in a folder of
 * this build. Bytes already there are kept; the audit makes all of them again and compares.
 *
 * @contract C9
 * @contract C11
 * @contract C18
 * @contract safe-to-retry
 */
export async function derive(context: PublicContext, input: StagedInput): Promise<void> {
  const { series, release } = await requireDrawn(context, input);
  await stage(context, release, await dataFiles(context, release, series));
}
