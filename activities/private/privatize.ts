import { OpalineError } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import { PRIVATE_KEYS, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Draw, PrivatizeInput } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { jsonBytes, putOnce, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PrivateContext } from './context.ts';

/**
 * Draws the privatized table of one partition and stores it; the only code that meets noise. The noise and the
 * unpublished counts are never stored.
 *
 * Safe to run twice, by a retry, a replay or a zombie: the draw record ties the release to its input before anything
 * is drawn, and of any number of draws the first that is stored is the one; all others are thrown away unseen, and
 * everybody reads what is stored. A second input under the same release is refused.
 *
 * @contract C11
 * @contract safe-to-retry
 */
export async function privatize(context: PrivateContext, input: PrivatizeInput): Promise<Draw> {
  const { releaseStore } = context;
  const series = await readSeries(releaseStore, input);
  const kind = kindOf(context.kinds, series);
  const counts = await kind.counts(context, input, series);
  await recordDraw(context, input, { input: counts.input, parameters: kind.parameters(series) });
  const key = RELEASE_KEYS.privatized(input, input.partition);
  const stored =
    (await readBytesIfPresent(releaseStore, key)) ?? (await putOnce(releaseStore, key, await counts.draw())).bytes;
  return { partition: input.partition, digest: sha256(stored) };
}

/** Put if absent before the draw. It stays on the custodian side: the digest of the input is an exact query. */
async function recordDraw(
  context: PrivateContext,
  run: PrivatizeInput,
  { input, parameters }: { input: unknown; parameters: unknown },
): Promise<void> {
  const record = jsonBytes({
    format: 'opaline-draw-record/1',
    input: sha256(canonicalJson(input)),
    parameters: sha256(canonicalJson(parameters)),
    charge: run.charge,
  });
  const { bytes } = await putOnce(context.privateStore, PRIVATE_KEYS.draw(run, run.partition), record);
  if (bytes.equals(record)) return;
  throw new OpalineError(
    'NEEDS_CORRECTION',
    `${partitionPath(run.partition)} was drawn from another input or under another charge; a change needs a new version.`,
  );
}
